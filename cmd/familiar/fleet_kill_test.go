package main

import (
	"encoding/json"
	"strings"
	"syscall"
	"testing"
	"time"

	"familiar/internal/lab/fleet"
	"familiar/internal/pgtest"
	"familiar/internal/torture"
)

// TestKillFleet kills processes that answer from one memory at random times, and sometimes the server of the memory. Nothing is lost, no
// reply is repeated that was recorded as shown, and each room gets its replies in order.
func TestKillFleet(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r, err := fleet.Run(t.Context(), fleet.Options{
		Binary: "familiar", Database: server.TCPURL(), Processes: 3, Rooms: 40, People: 20, Seed: seed,
		Kills: torture.Rounds(3, 200), Every: torture.Rounds(3, 10), Log: t.Logf,
		Restart: func() error { server.Kill(); server.Restart(); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", r)
	if r.Lost > 0 || r.Repeated > 0 || r.Disordered > 0 {
		t.Errorf("%d messages were lost, %d confirmed replies repeated, %d rooms out of order", r.Lost, r.Repeated, r.Disordered)
	}
	if r.Messages < 50 || r.Kills+r.Restarts != torture.Rounds(3, 200) {
		t.Errorf("only %d messages were answered, and %d kills made", r.Messages, r.Kills+r.Restarts)
	}
}

// TestRollingRestart stops and starts the processes one after the other while people talk, as an upgrade does: nothing is lost, and
// nothing is shown twice.
func TestRollingRestart(t *testing.T) {
	t.Parallel()
	r, err := fleet.Run(t.Context(), fleet.Options{
		Binary: "familiar", Database: pgtest.URL(t), Processes: 2, Rooms: 20, People: 10, Seed: 1, Rolling: torture.Rounds(1, 10), Log: t.Logf,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", r)
	if r.Lost > 0 || r.Repeated+r.Twice > 0 || r.Disordered > 0 || r.Messages < 20 || r.Stops != torture.Rounds(2, 20) {
		t.Errorf("%+v", r)
	}
}

// TestProcessesOfOneMemory has a second process with another persona refused, one that waits for a server that is not there, and one that
// stands still for a while.
func TestProcessesOfOneMemory(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	env := []string{"SERVER=" + server.TCPURL()}
	home := configure(t, "database: env:SERVER\n")
	server.Kill()
	waiting := start(t, home, env, "run")
	waiting.reports("the server of the memory cannot be reached")
	server.Restart()
	waiting.reports("msg=serving")
	other := configure(t, "database: env:SERVER\npersona: ambrose\n")
	refused := familiar(t, other, env, "", "run")
	if refused.code != 4 || !strings.Contains(refused.errs, "other personas are served from this memory") {
		t.Errorf("exit code %d: %s", refused.code, refused.errs)
	}
	beside := configure(t, "database: env:SERVER\n")
	second := start(t, beside, env, "run")
	second.reports("msg=serving")
	var status struct {
		Processes []struct{ Process string } `json:"processes"`
	}
	if err := json.Unmarshal([]byte(familiar(t, home, env, "", "status", "--json").must(t).out), &status); err != nil || len(status.Processes) != 2 {
		t.Errorf("the status lists %+v, %v", status.Processes, err)
	}
	// One that stood still for longer than it is waited for has lost its place, and comes back as a new process.
	second.signal(syscall.SIGSTOP)
	time.Sleep(6 * time.Second)
	second.signal(syscall.SIGCONT)
	second.reports("it starts again")
	eventually(t, "it serves again", func() bool { return strings.Count(second.errs.String(), "msg=serving") == 2 })
	for _, p := range []*child{waiting, second} {
		p.signal(syscall.SIGTERM)
		if code, _ := p.exit(); code != 0 {
			t.Errorf("exit code %d: %s", code, p.errs)
		}
	}
}
