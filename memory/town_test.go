package memory_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/log"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// town is a store with people talking in rooms.
type town struct {
	*memory.Store
	t     testing.TB
	clock *memorytest.Clock
	n     int // messages so far
	// dir has the attachments.
	dir string
	// server is the connection past a store on PostgreSQL, nil until it is needed.
	server *sql.DB
}

func newTown(t testing.TB) *town {
	clock, dir := new(memorytest.Clock), t.TempDir()
	return &town{Store: memorytest.OpenFile(t, filepath.Join(dir, "familiar.db"), clock), t: t, clock: clock, dir: dir}
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

// turn is a turn with one message that makes the given claims, and a reply.
func (w *town) turn(persona string, m channels.Message, claims ...understand.Claim) turns.Turn {
	w.t.Helper()
	person, room, err := w.Turns.UpsertParticipant(w.t.Context(), m)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.Log.Accept(w.t.Context(), persona, m); err != nil {
		w.t.Fatal(err)
	}
	pending, err := w.Log.Pending(w.t.Context(), persona, m.Room, 100)
	if err != nil {
		w.t.Fatal(err)
	}
	heard := model.AnnotatedMessage{Message: m, PersonID: person.ID, Annotation: model.Annotation{
		Sector: model.Episodic, Salience: 0.5, Analysis: understand.Analysis{Claims: claims}, Stored: storedFor(m.Text, claims),
	}}
	for _, p := range pending {
		if p.Message.ID == m.ID {
			heard.InboxID = p.ID
		}
	}
	return turns.Turn{
		Persona: persona, Room: room, SessionID: w.session(persona, room.ID), Started: w.clock.Now(), Asker: person.ID,
		Heard: []model.AnnotatedMessage{heard}, Voice: "plain",
		Reply: &model.Reply{Key: "r-" + persona + "-" + m.ID, Text: "I see.", At: w.clock.Now()},
		Relate: map[int64]func(model.Relationship) model.Relationship{person.ID: func(r model.Relationship) model.Relationship {
			r.Messages++
			return r
		}},
	}
}

// storedFor is the stored analysis of a text that makes claims. It contains only words of the text.
func storedFor(text string, claims []understand.Claim) model.StoredAnalysis {
	own := slices.Clone(claims)
	for i, c := range own {
		if !strings.Contains(text, c.Corrects) {
			own[i].Corrects = ""
		}
	}
	return model.StoreAnalysis(understand.Analysis{Version: understand.Version, Claims: own})
}

// session is the room's open session, 0 when there is none.
func (w *town) session(persona string, room int64) int64 {
	w.t.Helper()
	s, err := w.Turns.Sessions(w.t.Context(), turns.SessionFilter{Persona: persona, Room: room, Open: true})
	if err != nil {
		w.t.Fatal(err)
	}
	if len(s) == 0 {
		return 0
	}
	return s[0].ID
}

func (w *town) record(turn turns.Turn) turns.TurnResult {
	w.t.Helper()
	r, err := w.Turns.RecordTurn(w.t.Context(), turn)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// say records one turn of mira.
func (w *town) say(place, who, text string, claims ...understand.Claim) turns.TurnResult {
	w.t.Helper()
	return w.record(w.turn("mira", w.message(place, who, text), claims...))
}

// visibility returns the visibility of a person's direct room, or of a group.
func (w *town) visibility(place, who string) memory.Visibility {
	w.t.Helper()
	room, err := w.Log.RoomByAddress(w.t.Context(), w.message(place, who, "").Room)
	if err != nil {
		w.t.Fatal(err)
	}
	h, err := w.Log.Visibility(w.t.Context(), "mira", room.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	return h
}

func (w *town) person(who string) int64 {
	w.t.Helper()
	p, err := w.Log.PersonByHandle(w.t.Context(), channels.Handle{Channel: "console", ID: who})
	if err != nil {
		w.t.Fatal(err)
	}
	return p.ID
}

// memoryOf returns the memory of the latest message with text.
func (w *town) memoryOf(text string) model.Memory {
	w.t.Helper()
	found, err := w.Entries.ListMemories(w.t.Context(), entry.MemoryFilter{Text: text, Limit: 1})
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

// firstOutboxEntry returns the first outbox entry of the lowest room where something waits, zero when nothing waits.
func (w *town) firstOutboxEntry() log.OutboxEntry {
	w.t.Helper()
	rooms, err := w.Log.OutboxRooms(w.t.Context(), "mira")
	if err != nil {
		w.t.Fatal(err)
	}
	if len(rooms) == 0 {
		return log.OutboxEntry{}
	}
	out, err := w.Log.NextOutbox(w.t.Context(), "mira", rooms[0].ID)
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}
