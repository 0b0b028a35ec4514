package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/belief"
	"familiar/memory/internal/db"
	"familiar/memory/internal/dbtest"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// TestTurnsAreReadByIndex limits every statement of a turn, its reads before and its writes, to the rows it needs: a
// scan would make each message slower than the one before.
func TestTurnsAreReadByIndex(t *testing.T) {
	dbtest.OnSQLite(t)
	s := newStore(dbtest.Open(t))
	ctx := t.Context()
	at := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	for n, place := range []string{"group", "other", "dm"} {
		m := channels.Message{
			ID: fmt.Sprint(n), Room: channels.Room{Channel: "console", ID: place}, Direct: place == "dm", At: at, Text: "hello",
			Author: channels.Author{Handle: channels.Handle{Channel: "console", ID: "ann"}, Name: "Ann"},
		}
		person, room, err := s.Turns.UpsertParticipant(ctx, m)
		if err != nil {
			t.Fatal(err)
		}
		h, err := s.Log.Visibility(ctx, "mira", room.ID)
		if err != nil {
			t.Fatal(err)
		}
		readForTurn(ctx, t, s, h, person.ID)
		_, err = s.Turns.RecordTurn(ctx, turns.Turn{
			Persona: "mira", Room: room, Asker: person.ID,
			Heard: []model.AnnotatedMessage{{Message: m, PersonID: person.ID, Annotation: model.Annotation{Analysis: understand.Analysis{Claims: []understand.Claim{
				{Kind: rel.Fact, Relation: "lives_in", Value: "Bonn", Quote: "Bonn"},
				{Kind: rel.Fact, Value: "Oslo", Corrects: "Bonn", Correction: true, Subject: "Ann"},
				{Kind: rel.Plan, Relation: "plan", Value: "trip", Many: true},
			}}}}},
			Reply: &model.Reply{Key: "r" + m.ID, Text: "hello"},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	checked := 0
	err := s.db.EachStatement(ctx, func(tx *db.Tx, query string) {
		if verb, _, _ := strings.Cut(query, " "); !slices.Contains([]string{"SELECT", "INSERT", "UPDATE", "DELETE"}, verb) {
			return
		}
		checked++
		if strings.Contains(query, "LIMIT ?") && !strings.Contains(query, "LIMIT ? + 0") {
			t.Errorf("%s\nis prepared again for each limit", query)
		}
		for _, step := range dbtest.Plan(t, tx, query) {
			if strings.HasPrefix(step, "SCAN") && !strings.HasPrefix(step, "SCAN CONSTANT") {
				t.Errorf("%s\nreads with %q", query, step)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked < 20 {
		t.Errorf("only %d statements were looked at", checked)
	}
}

func readForTurn(ctx context.Context, t *testing.T, s *Store, h scope.Visibility, person int64) {
	t.Helper()
	for name, read := range map[string]func() error{
		"session": func() error { _, err := s.Turns.IdleSessions(ctx, "mira", time.Now(), 1); return err },
		"recent":  func() error { _, err := s.Recall.Recent(ctx, h, 10); return err },
		"loops":   func() error { _, err := s.Beliefs.Loops(ctx, h, person); return err },
		"greeted": func() error { _, err := s.Entries.Greeted(ctx, "mira", person); return err },
		"beliefs": func() error {
			_, err := s.Beliefs.Beliefs(ctx, h, belief.Filter{SubjectPerson: person})
			return err
		},
		"named":    func() error { _, err := s.Beliefs.Beliefs(ctx, h, belief.Filter{Subject: "Bob"}); return err },
		"replaced": func() error { _, err := s.ReplacedValues(ctx, h); return err },
		"inferred": func() error { _, err := s.Lifecycle.InferencesAbout(ctx, h, person, model.Lesson, 20); return err },
		"memories": func() error { _, err := s.Recall.MemoriesFor(ctx, h, 10); return err },
	} {
		if err := read(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}
