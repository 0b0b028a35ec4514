package doctor

import (
	"strings"
	"testing"
	"time"

	"familiar/config"

	"familiar/channels"
	"familiar/cmd/familiar/internal/networks"
	"familiar/memory/jobrun"
	"familiar/memory/log"
	"familiar/memory/model"
)

func TestDoctorJudgesTheDisk(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct {
		free, database int64
		state, says    string
	}{
		{10 * mb, mb, stateProblem, "soon nothing can be stored"},
		{300 * mb, 200 * mb, stateWarning, "may not find room"},
		{400 * mb, 200 * mb, stateOK, "400 MiB are free, the database takes 200 MiB"},
	} {
		found := diskFindings(c.free, c.database)
		if len(found) != 1 || found[0].State != c.state || !strings.Contains(found[0].Text, c.says) || found[0].IsProblem() != (found[0].NextStep != "") {
			t.Errorf("%d free of %d: %+v", c.free, c.database, found)
		}
	}
}

func TestDoctorJudgesJobs(t *testing.T) {
	cfg, now := config.Default(), time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	cfg.Persona = "nell"
	for _, c := range []struct {
		run         jobrun.Run
		state, says string
	}{
		{jobrun.Run{Persona: "nell", Job: "dream", Status: jobrun.StatusOK, Started: now}, "", ""},
		{jobrun.Run{Persona: "nell", Job: "dream", Status: jobrun.StatusRunning, Started: now.Add(-time.Minute)}, "", ""},
		{jobrun.Run{Persona: "nell", Job: "dream", Status: jobrun.StatusRunning, Started: now.Add(-time.Hour)}, stateProblem, "dream has been running for 1h0m0s"},
		{jobrun.Run{Persona: "nell", Job: "dream", Status: jobrun.StatusFailed, Finished: now.Add(-time.Hour), Result: "no room\nstack"}, stateWarning, "dream failed 1 hour ago: no room"},
		{jobrun.Run{Persona: "mira", Job: "dream", Status: jobrun.StatusFailed, Finished: now.Add(-time.Hour), Result: "no room"}, stateWarning, "dream of mira failed 1 hour ago: no room"},
		{jobrun.Run{Persona: "nell", Job: "dream", Status: jobrun.StatusFailed, Finished: now, Result: "stopped with the process: context canceled"}, "", ""},
	} {
		found := runFindings(cfg, c.run, now)
		if c.state == "" {
			if len(found) != 0 {
				t.Errorf("%+v: %+v", c.run, found)
			}
			continue
		}
		if len(found) != 1 || found[0].State != c.state || found[0].Text != c.says || found[0].NextStep == "" {
			t.Errorf("%+v: %+v", c.run, found)
		}
	}
}

// TestA14DoctorShowsReportedProblems checks a network that answers but whose serving process reported a problem.
func TestA14DoctorShowsReportedProblems(t *testing.T) {
	state := channels.State{Phase: channels.Refused, Problem: "another process uses this session", NextStep: "stop the other one"}
	stands := networks.Status{ChannelState: log.ChannelState{Channel: "whatsapp", State: state}, Served: true}
	got := reportedProblems([]networks.Status{stands}, "whatsapp")
	if len(got) != 1 || got[0] != (Finding{"whatsapp", stateProblem, state.Problem, state.NextStep}) {
		t.Errorf("%+v", got)
	}
	if stands.Served = false; len(reportedProblems([]networks.Status{stands}, "whatsapp")) != 0 {
		t.Error("an old problem is shown although no process serves the network")
	}
}

func TestDoctorJudgesTheServer(t *testing.T) {
	good := model.DatabaseServer{Version: "17.2", Supported: true, Latency: 340 * time.Microsecond, Ahead: -time.Second, Bytes: 3 << 20, Free: 90, Needed: 6}
	for _, c := range []struct {
		change      func(s *model.DatabaseServer)
		state, says string
	}{
		{func(*model.DatabaseServer) {}, stateOK, "PostgreSQL 17.2 answers in 0.3 ms, the tables take 3.0 MiB, 90 connections are free"},
		{func(s *model.DatabaseServer) { s.Supported = false }, stateProblem, "PostgreSQL 17.2 is too old"},
		{func(s *model.DatabaseServer) { s.Ahead = 3 * time.Second }, stateWarning, "the server's clock is 3s ahead of this machine's"},
		{func(s *model.DatabaseServer) { s.Ahead = -61 * time.Second }, stateProblem, "the server's clock is 1m1s behind this machine's"},
		{func(s *model.DatabaseServer) { s.Unsafe = []string{"fsync"} }, stateWarning, "fsync is off: a crash of the server may lose what was acknowledged"},
		{func(s *model.DatabaseServer) { s.Free = 5 }, stateWarning, "the server has room for 5 more connections, and a process that serves opens up to 6"},
		{func(s *model.DatabaseServer) { s.Free = -1 }, stateWarning, "the server has room for 0 more connections, and a process that serves opens up to 6"},
	} {
		s := good
		c.change(&s)
		found := serverFindings(s)
		if len(found) != 1 || found[0].State != c.state || found[0].Text != c.says || found[0].IsProblem() != (found[0].NextStep != "") {
			t.Errorf("%+v: %+v", s, found)
		}
	}
}
