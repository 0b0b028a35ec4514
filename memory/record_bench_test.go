package memory_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/memory/understand"
)

// BenchmarkTurn measures a plain turn's whole way through the store, in eight rooms at once: accepted, author and room
// stored, recorded with a reply, and a claim in every fourth.
func BenchmarkTurn(b *testing.B) {
	clock := new(memorytest.Clock)
	s := memorytest.OpenAt(b, clock)
	var rooms atomic.Int64
	b.SetParallelism(8)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		who := fmt.Sprintf("p%d", rooms.Add(1))
		session := int64(0)
		for n := 0; pb.Next(); n++ {
			m := channels.Message{
				ID: fmt.Sprintf("%s-%d", who, n), Room: channels.Room{Channel: "console", ID: "dm/" + who}, Direct: true,
				Author: channels.Author{Handle: channels.Handle{Channel: "console", ID: who}, Name: who},
				Text:   fmt.Sprintf("this is message %d about nothing much", n), At: clock.Now(),
			}
			session = benchTurn(b, s, m, n, session)
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "turns/s")
}

func benchTurn(b *testing.B, s *memory.Store, m channels.Message, n int, session int64) int64 {
	ctx := b.Context()
	if _, err := s.Log.Accept(ctx, "mira", m); err != nil {
		b.Fatal(err)
	}
	person, room, err := s.Turns.UpsertParticipant(ctx, m)
	if err != nil {
		b.Fatal(err)
	}
	pending, err := s.Log.Pending(ctx, "mira", m.Room, 10)
	if err != nil {
		b.Fatal(err)
	}
	filing := model.Annotation{Sector: model.Episodic, Salience: 0.4}
	if n%4 == 0 {
		filing.Analysis.Claims = []understand.Claim{fact("lives_in", fmt.Sprintf("town %d", n%16))}
	}
	r, err := s.Turns.RecordTurn(ctx, turns.Turn{
		Persona: "mira", Room: room, SessionID: session, Asker: person.ID, Voice: "plain",
		Heard: []model.AnnotatedMessage{{InboxID: pending[0].ID, Message: m, PersonID: person.ID, Annotation: filing}},
		Reply: &model.Reply{Key: "r-" + m.ID, Text: "I see."},
		Relate: map[int64]func(model.Relationship) model.Relationship{person.ID: func(r model.Relationship) model.Relationship {
			r.Messages++
			return r
		}},
	})
	if err != nil {
		b.Fatal(err)
	}
	return r.SessionID
}
