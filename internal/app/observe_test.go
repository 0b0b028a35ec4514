package app

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"familiar/channels"
)

func TestReadinessNamesWhatIsWrong(t *testing.T) {
	now, tries, full := time.Unix(1000, 0), 0, false
	states := map[string]channels.State{"telegram": {Phase: channels.Connected}, "webhook": {Phase: channels.Backfilling}}
	a := &App{Now: func() time.Time { return now }}
	r := &Readiness{States: func() map[string]channels.State { return states }, Now: a.Now, turn: make(chan struct{}, 1), CheckWritable: func(context.Context) error {
		tries++
		if full {
			return errors.New("the disk is full")
		}
		return nil
	}}
	r.turn <- struct{}{}
	expect := func(want ...string) {
		t.Helper()
		if got := r.Problems(t.Context()); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	expect()
	full = true
	expect() // it tried a moment ago
	now = now.Add(writableEvery)
	expect("nothing can be stored: the disk is full")
	full, now = false, now.Add(writableEvery)
	states["telegram"] = channels.State{Phase: channels.Refused, Problem: "the token is wrong"}
	states["discord"] = channels.State{} // it has not begun
	expect("discord is connecting", "telegram is refused: the token is wrong")
	if tries != 3 {
		t.Errorf("tried to write %d times, want 3", tries)
	}
	now = now.Add(-time.Hour) // the clock was set back
	expect("discord is connecting", "telegram is refused: the token is wrong")
	if tries != 4 {
		t.Errorf("tried to write %d times, want 4", tries)
	}
}
