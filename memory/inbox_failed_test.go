package memory

import (
	"errors"
	"testing"

	"familiar/memory/internal/dbtest"

	"familiar/memory/internal/db"
)

func TestADeadLetterDoesNotBlockTheNext(t *testing.T) {
	s := newStore(dbtest.Open(t))
	bad, next := dbtest.Message("main", "bad", "boom"), dbtest.Message("main", "next", "hello")
	for _, m := range []string{"bad", "next"} {
		if _, err := s.Log.Accept(t.Context(), "mira", dbtest.Message("main", m, m)); err != nil {
			t.Fatal(err)
		}
	}
	waiting, err := s.Log.Pending(t.Context(), "mira", bad.Room, 10)
	if err != nil || len(waiting) != 2 {
		t.Fatalf("waiting %+v, %v", waiting, err)
	}
	for want := 1; want <= 3; want++ {
		if n, err := s.Log.MarkInboxFailed(t.Context(), waiting[0].ID, "panic: boom"); err != nil || n != want {
			t.Errorf("failed %d times, %v, want %d", n, err, want)
		}
	}
	if again, err := s.Log.Pending(t.Context(), "mira", bad.Room, 10); err != nil || len(again) != 2 {
		t.Errorf("a failed message does not wait any more: %+v, %v", again, err)
	}
	if err := s.Log.MarkInboxDead(t.Context(), waiting[0].ID, "panic: boom"); err != nil {
		t.Fatal(err)
	}
	counts, err := s.Log.CountInbox(t.Context(), "mira")
	if c := counts[waiting[0].Message.Room.Channel]; err != nil || c.Waiting != len(waiting)-1 || c.Dead != 1 || !c.Oldest.Equal(waiting[1].Received) {
		t.Errorf("counted %+v, %v", counts, err)
	}
	left, err := s.Log.Pending(t.Context(), "mira", bad.Room, 10)
	if err != nil || len(left) != 1 || left[0].Message.ID != next.ID {
		t.Errorf("waiting afterwards %+v, %v", left, err)
	}
	if st, err := s.Lifecycle.Stats(t.Context(), "mira"); err != nil || st.Dead != 1 || st.Pending != 1 {
		t.Errorf("counted %+v, %v", st, err)
	}
	if fresh, err := s.Log.Accept(t.Context(), "mira", bad); err != nil || fresh {
		t.Errorf("it came back as new: %v, %v", fresh, err)
	}
	_, failed := s.Log.MarkInboxFailed(t.Context(), waiting[0].ID, "late")
	if dead := s.Log.MarkInboxDead(t.Context(), waiting[0].ID, "late"); !errors.Is(failed, db.ErrNotFound) || !errors.Is(dead, db.ErrNotFound) {
		t.Errorf("failed and given up again: %v, %v", failed, dead)
	}
}
