package memory_test

import (
	"reflect"
	"testing"

	"familiar/channels"
	"familiar/memory/log"
	"familiar/memory/turns"
)

// next returns the oldest unsent text of a room.
func (w *town) next(room int64) log.OutboxEntry {
	w.t.Helper()
	out, err := w.Log.NextOutbox(w.t.Context(), "mira", room)
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// sent marks an outbox entry as sent.
func (w *town) sent(out log.OutboxEntry) {
	w.t.Helper()
	if err := w.Log.MarkChunkSent(w.t.Context(), out, log.SentChunk{Last: true}); err != nil {
		w.t.Fatal(err)
	}
}

// TestARecordedTurnReturnsItsReplyAsQueued compares the reply that a turn returns with what the outbox returns next: for a
// reply in a direct room and in a thread of a group, with a secret that is redacted, and for a proactive one.
func TestARecordedTurnReturnsItsReplyAsQueued(t *testing.T) {
	w := newTown(t)
	direct := w.turn("mira", w.message("", "ann", "My dog is called Rex."))
	direct.Reply.Text, direct.Reply.ReplyTo, direct.Reply.ReplyData = "Your key is sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD.", "m1", "ticket"
	said := w.message("club", "ben", "Hello, everybody.")
	said.Room.Thread = "7"
	proactive := func() turns.Turn {
		m := w.message("", "ann", "")
		m.Arrival, m.Addressed, m.Proactive = true, false, "loop:1:after"
		turn := w.turn("mira", m)
		turn.Proactive = &turns.ProactiveDecision{Subject: m.Proactive, Reason: "follow-up"}
		return turn
	}
	for _, tt := range []struct {
		name string
		turn turns.Turn
		want func(log.OutboxEntry) bool
	}{
		{"direct", direct, func(o log.OutboxEntry) bool {
			return o.Text == log.Redact(direct.Reply.Text) && o.ReplyTo == "m1" && o.ReplyData == "ticket" && o.Room.PersonID == w.person("ann")
		}},
		{"group", w.turn("mira", said), func(o log.OutboxEntry) bool {
			return o.Room.Room == channels.Room{Channel: "console", ID: "group/club", Thread: "7"} && o.ProactiveSubject == ""
		}},
		{"proactive", proactive(), func(o log.OutboxEntry) bool { return o.ProactiveSubject == "loop:1:after" }},
	} {
		done := w.record(tt.turn)
		next := w.next(tt.turn.Room.ID)
		if !reflect.DeepEqual(done.Queued, next) || next.ID != done.OutboxID || next.MessageID != done.ReplyID {
			t.Errorf("%s: the turn returned %+v\nthe outbox returns %+v", tt.name, done.Queued, next)
		}
		if !tt.want(next) {
			t.Errorf("%s: queued is %+v", tt.name, next)
		}
		w.sent(next)
	}
}

// TestAReplyBehindAnUnsentTextIsNotReturned queues a reply behind an older text of its room. Texts of other rooms and
// sent ones do not matter.
func TestAReplyBehindAnUnsentTextIsNotReturned(t *testing.T) {
	w := newTown(t)
	first := w.say("", "ann", "My dog is called Rex.")
	if second := w.say("", "ann", "My cat is called Tom."); second.OutboxID == 0 || !reflect.DeepEqual(second.Queued, log.OutboxEntry{}) {
		t.Errorf("behind an unsent text it returned %+v", second.Queued)
	}
	if other := w.say("", "ben", "Hello."); other.Queued.ID != other.OutboxID || other.OutboxID == 0 {
		t.Errorf("in another room it returned %+v", other.Queued)
	}
	w.sent(first.Queued)
	w.sent(w.next(first.Queued.Room.ID))
	third := w.turn("mira", w.message("", "ann", "My bird is called Pip."))
	if done := w.record(third); !reflect.DeepEqual(done.Queued, w.next(third.Room.ID)) {
		t.Errorf("with all older texts sent it returned %+v", done.Queued)
	}
	silent := w.turn("mira", w.message("", "ann", "Bye."))
	silent.Reply = nil
	if done := w.record(silent); done.OutboxID != 0 || !reflect.DeepEqual(done.Queued, log.OutboxEntry{}) {
		t.Errorf("without a reply it returned %+v", done)
	}
}
