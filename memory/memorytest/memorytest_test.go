package memorytest_test

import (
	"path/filepath"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/memorytest"
)

func TestClockMovesOnlyWhenMoved(t *testing.T) {
	var clock memorytest.Clock
	if !clock.Now().Equal(memorytest.Start) || memorytest.Start.Weekday() != time.Monday {
		t.Errorf("a new clock shows %v", clock.Now())
	}
	clock.Advance(time.Hour)
	if want := memorytest.Start.Add(time.Hour); !clock.Now().Equal(want) {
		t.Errorf("after an hour it shows %v", clock.Now())
	}
	then := time.Date(2027, 3, 1, 12, 0, 0, 0, time.FixedZone("", 3600))
	clock.Set(then)
	if !clock.Now().Equal(then) {
		t.Errorf("set to %v it shows %v", then, clock.Now())
	}
}

func TestTheStoreReadsTheClock(t *testing.T) {
	clock := new(memorytest.Clock)
	path := filepath.Join(t.TempDir(), "familiar.db")
	s := memorytest.OpenFile(t, path, clock)
	clock.Advance(time.Minute)
	m := channels.Message{
		ID: "e", Room: channels.Room{Channel: "console", ID: "main"},
		Author: channels.Author{Handle: channels.Handle{Channel: "console", ID: "ada"}},
	}
	if _, err := s.Log.Accept(t.Context(), "mira", m); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil { // a test may close it; the end of the test does not mind
		t.Fatal(err)
	}
	waiting, err := memorytest.OpenFile(t, path, clock).Log.Pending(t.Context(), "mira", m.Room, 10)
	if err != nil || len(waiting) != 1 || !waiting[0].Received.Equal(clock.Now()) {
		t.Errorf("waiting %+v, %v", waiting, err)
	}
}
