package whatsapp

import (
	"errors"
	"testing"
	"time"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"google.golang.org/protobuf/proto"

	"familiar/channels"
	"familiar/channels/whatsapp/whatsapptest"
)

func TestA1ARedeliveredEventIsTheSameMessageAfterARestart(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	id := r.says(ann, ownJID, "hello")
	s.next(0)
	r.confirmed(1)
	r.server.Redeliver(ownPhone)
	r.confirmed(2)
	s.stop()
	r.server.AddFault(whatsapptest.Fault{At: whatsapptest.Confirming, Phone: ownPhone, Effect: whatsapptest.Discard})
	s = r.start()
	r.says(ann, ownJID, "are you there?")
	second := s.next(0)
	eventually(t, "the confirmation is lost", func() bool { return r.server.Count("fault", ownPhone) == 1 })
	s.stop()
	again := r.start() // the network redelivers it
	r.confirmed(3)
	for _, m := range again.all() {
		if m.ID != second.ID || m.ID == id {
			t.Errorf("received %s again, want at most %s", m.ID, second.ID)
		}
	}
}

func TestW1NothingIsAcknowledgedBeforeItIsDurable(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	s.locked(errors.New("database is locked"))
	id := r.says(ann, ownJID, "remember this")
	r.says(ann, ownJID, "and this")
	eventually(t, "it is tried again", func() bool { return s.attempts() >= 3 })
	if n := r.server.Count("confirmed", ownPhone); n != 0 {
		t.Fatalf("%d messages were acknowledged that are not durable", n)
	}
	if !r.hasReported(channels.Transient) {
		t.Error("the operator is not notified that messages cannot be stored")
	}
	s.locked(nil)
	if m := s.next(0); m.ID != id || m.Text != "remember this" {
		t.Errorf("received %+v first", m)
	}
	if m := s.next(1); m.Text != "and this" {
		t.Errorf("received %+v second", m)
	}
	r.confirmed(2)
}

func TestW1UnstoredMessagesAreRedelivered(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	s.locked(errors.New("database is locked"))
	id := r.says(ann, ownJID, "remember this")
	eventually(t, "it was tried", func() bool { return s.attempts() >= 1 })
	s.stop()
	if n := r.server.Count("confirmed", ownPhone); n != 0 {
		t.Fatal("it was acknowledged on the way out")
	}
	s = r.start()
	if m := s.next(0); m.ID != id || m.Text != "remember this" {
		t.Errorf("received %+v", m)
	}
	r.confirmed(1)
}

func TestA2AReplyWithALostAcknowledgementIsShownOnce(t *testing.T) {
	for name, at := range map[string]whatsapptest.Point{"before it was taken": whatsapptest.Receiving, "after it was taken": whatsapptest.Received} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			ann := r.person(1)
			s := r.start()
			r.says(ann, ownJID, "hello")
			m := s.next(0)
			r.server.AddFault(whatsapptest.Fault{At: at, Phone: ownPhone, Effect: whatsapptest.Drop})
			if _, err := s.reply("key", m, "hi"); err != nil && channels.Kind(err) != channels.Ambiguous {
				t.Fatalf("send: %v", err)
			}
			eventually(t, "the channel is connected again", func() bool { return r.inPhase(channels.Connected) })
			s.answers("key", m, "hi")
			s.answers("other", m, "the end")
			eventually(t, "all is shown", func() bool { return len(ann.Shown(ownJID)) == 2 })
			if got := ann.Shown(ownJID); got[0] != "hi" || got[1] != "the end" {
				t.Errorf("shown %q", got)
			}
		})
	}
}

func TestA2TheIdOfAChunkIsTheSameInAnotherProcess(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	r.says(ann, ownJID, "hello")
	m := s.next(0)
	first := s.answers("key", m, "hi")
	s.stop()
	s = r.start()
	if again := s.answers("key", m, "hi"); again != first {
		t.Errorf("the receipt is %+v, was %+v", again, first)
	}
	s.answers("other", m, "the end")
	eventually(t, "all is shown", func() bool { return len(ann.Shown(ownJID)) == 2 })
}

func TestW5UndecryptableSendsAreRepeatedAfterARestart(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	r.says(ann, ownJID, "hello")
	m := s.next(0)
	ann.Disconnect()
	receipt := s.answers("key", m, "hi, **Ann**")
	s.stop()
	r.start()
	r.advanceClock(13 * 24 * time.Hour)
	r.server.AddFault(whatsapptest.Fault{At: whatsapptest.Delivering, Phone: ann.Phone, Effect: whatsapptest.Garble})
	if err := ann.Reconnect(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is shown", func() bool { return len(ann.Shown(ownJID)) == 1 })
	if got := ann.Received()[0]; got.Info.ID != receipt.ID || whatsapptest.Text(got.Message) != "hi, *Ann*" {
		t.Errorf("shown %+v", got)
	}
	if n := r.server.Count("retry", ann.Phone); n != 1 {
		t.Errorf("asked %d times to say it again", n)
	}
}

func TestW5ARetryGoesOnlyToItsRecipient(t *testing.T) {
	r := newRig(t)
	ann, bob := r.person(1), r.person(2)
	s := r.start()
	r.says(ann, ownJID, "hello")
	receipt := s.answers("key", s.next(0), "for your eyes only")
	l, err := s.currentConnection(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	number := types.NewJID(ann.Phone, types.DefaultUserServer)
	for _, whose := range []types.JID{ann.JID(), number} {
		if got := whatsapptest.Text(l.sentMessage(whose, whose, receipt.ID)); got != "for your eyes only" {
			t.Errorf("said again to Ann, as %s: %q", whose, got)
		}
	}
	if got := l.sentMessage(bob.JID(), bob.JID(), receipt.ID); got != nil {
		t.Errorf("said again to Bob: %v", got)
	}
}

func TestW5UndecryptableMessagesAreRequestedAgain(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	r.server.AddFault(whatsapptest.Fault{At: whatsapptest.Delivering, Phone: ownPhone, Effect: whatsapptest.Garble})
	id := r.says(ann, ownJID, "can you read this?")
	if m := s.next(0); m.ID != id || m.Text != "can you read this?" {
		t.Errorf("received %+v", m)
	}
}

func TestW5OldRetryRecordsAreDeleted(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	r.says(ann, ownJID, "hello")
	m := s.next(0)
	old := s.answers("old", m, "one")
	r.advanceClock(14 * 24 * time.Hour)
	s.answers("new", m, "two")
	if key, err := s.records.sentKey(t.Context(), old.ID, []string{m.Room.ID}); err != nil || key != "old" {
		t.Errorf("after 14 days: %q, %v", key, err)
	}
	r.advanceClock(3 * 24 * time.Hour)
	s.answers("newer", m, "three")
	if key, err := s.records.sentKey(t.Context(), old.ID, []string{m.Room.ID}); !errors.Is(err, channels.ErrNotFound) {
		t.Errorf("after 17 days: %q, %v", key, err)
	}
}

func TestW1UndecryptableMessagesAreRedelivered(t *testing.T) {
	for name, deed := range map[string]whatsapptest.Effect{
		"a frame that makes no sense": whatsapptest.Malform, "cut before it was written": whatsapptest.Drop, "never written": whatsapptest.Discard,
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			ann := r.person(1)
			s := r.start()
			r.server.AddFault(whatsapptest.Fault{At: whatsapptest.Delivering, Phone: ownPhone, Effect: deed})
			id := r.says(ann, ownJID, "hello")
			eventually(t, "it went wrong", func() bool { return r.server.Count("fault", ownPhone) == 1 })
			if deed != whatsapptest.Drop {
				r.server.Cut(ownPhone)
			}
			if m := s.next(0); m.ID != id || m.Text != "hello" {
				t.Errorf("received %+v", m)
			}
		})
	}
}

func TestA12MissedActionsArriveLater(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	old, gone := r.says(ann, ownJID, "old"), r.says(ann, ownJID, "gone")
	s.next(1)
	r.confirmed(2)
	s.stop()
	for _, done := range []*waE2E.Message{
		ann.Client.BuildEdit(ownJID, old, &waE2E.Message{Conversation: proto.String("changed")}),
		ann.Client.BuildRevoke(ownJID, types.EmptyJID, gone),
	} {
		if _, err := ann.Send(t.Context(), ownJID, "", done); err != nil {
			t.Fatal(err)
		}
	}
	s = r.start()
	if m := s.next(0); m.Action != channels.Edit || m.TargetID != old || m.Text != "changed" {
		t.Errorf("an edit is %+v", m)
	}
	if m := s.next(1); m.Action != channels.Delete || m.TargetID != gone {
		t.Errorf("a revocation is %+v", m)
	}
}
