package memory_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/erase"
	"familiar/memory/turns"
)

// TestARevertedRunLeavesNothing has a second reading find a move, a plan and a summary, and reverts it. What was known
// before is known again, and nothing of the run is left in any table but its own row.
func TestARevertedRunLeavesNothing(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I live in Oslo", fact("lives_in", "Oslo"))
	w.clock.Advance(time.Hour)
	r := w.say("", "ann", "we are packing for Bonn")
	w.end(r, "standard")
	before := contents(t, w)

	run, err := w.Jobs.BeginRun(t.Context(), "mira", "refine", w.clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	read := w.reading(turns.TurnResult{SessionID: r.SessionID, MessageIDs: r.MessageIDs[:1]}, "ann", "Bonn")
	read.JobRun = run
	read.Claims[0].Quote = "Bonn"
	moving := plan("move to Bonn", w.clock.Now().AddDate(0, 0, 3))
	moving.Quote = "packing for Bonn"
	read.Claims = append(read.Claims, belief.AttributedClaim{
		Claim: moving, AuthorID: w.person("ann"), MessageID: r.MessageIDs[0], At: w.clock.Now(),
	})
	if _, err := w.Turns.RefineSession(t.Context(), read); err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{
		`INSERT INTO growth (persona, version, at, job_run_id, state) VALUES ('mira', 1, 1, NULL, '{}'), ('mira', 2, 2, ?1, '{}')`,
		`INSERT INTO outbox (persona, room_id, message_id, key, text, status, created_at)
			SELECT persona, room_id, id, 'k', '', 'pending', 1 FROM messages WHERE ?1 > 0 LIMIT 1`,
		`INSERT INTO unasked_decisions (persona, person_id, subject, reason, sent, message_id, job_run_id, first_at, at, times)
			SELECT 'mira', 1, 'loop:1:after', 'due', 1, message_id, ?1, 1, 1, 1 FROM outbox WHERE key = 'k'`,
	} {
		if _, err := w.db().Exec(q, run); err != nil {
			t.Fatal(err)
		}
	}

	made, err := w.Eraser.RunOutput(t.Context(), "mira", run)
	if err != nil || len(made.Memories) != 1 || len(made.Memories[0].Sources) != 1 || len(made.Evidence) != 2 ||
		made.Evidence[0].Value != "Bonn" || len(made.Loops) != 1 || made.Loops[0].Text != "move to Bonn" ||
		len(made.Growth) != 1 || len(made.Proactive) != 1 {
		t.Errorf("the run made %+v, %v", made, err)
	}
	lives := func(want string) {
		t.Helper()
		held, err := w.Beliefs.Beliefs(t.Context(), w.visibility("", "ann"), belief.Filter{Relations: []string{"lives_in"}})
		if err != nil || len(held) != 1 || held[0].Value != want {
			t.Errorf("they live in %+v, %v, want %s", held, err, want)
		}
	}
	lives("Bonn")
	want := erase.RevertResult{Memories: 1, Edges: len(made.Edges), Evidence: 2, Loops: 1, Growth: 1, Unsent: 1}
	if got, err := w.Eraser.Revert(t.Context(), "mira", run); err != nil || got != want {
		t.Errorf("took back %+v, %v, want %+v", got, err, want)
	}
	lives("Oslo")
	if loops, err := w.Beliefs.Loops(t.Context(), w.visibility("", "ann"), w.person("ann")); err != nil || len(loops) != 0 {
		t.Errorf("left open: %+v, %v", loops, err)
	}
	if sessions, err := w.Turns.UnreadSessions(t.Context(), "mira", w.clock.Now().Add(-time.Hour), 0); err != nil || len(sessions) != 0 {
		t.Errorf("sessions %+v, %v are read again", sessions, err)
	}
	if made, err := w.Eraser.RunOutput(t.Context(), "mira", run); err != nil || len(made.Memories)+len(made.Edges)+len(made.Evidence)+len(made.Loops)+len(made.Growth) != 0 {
		t.Errorf("left of it: %+v, %v", made, err)
	}
	if now := contents(t, w); len(rowsWith(now, "Bonn")) != len(rowsWith(before, "Bonn")) {
		t.Errorf("left of it:\n%s", rowsWith(now, "Bonn"))
	}
	if row, err := w.Jobs.Run(t.Context(), run); err != nil || !strings.Contains(row.Result, "reverted on ") {
		t.Errorf("the ledger says %+v, %v", row, err)
	}
	if _, err := w.Eraser.Revert(t.Context(), "mira", run); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("reverted twice: %v", err)
	}
	if _, err := w.Eraser.Revert(t.Context(), "tess", run); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("reverted from another persona: %v", err)
	}
}
