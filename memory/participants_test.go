package memory_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/memory/turns"
)

// stored returns what is stored about people and rooms.
func (w *town) stored() (rows string) {
	w.t.Helper()
	lines := strings.Split(contents(w.t, w), "\n")
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool {
		table, _, _ := strings.Cut(line, " ")
		return !slices.Contains([]string{"people", "handles", "rooms", "room_people"}, table)
	}), "\n")
}

// TestAParticipantIsOutdatedOnlyIfSomethingMustBeStored looks up the author and the room of a message: Participant fails
// with ErrOutdated exactly if UpsertParticipant then stores something. Afterwards both return the same.
func TestAParticipantIsOutdatedOnlyIfSomethingMustBeStored(t *testing.T) {
	for _, tt := range []struct {
		name     string
		outdated bool
		place    string
		change   func(*town, *channels.Message)
	}{
		{name: "nothing new"},
		{name: "nothing new in a group", place: "club"},
		{"new person", true, "", func(_ *town, m *channels.Message) { m.Author.Handle.ID, m.Room.ID = "eve", "dm/eve" }},
		{"new person in a known group", true, "club", func(_ *town, m *channels.Message) { m.Author.Handle.ID = "eve" }},
		{"new name", true, "", func(_ *town, m *channels.Message) { m.Author.Name = "Annie" }},
		{"name that reads the same", false, "", func(_ *town, m *channels.Message) { m.Author.Name = " ann\u200b " }},
		{"new room", true, "", func(_ *town, m *channels.Message) { m.Room.ID = "dm/ann/2" }},
		{"new thread", true, "club", func(_ *town, m *channels.Message) { m.Room.Thread = "7" }},
		{"new title", true, "club", func(_ *town, m *channels.Message) { m.RoomTitle = "The club" }},
		{"no title", false, "club", func(_ *town, m *channels.Message) { m.RoomTitle = "" }},
		{"first words in a known group", true, "club", func(_ *town, m *channels.Message) { m.Author.Handle.ID, m.Author.Name = "ben", "ben" }},
		{"not seen for long", true, "", func(_ *town, m *channels.Message) { m.At = m.At.Add(log.LastSeenInterval) }},
		{"seen lately", false, "", func(_ *town, m *channels.Message) { m.At = m.At.Add(log.LastSeenInterval - time.Hour) }},
		{"arrival", false, "", func(_ *town, m *channels.Message) { m.Arrival = true }},
		{"blocked", true, "", func(w *town, _ *channels.Message) {
			if err := w.Log.MarkBlocked(w.t.Context(), w.person("ann")); err != nil {
				w.t.Fatal(err)
			}
		}},
		{"alias of another person", true, "", func(w *town, m *channels.Message) { m.Author.Alias = "old-ann" }},
		{"alias of nobody", false, "", func(_ *town, m *channels.Message) { m.Author.Alias = "nobody" }},
		{"proactive", false, "", func(_ *town, m *channels.Message) {
			m.Arrival, m.Proactive, m.At = true, "loop:1:after", m.At.Add(24*time.Hour)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newTown(t)
			w.say("", "ben", "Hello.")
			w.say("club", "ann", "Hello.")
			old := w.message("", "old-ann", "Hello.")
			old.Author.Handle = channels.Handle{Channel: "console", ID: "old-ann"}
			w.record(w.turn("mira", old))
			w.say("", "ann", "Hello.")
			m := w.message(tt.place, "ann", "Again.")
			if tt.change != nil {
				tt.change(w, &m)
			}
			before := w.stored()
			_, _, err := w.Turns.Participant(t.Context(), m)
			if got := errors.Is(err, turns.ErrOutdated); got != tt.outdated || err != nil && !got {
				t.Errorf("Participant: %v, want ErrOutdated %v", err, tt.outdated)
			}
			if after := w.stored(); after != before {
				t.Errorf("Participant stored something: %s\nbefore: %s", after, before)
			}
			person, room, err := w.Turns.UpsertParticipant(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			if after := w.stored(); (after != before) != tt.outdated {
				t.Errorf("UpsertParticipant left %s\nof %s", after, before)
			}
			samePerson, sameRoom, err := w.Turns.Participant(t.Context(), m)
			if err != nil || !reflect.DeepEqual(samePerson, person) || sameRoom != room {
				t.Errorf("then Participant returns %+v, %+v, %v\nUpsertParticipant returned %+v, %+v", samePerson, sameRoom, err, person, room)
			}
			var in memory.Visibility
			if in, err = w.Log.VisibilityIn(t.Context(), "mira", room); err != nil {
				t.Fatal(err)
			}
			if byID, err := w.Log.Visibility(t.Context(), "mira", room.ID); err != nil || !reflect.DeepEqual(in, byID) {
				t.Errorf("the room's visibility is %+v, by ID %+v, %v", in, byID, err)
			}
		})
	}
}

// TestAProactiveMessageToAnUnknownRoomIsNotOutdated sends the persona itself to a room or a person that is gone: storing
// either is not its business.
func TestAProactiveMessageToAnUnknownRoomIsNotOutdated(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "Hello.")
	for _, change := range []func(*channels.Message){
		func(m *channels.Message) { m.Room.ID = "dm/other" },
		func(m *channels.Message) { m.Author.Handle.ID = "eve" },
	} {
		m := w.message("", "ann", "")
		m.Arrival, m.Proactive = true, "loop:1:after"
		change(&m)
		before := w.stored()
		_, _, read := w.Turns.Participant(t.Context(), m)
		_, _, upsert := w.Turns.UpsertParticipant(t.Context(), m)
		if !errors.Is(read, memory.ErrNotFound) || !errors.Is(upsert, memory.ErrNotFound) {
			t.Errorf("Participant: %v, UpsertParticipant: %v, want ErrNotFound", read, upsert)
		}
		if after := w.stored(); after != before {
			t.Errorf("stored %s", after)
		}
	}
}

// TestSomebodyElseInADirectRoomIsNotOutdated lets another person write in a direct room.
func TestSomebodyElseInADirectRoomIsNotOutdated(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "Hello.")
	w.say("", "ben", "Hello.")
	m := w.message("", "ben", "It is me.")
	m.Room.ID = "dm/ann"
	if _, _, err := w.Turns.Participant(t.Context(), m); err == nil || errors.Is(err, turns.ErrOutdated) {
		t.Errorf("got %v", err)
	}
}
