package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/config"
	"familiar/memory/jobrun"
)

// TestDoctorReadsTheTables: a row that refers to a missing one is found, although the file opens.
func TestDoctorReadsTheTables(t *testing.T) {
	t.Parallel()
	home := configure(t, "")
	doctorFindings(t, home, "canary", 0, "tables\tok", "disk\tok", "clock\tok", "jobs\tok", "waiting\tok")
	familiar(t, home, nil, "My cat is called Tom.\n", "chat", "--as", "Ann").must(t)
	doctorFindings(t, home, "canary", 0, "tables\tok\tevery page and every reference is intact, schema ", "disk\tok", "are free, the database takes")
	execute(t, filepath.Join(home, "familiar.db"), "PRAGMA foreign_keys = off; DELETE FROM people")
	doctorFindings(t, home, "canary", 1, "tables\tproblem", "refers to a missing row of people", "familiar backup restore")
}

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
		if len(found) != 1 || found[0].State != c.state || !strings.Contains(found[0].Text, c.says) || found[0].isProblem() != (found[0].NextStep != "") {
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

// TestDoctorFindsWhatWaits: nothing serves the home, a message waits, and the clock was ahead.
func TestDoctorFindsWhatWaits(t *testing.T) {
	t.Parallel()
	home := configure(t, "")
	familiar(t, home, nil, "My cat is called Tom.\n", "chat", "--as", "Ann").must(t)
	store := openStore(t, home)
	_, err := store.Log.Accept(t.Context(), "nell", channels.Message{
		ID: "1", Room: channels.Room{Channel: "webhook", ID: "r"}, Author: channels.Author{Handle: channels.Handle{Channel: "webhook", ID: "a"}}, Text: "hi", At: time.Now(),
	})
	if err != nil {
		t.Fatal(err)
	}
	execute(t, filepath.Join(home, "familiar.db"),
		"INSERT INTO job_runs (persona, job, due_at, started_at, alive_until, status, finished_at, result) VALUES ('nell', 'dream', 4e12, 4e12, 0, 'ok', 4e12, '')")
	doctorFindings(t, home, "canary", 0,
		"waiting\twarning\ton webhook 1 message waits for an answer and 0 replies wait to be sent", "start `familiar run`",
		"clock\twarning\tsomething was stored at", "NTP")
}
