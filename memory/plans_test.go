package memory

import (
	"errors"
	"strings"
	"testing"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/internal/dbtest"
	"familiar/memory/model"
)

// TestQueuesAreReadByIndex limits the queries of every turn to the rows that wait: inbox and outbox keep finished rows,
// and a scan would grow with them.
func TestQueuesAreReadByIndex(t *testing.T) {
	dbtest.OnSQLite(t)
	s := newStore(dbtest.Open(t))
	// The prepared statements of the store are the queries it runs.
	room := dbtest.Message("main", "e", "").Room
	for name, run := range map[string]func() error{
		"pending": func() error { _, err := s.Log.Pending(t.Context(), "mira", room, 1); return err },
		"rooms":   func() error { _, err := s.Log.PendingRooms(t.Context(), "mira"); return err },
		"say":     func() error { _, err := s.Log.NextOutbox(t.Context(), "mira", 1); return ignoreMissing(err) },
		"allowed": func() error {
			_, err := s.Log.IsAllowed(t.Context(), channels.Handle{Channel: "console", ID: "ada"})
			return err
		},
		"answered": func() error {
			_, _, err := s.Log.CountAnswers(t.Context(), "mira", room, channels.Handle{Channel: "console", ID: "ada"}, dbtest.Monday)
			return err
		},
		"direct": func() error { _, err := s.Log.DirectRoom(t.Context(), "console", 1); return ignoreMissing(err) },
		"let go": func() error { _, err := s.Turns.TrimInferences(t.Context(), "mira", model.Lesson, 50); return err },
		"marks":  func() error { _, err := s.Lifecycle.Cursors(t.Context(), "mira", "dream"); return err },
		"mouths": func() error { _, err := s.Log.OutboxRooms(t.Context(), "mira"); return err },
	} {
		if err := run(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	checked := queries(t, s, func(step string) bool {
		return strings.HasPrefix(step, "SCAN") && !strings.Contains(step, "_pending") && step != "SCAN CONSTANT ROW"
	})
	if checked < 3 {
		t.Errorf("only %d queries were looked at", checked)
	}
}

// TestJobsReadWhatIsDue limits what jobs read several times a day, and at each session end, to less than all talk of a
// persona.
func TestJobsReadWhatIsDue(t *testing.T) {
	dbtest.OnSQLite(t)
	s := newStore(dbtest.Open(t))
	for name, run := range map[string]func() error{
		"idle": func() error { _, err := s.Turns.IdleSessions(t.Context(), "mira", dbtest.Monday, 0); return err },
		"due": func() error {
			_, err := s.Turns.DueLoops(t.Context(), "mira", dbtest.Monday, dbtest.Monday)
			return err
		},
		"before": func() error {
			_, err := s.Turns.RaisedSubjects(t.Context(), "mira", "nothing to say", "loop:1:ahead", "loop:2:after")
			return err
		},
		"tally": func() error { _, err := s.Turns.Tally(t.Context(), model.Session{ID: 1, Persona: "mira"}); return err },
	} {
		if err := run(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	checked := queries(t, s, func(step string) bool {
		return strings.HasPrefix(step, "SCAN") || strings.HasSuffix(step, "(persona=?)")
	})
	if checked < 6 {
		t.Errorf("only %d queries were looked at", checked)
	}
}

// queries checks the plans of all prepared reads of the store against tooMuch and returns how many there are.
func queries(t *testing.T, s *Store, tooMuch func(step string) bool) (checked int) {
	t.Helper()
	err := s.db.EachStatement(t.Context(), func(tx *db.Tx, query string) {
		if !strings.HasPrefix(query, "SELECT") {
			return
		}
		checked++
		for _, step := range dbtest.Plan(t, tx, query) {
			if tooMuch(step) {
				t.Errorf("%s\nreads with %q", query, step)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return checked
}

func ignoreMissing(err error) error {
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	return err
}
