package memory_test

import (
	"fmt"
	"testing"
	"time"

	"familiar/memory/log"
	"familiar/memory/memorytest"
)

// TestIgnoredGroupsAreCountedAndBounded has more groups talk than are recorded, one of them again and again.
func TestIgnoredGroupsAreCountedAndBounded(t *testing.T) {
	clock := &memorytest.Clock{}
	s := memorytest.OpenAt(t, clock)
	note := func(channel, id, title string, times int) {
		t.Helper()
		if err := s.Log.NoteIgnoredRoom(t.Context(), log.IgnoredRoom{Channel: channel, ID: id, Title: title, Count: times}); err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Minute)
	}
	note("net", "club", "The club", 1)
	note("other", "club", "", 1)
	for i := range 60 {
		note("net", fmt.Sprint(i), "", 1)
		note("net", "club", "", 2) // its title is remembered
	}
	last := clock.Now().Add(-time.Minute)
	rooms, err := s.Log.IgnoredRooms(t.Context())
	if err != nil || len(rooms) != 51 {
		t.Fatalf("%d rooms, %v", len(rooms), err)
	}
	if want := (log.IgnoredRoom{Channel: "net", ID: "club", Title: "The club", Count: 121, Last: last}); rooms[0] != want {
		t.Errorf("first is %+v, want %+v", rooms[0], want)
	}
	if rooms[1].ID != "59" || rooms[49].ID != "11" || rooms[50].Channel != "other" {
		t.Errorf("then %+v, at the end %+v", rooms[1], rooms[49:])
	}
	clock.Advance(31 * 24 * time.Hour)
	note("net", "club", "", 1)
	if _, err := s.Eraser.Prune(t.Context(), clock.Now()); err != nil {
		t.Fatal(err)
	}
	if rooms, err = s.Log.IgnoredRooms(t.Context()); err != nil || len(rooms) != 1 || rooms[0].Count != 122 {
		t.Errorf("after a month: %+v, %v", rooms, err)
	}
}
