package persona

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/log"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/persona/card"
)

// sends is a channel that keeps the keys of what is sent.
type sends struct{ keys []string }

func (*sends) Name() string { return "console" }

func (*sends) Run(context.Context, channels.Accept) error { return nil }

func (c *sends) Send(_ context.Context, out channels.Outgoing) (channels.Receipt, error) {
	c.keys = append(c.keys, out.Key)
	return channels.Receipt{}, nil
}

// TestAReplyThatAWorkerHasReadIsSentOnce lets a worker that is still busy with older texts read and send the reply of a turn
// before the turn hands it over.
func TestAReplyThatAWorkerHasReadIsSentOnce(t *testing.T) {
	store, sent := memorytest.Open(t), new(sends)
	reply := func(id string) (model.Room, log.OutboxEntry) {
		t.Helper()
		m := channels.Message{
			ID: id, Room: channels.Room{Channel: "console", ID: "ann"}, Direct: true, Text: "Hello.", At: memorytest.Start,
			Author: channels.Author{Handle: channels.Handle{Channel: "console", ID: "ann"}},
		}
		person, room, err := store.Turns.UpsertParticipant(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		done, err := store.Turns.RecordTurn(t.Context(), turns.Turn{
			Persona: "tess", Room: room, Heard: []model.AnnotatedMessage{{Message: m, PersonID: person.ID}}, Reply: &model.Reply{Key: "r-" + id, Text: "Hi."},
		})
		if err != nil || done.Queued.ID == 0 {
			t.Fatal(done, err)
		}
		return room, done.Queued
	}
	s := newSender(Parts{
		Store: store, Card: &card.Card{Key: "tess"}, Now: func() time.Time { return memorytest.Start },
		Jitter: func(time.Duration) time.Duration { return 0 }, Log: slog.New(slog.DiscardHandler),
	}, map[string]channels.Channel{"console": sent}, func() {}, nil)
	room, first := reply("a")
	if err := s.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.wg.Wait()
	s.wakeWith(room, first)
	s.wg.Wait()
	if len(sent.keys) != 1 {
		t.Fatalf("sent %q", sent.keys)
	}
	s.wakeWith(reply("b"))
	s.wg.Wait()
	if len(sent.keys) != 2 || sent.keys[1] != "r-b-0" {
		t.Errorf("then sent %q", sent.keys)
	}
}

// once is a network without keys that asks for one more send after an unknown outcome.
type once struct{ sends }

func (*once) Limits() channels.Limits { return channels.Limits{ResendUnknown: true} }

// TestA8AProactiveMessageIsNotSentTwice: nobody waits for it.
func TestA8AProactiveMessageIsNotSentTwice(t *testing.T) {
	s := &sender{channels: map[string]channels.Channel{"console": new(once)}, now: func() time.Time { return memorytest.Start }}
	row := log.OutboxEntry{Room: model.Room{Room: channels.Room{Channel: "console"}}, Created: memorytest.Start}
	if s.isFinal(row, channels.Ambiguous) {
		t.Error("a reply with an unknown outcome is given up")
	}
	row.ProactiveSubject = "loop:1"
	if !s.isFinal(row, channels.Ambiguous) {
		t.Error("a proactive message with an unknown outcome is sent again")
	}
}
