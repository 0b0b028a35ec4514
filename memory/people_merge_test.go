package memory_test

import (
	"slices"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/jobrun"
	"familiar/memory/model"
)

// enter returns the author of m.
func (w *town) enter(m channels.Message) model.Person {
	w.t.Helper()
	person, _, err := w.Turns.UpsertParticipant(w.t.Context(), m)
	if err != nil {
		w.t.Fatal(err)
	}
	return person
}

// TestW2BothIDsAreOnePersonAtOnce: the network gives two ids of an author who was met under one of them,
// or under each.
func TestW2BothIDsAreOnePersonAtOnce(t *testing.T) {
	number := func(m channels.Message) channels.Message { m.Author.Handle.ID = "+1555"; return m }
	hidden := func(m channels.Message) channels.Message { m.Author.Handle.ID = "hidden"; return m }
	both := func(m channels.Message) channels.Message { m.Author.Alias = "+1555"; return hidden(m) }
	for name, met := range map[string][]func(channels.Message) channels.Message{
		"by the number":               {number},
		"by the hidden id":            {hidden},
		"by each":                     {number, hidden},
		"by each, the other first":    {hidden, number},
		"by both, and by each before": {number, hidden, both, number},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t)
			bob := w.message("club", "bob", "Hello.")
			w.enter(bob)
			for _, as := range met {
				w.enter(as(w.message("club", "ann", "Hello.")))
			}
			now := w.enter(both(w.message("club", "ann", "It is me.")))
			again := w.enter(hidden(w.message("pub", "ann", "Me again.")))
			people, err := w.Log.People(t.Context())
			if err != nil || len(people) != 2 || now.ID != again.ID {
				t.Fatalf("they are persons %d and %d of %+v, %v", now.ID, again.ID, people, err)
			}
			if slices.ContainsFunc(met, func(as func(channels.Message) channels.Message) bool { return as(bob).Author.Handle.ID == "+1555" }) {
				if then := w.enter(number(w.message("club", "ann", "From the old phone."))); then.ID != now.ID {
					t.Errorf("by the number they are person %d, not %d", then.ID, now.ID)
				}
			}
		})
	}
}

// TestAConfiguredTimezoneSurvivesAMerge: under one id they mentioned a place, under the other they set their
// timezone.
func TestAConfiguredTimezoneSurvivesAMerge(t *testing.T) {
	number := func(m channels.Message) channels.Message { m.Author.Handle.ID = "+1555"; return m }
	w := newTown(t)
	set := w.enter(w.message("club", "ann", "Hello."))
	w.enter(number(w.message("club", "ann", "Hello.")))
	if err := w.Log.SetTimezone(t.Context(), set.ID, "Asia/Tokyo", time.UTC); err != nil {
		t.Fatal(err)
	}
	if _, err := w.db().Exec(`UPDATE people SET timezone = 'Europe/Berlin' WHERE id <> ?`, set.ID); err != nil {
		t.Fatal(err)
	}
	both := w.message("club", "ann", "It is me.")
	both.Author.Alias = "+1555"
	if now := w.enter(both); now.Timezone != "Asia/Tokyo" || now.TimezoneSetAt.IsZero() {
		t.Errorf("now it is %q, set %v", now.Timezone, now.TimezoneSetAt)
	}
}

// TestUnreadMessagesAreReadAfterAMerge: a job was interrupted after it had read what was said under one id
// only.
func TestUnreadMessagesAreReadAfterAMerge(t *testing.T) {
	number := func(m channels.Message) channels.Message { m.Author.Handle.ID, m.Room.ID = "+1555", "+1555"; return m }
	w := newTown(t)
	unread := w.record(w.turn("mira", w.message("", "ann", "I dig.")))
	read := w.record(w.turn("mira", number(w.message("", "ann", "I play chess."))))
	known, err := w.Log.MemoriesFromMessages(t.Context(), read.MessageIDs)
	if err != nil || len(known) != 1 {
		t.Fatal(known, err)
	}
	m, err := w.Entries.Memory(t.Context(), known[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Lifecycle.Infer(t.Context(), "mira", 1, nil, jobrun.Cursor{Job: "reflect", Audience: m.Audience, Memory: m.ID}); err != nil {
		t.Fatal(err)
	}
	both := w.message("", "ann", "It is me.")
	both.Author.Alias = "+1555"
	w.enter(both)
	news, _, err := w.Lifecycle.Backlog(t.Context(), "mira", "reflect")
	if err != nil || len(news) != 1 || news[0].Memories < len(unread.MessageIDs) {
		t.Errorf("left to read is %+v, %v", news, err)
	}
}

// TestUnreadMessagesAreReadAfterARoomMoved: a job has read what was said in one room only when both become one.
func TestUnreadMessagesAreReadAfterARoomMoved(t *testing.T) {
	w := newTown(t)
	w.say("old", "ann", "I dig.") // unread
	read := w.say("new", "ann", "I play chess.")
	known, err := w.Log.MemoriesFromMessages(t.Context(), read.MessageIDs)
	if err != nil || len(known) != 1 {
		t.Fatal(known, err)
	}
	m, err := w.Entries.Memory(t.Context(), known[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Lifecycle.Infer(t.Context(), "mira", 1, nil, jobrun.Cursor{Job: "reflect", Audience: m.Audience, Memory: m.ID}); err != nil {
		t.Fatal(err)
	}
	from, to := w.message("new", "ann", "").Room, w.message("old", "ann", "").Room
	if _, err := w.Log.MoveRoom(t.Context(), from, to.ID); err != nil {
		t.Fatal(err)
	}
	news, _, err := w.Lifecycle.Backlog(t.Context(), "mira", "reflect")
	if err != nil || len(news) != 1 || news[0].Memories < 1 {
		t.Errorf("left to read is %+v, %v", news, err)
	}
}

// TestW2AReassignedNumberMergesNobody: a person known under another account is not the number's present
// owner.
func TestW2AReassignedNumberMergesNobody(t *testing.T) {
	w := newTown(t)
	said := func(id, alias string) model.Person {
		m := w.message("club", id, "Hello.")
		m.Author.Alias = alias
		return w.enter(m)
	}
	said("+1555", "")
	ann := said("hidden-ann", "+1555")
	bob := said("hidden-bob", "+1555")
	if ann.ID == bob.ID {
		t.Error("the person who has Ann's number now is taken for Ann")
	}
	cleo := said("hidden-cleo", "+1666")
	dora := said("+1777", "")
	said("hidden-dora", "+1777")
	if moved := said("hidden-dora", "+1666"); moved.ID != dora.ID || moved.ID == cleo.ID {
		t.Errorf("with another number Dora is person %d, not %d", moved.ID, dora.ID)
	}
	erin := said("+1888", "")
	if moved := said("hidden-dora", "+1888"); moved.ID != dora.ID || moved.ID == erin.ID {
		t.Error("with Erin's old number Dora is taken for Erin")
	}
}
