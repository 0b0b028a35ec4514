package log

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"familiar/memory/internal/dbtest"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// outboxRooms creates two groups, 1 and 2.
func outboxRooms(t *testing.T, s *Store) {
	t.Helper()
	err := s.db.Write(t.Context(), "make rooms", func(tx *db.Tx) error {
		for i := range 2 {
			if _, err := tx.Exec(`INSERT INTO rooms (id, channel, room, thread, direct, created_at)
				VALUES (?, 'console', ?, 't', 0, 0)`, i+1, fmt.Sprintf("r%d", i+1)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func enqueue(t *testing.T, s *Store, persona string, room int64, key string) (id int64) {
	t.Helper()
	err := s.db.Write(t.Context(), "enqueue", func(tx *db.Tx) (err error) {
		id, err = Enqueue(tx, persona, room, 0, model.Reply{Key: key, Text: "text of " + key, ReplyTo: "e9"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// due lists the keys due at a time after dbtest.Monday.
func due(t *testing.T, s *Store, after time.Duration) []string {
	t.Helper()
	keys := []string{}
	for _, o := range firsts(t, s) {
		if !o.NotBefore.After(dbtest.Monday.Add(after)) {
			keys = append(keys, o.Key)
		}
	}
	return keys
}

// firsts returns the first entry of each room, in the order they were queued.
func firsts(t *testing.T, s *Store) (outs []OutboxEntry) {
	t.Helper()
	rooms, err := s.OutboxRooms(t.Context(), "mira")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rooms {
		o, err := s.NextOutbox(t.Context(), "mira", r.ID)
		if err != nil || o.Room != r {
			t.Fatalf("first in %+v: %+v, %v", r, o, err)
		}
		outs = append(outs, o)
	}
	slices.SortFunc(outs, func(a, b OutboxEntry) int { return cmp.Compare(a.ID, b.ID) })
	return outs
}

func expectDue(t *testing.T, s *Store, after time.Duration, want ...string) {
	t.Helper()
	if got := due(t, s, after); !reflect.DeepEqual(got, append([]string{}, want...)) {
		t.Errorf("due after %v: %v, want %v", after, got, want)
	}
}

func TestOutboxKeepsTheOrderOfEachRoom(t *testing.T) {
	s := New(dbtest.Open(t))
	outboxRooms(t, s)
	a := enqueue(t, s, "mira", 1, "a")
	enqueue(t, s, "mira", 1, "b")
	c := enqueue(t, s, "mira", 2, "c")
	enqueue(t, s, "otto", 1, "theirs")
	expectDue(t, s, 0, "a", "c")

	if err := s.MarkOutboxFailed(t.Context(), a, FailedAttempt{Cause: "timeout", NotBefore: dbtest.Monday.Add(time.Minute)}); err != nil {
		t.Fatal(err)
	}
	expectDue(t, s, 0, "c") // b waits behind a
	expectDue(t, s, time.Minute, "a", "c")
	if err := errors.Join(s.MarkChunkSent(t.Context(), OutboxEntry{ID: a}, SentChunk{Index: 1}), s.MarkChunkSent(t.Context(), OutboxEntry{ID: c}, SentChunk{Last: true})); err != nil {
		t.Fatal(err)
	}
	outs := firsts(t, s)
	want := []OutboxEntry{{
		ID: a, Persona: "mira", Room: model.Room{ID: 1, Room: channels.Room{Channel: "console", ID: "r1", Thread: "t"}}, Key: "a",
		Text: "text of a", ReplyTo: "e9", ChunksSent: 2, Attempts: 1, NotBefore: dbtest.Monday.Add(time.Minute),
		LastError: "timeout", Created: dbtest.Monday,
	}}
	if !reflect.DeepEqual(outs, want) {
		t.Errorf("got %+v\nwant %+v", outs, want)
	}

	if err := s.MarkOutboxDead(t.Context(), a, "blocked by the user"); err != nil {
		t.Fatal(err)
	}
	expectDue(t, s, 0, "b")
	dead, err := s.DeadLetters(t.Context(), "mira")
	if err != nil || len(dead) != 1 || dead[0].Key != "a" || dead[0].LastError != "blocked by the user" || dead[0].Attempts != 2 {
		t.Errorf("dead letters %+v, %v", dead, err)
	}
}

func TestOutboxChangesOnlyWhatIsPending(t *testing.T) {
	s := New(dbtest.Open(t))
	outboxRooms(t, s)
	id := enqueue(t, s, "mira", 1, "a")
	if err := s.MarkChunkSent(t.Context(), OutboxEntry{ID: id}, SentChunk{Last: true}); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"sent":   s.MarkChunkSent(t.Context(), OutboxEntry{ID: id}, SentChunk{Last: true}),
		"chunk":  s.MarkChunkSent(t.Context(), OutboxEntry{ID: id}, SentChunk{}),
		"failed": s.MarkOutboxFailed(t.Context(), id, FailedAttempt{Cause: "late"}),
		"dead":   s.MarkOutboxDead(t.Context(), id, "late"),
		"none":   s.MarkChunkSent(t.Context(), OutboxEntry{ID: 99}, SentChunk{Last: true}),
	} {
		if !errors.Is(err, db.ErrNotFound) {
			t.Errorf("%s: got %v, want ErrNotFound", name, err)
		}
	}
	if _, err := s.NextOutbox(t.Context(), "mira", 1); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("the first of an empty outbox: %v, want ErrNotFound", err)
	}
}

func TestOutboxTakesAKeyOnce(t *testing.T) {
	s := New(dbtest.Open(t))
	outboxRooms(t, s)
	enqueue(t, s, "mira", 1, "a")
	err := s.db.Write(t.Context(), "enqueue again", func(tx *db.Tx) error {
		_, err := Enqueue(tx, "mira", 2, 0, model.Reply{Key: "a", Text: "again"})
		return err
	})
	if err == nil {
		t.Error("one key was queued twice")
	}
	expectDue(t, s, 0, "a")
}

// TestA8TheOutboxRemembersAnUnknownOutcome keeps it over later failures, until the chunk is confirmed.
func TestA8TheOutboxRemembersAnUnknownOutcome(t *testing.T) {
	s := New(dbtest.Open(t))
	outboxRooms(t, s)
	a := enqueue(t, s, "mira", 1, "a")
	expect := func(maybe bool, lastError string) {
		t.Helper()
		o, err := s.NextOutbox(t.Context(), "mira", 1)
		if err != nil || o.MaybeShown != maybe || o.LastError != lastError {
			t.Errorf("maybe shown %v after %q, %v, want %v after %q", o.MaybeShown, o.LastError, err, maybe, lastError)
		}
	}
	fail := func(f FailedAttempt) {
		t.Helper()
		if err := s.MarkOutboxFailed(t.Context(), a, f); err != nil {
			t.Fatal(err)
		}
	}
	fail(FailedAttempt{Cause: "refused"})
	expect(false, "refused")
	fail(FailedAttempt{Cause: "no answer", MaybeShown: true})
	expect(true, "may have been shown; no answer")
	fail(FailedAttempt{Cause: "refused"})
	expect(true, "may have been shown; refused")
	if err := s.MarkChunkSent(t.Context(), OutboxEntry{ID: a}, SentChunk{Index: 0}); err != nil {
		t.Fatal(err)
	}
	expect(false, "refused")
}
