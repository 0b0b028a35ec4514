package memory_test

import (
	"fmt"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/memorytest"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// town is a store with people talking in rooms.
type town struct {
	*memory.Store
	t     testing.TB
	clock *memorytest.Clock
	n     int // messages so far
}

func newTown(t testing.TB) *town {
	clock := new(memorytest.Clock)
	return &town{Store: memorytest.OpenAt(t, clock), t: t, clock: clock}
}

// message is the next thing somebody says, a minute after the last: in their direct room for place "", else in the
// group of that name.
func (w *town) message(place, who, text string) channels.Message {
	w.clock.Advance(time.Minute)
	w.n++
	m := channels.Message{
		ID: fmt.Sprintf("m%d", w.n), Room: channels.Room{Channel: "console", ID: "dm/" + who}, Direct: true,
		Author: channels.Author{Handle: channels.Handle{Channel: "console", ID: who}, Name: who},
		Text:   text, At: w.clock.Now(), Addressed: true,
	}
	if place != "" {
		m.Room.ID, m.Direct, m.RoomTitle = "group/"+place, false, place
	}
	return m
}

// turn is a turn hearing one message that makes the given claims, with a reply.
func (w *town) turn(persona string, m channels.Message, claims ...understand.Claim) memory.Turn {
	w.t.Helper()
	person, room, err := w.Enter(w.t.Context(), m)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.Accept(w.t.Context(), persona, m); err != nil {
		w.t.Fatal(err)
	}
	pending, err := w.Pending(w.t.Context(), persona, m.Room, 100)
	if err != nil {
		w.t.Fatal(err)
	}
	heard := memory.HeardMessage{Message: m, PersonID: person.ID, Filing: memory.Filing{
		Sector: memory.Episodic, Salience: 0.5, Reading: understand.Analysis{Claims: claims},
	}}
	for _, p := range pending {
		if p.Message.ID == m.ID {
			heard.InboxID = p.ID
		}
	}
	return memory.Turn{
		Persona: persona, Room: room, SessionID: w.session(persona, room.ID), Started: w.clock.Now(), Asker: person.ID,
		Heard: []memory.HeardMessage{heard}, Voice: "plain",
		Reply: &memory.Reply{Key: "r-" + persona + "-" + m.ID, Text: "I see.", At: w.clock.Now()},
		Relate: map[int64]func(memory.Relationship) memory.Relationship{person.ID: func(r memory.Relationship) memory.Relationship {
			r.Messages++
			return r
		}},
	}
}

// session is the room's open session, 0 when there is none.
func (w *town) session(persona string, room int64) int64 {
	w.t.Helper()
	s, err := w.Sessions(w.t.Context(), memory.SessionFilter{Persona: persona, Room: room, Open: true})
	if err != nil {
		w.t.Fatal(err)
	}
	if len(s) == 0 {
		return 0
	}
	return s[0].ID
}

func (w *town) record(turn memory.Turn) memory.Recorded {
	w.t.Helper()
	r, err := w.RecordTurn(w.t.Context(), turn)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// say records one turn of mira's.
func (w *town) say(place, who, text string, claims ...understand.Claim) memory.Recorded {
	w.t.Helper()
	return w.record(w.turn("mira", w.message(place, who, text), claims...))
}

// hearing is what mira may speak of in somebody's direct room, or in a group.
func (w *town) hearing(place, who string) memory.Hearing {
	w.t.Helper()
	room, err := w.RoomOf(w.t.Context(), w.message(place, who, "").Room)
	if err != nil {
		w.t.Fatal(err)
	}
	h, err := w.Hearing(w.t.Context(), "mira", room.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	return h
}

func (w *town) person(who string) int64 {
	w.t.Helper()
	p, err := w.PersonByHandle(w.t.Context(), channels.Handle{Channel: "console", ID: who})
	if err != nil {
		w.t.Fatal(err)
	}
	return p.ID
}

// memoryOf is the memory made of the latest thing said.
func (w *town) memoryOf(text string) memory.Memory {
	w.t.Helper()
	found, err := w.ListMemories(w.t.Context(), memory.MemoryFilter{Text: text, Limit: 1})
	if err != nil || len(found) != 1 {
		w.t.Fatalf("memories of %q: %v, %v", text, found, err)
	}
	return found[0]
}

func fact(relation, value string) understand.Claim {
	return understand.Claim{Kind: rel.Fact, Relation: relation, Value: value, Quote: value}
}

func of(subject string, c understand.Claim) understand.Claim {
	c.Subject = subject
	return c
}

// firstOut is what comes first to be said in the lowest room where something waits, zero when nothing waits.
func (w *town) firstOut() memory.Out {
	w.t.Helper()
	rooms, err := w.OutboxRooms(w.t.Context(), "mira")
	if err != nil {
		w.t.Fatal(err)
	}
	if len(rooms) == 0 {
		return memory.Out{}
	}
	out, err := w.FirstOut(w.t.Context(), "mira", rooms[0].ID)
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}
