package persona_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/persona"
)

// TestA5CommandsAreNotAnsweredInAGroup checks that a command shows nothing of a user's memory where others can read it.
func TestA5CommandsAreNotAnsweredInAGroup(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "My dog is called Rex.")
	s.hear(s.group("ann", "my cat is called Tom", false))
	s.rest()
	public, private := s.group("ann", "", true).Room, channels.Room{Channel: "desk", ID: "ann"}
	told := s.desk.count(private)
	for _, c := range []struct{ ask, want string }{
		{"/memory", "You asked /memory in “The group”. I answer that to you alone: ask me here."},
		{"/why", "You asked /why in “The group”. I answer that to you alone: ask me here."},
		{"/forget 1", "You asked /forget in “The group”. I answer that to you alone: ask me here."},
	} {
		s.hear(s.group("ann", c.ask, true))
		s.rest()
		heard := s.desk.in(private)
		if told++; len(heard) != told || heard[told-1].Text != c.want {
			t.Errorf("%s: sent %+v", c.ask, heard)
		}
	}
	if got := s.desk.in(public); len(got) != 0 {
		t.Errorf("the group reads %+v", got)
	}
	if got := s.say("ann", "/memory"); !strings.Contains(got, "Rex") {
		t.Errorf("in her own room: %q", got)
	}
}

func TestA5UserWithoutDirectRoomIsNotifiedInGroup(t *testing.T) {
	s := play(t, nil)
	if got := s.answer(s.group("bob", "/memory", true)); got != "I answer /memory in a direct talk only." {
		t.Errorf("got %q", got)
	}
	if got := s.answer(s.group("bob", "/nonsense", true)); got != "" {
		t.Errorf("the group is told of a slip: %q", got)
	}
	discreet := s.group("bob", "/nonsense", true)
	discreet.PrivateReply = true
	if got := s.answer(discreet); !strings.Contains(got, "I know no /nonsense") {
		t.Errorf("who alone sees the answer is told %q", got)
	}
}

// TestA10DebounceWaitsForAnsweredAuthor has others talk in a group while a user is still writing to the persona.
func TestA10DebounceWaitsForAnsweredAuthor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &echo{}
		s := play(t, func(p *persona.Parts) {
			p.Voice, p.Now = v, time.Now
			p.Settings.Quiet, p.Settings.Cap = 2*time.Second, 8*time.Second
		})
		begun := time.Now()
		after := func(d time.Duration, m channels.Message) {
			time.Sleep(d)
			s.clock.Set(time.Now()) // the store records when it was received
			m.At = time.Now()
			s.hear(m)
		}
		after(0, s.group("ann", "@tess my dog", true))
		after(500*time.Millisecond, s.group("bob", "what a day", false))
		after(500*time.Millisecond, s.group("ann", "is called Rex", false))
		after(time.Second, s.group("bob", "indeed", false))
		s.rest()
		room := channels.Room{Channel: "desk", ID: "group"}
		if got := len(s.desk.in(room)); got != 1 {
			t.Errorf("%d answers to one thought", got)
		}
		if waited := time.Since(begun); waited != 3*time.Second {
			t.Errorf("answered after %s, want two seconds after ann fell silent", waited)
		}
		s.quit()
	})
}

// TestA10CommandsDoNotWait gives a command while a user is still writing.
func TestA10CommandsDoNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, func(p *persona.Parts) {
			p.Voice, p.Now = &echo{}, time.Now
			p.Settings.Quiet, p.Settings.Cap = 2*time.Second, 8*time.Second
		})
		begun := time.Now()
		s.clock.Set(begun)
		s.hear(s.message("ann", "my dog is called Rex"))
		synctest.Wait() // she may say more
		s.hear(s.message("ann", "/help"))
		s.rest()
		if waited := time.Since(begun); waited != 0 {
			t.Errorf("the command waited %s", waited)
		}
		if got := s.desk.in(channels.Room{Channel: "desk", ID: "ann"}); len(got) != 2 || !strings.Contains(got[1].Text, "/memory") {
			t.Errorf("answered %+v", got)
		}
		s.quit()
	})
}

// TestA10UnaddressedBacklogGetsNoAnswer delivers messages sent during an outage as context, then
// a question.
func TestA10UnaddressedBacklogGetsNoAnswer(t *testing.T) {
	s := play(t, nil)
	for _, text := range []string{"My dog is called Rex.", "He is ill.", "Are you there?"} {
		m := s.message("ann", text)
		m.Addressed, m.At = false, m.At.Add(-7*time.Hour)
		s.hear(m)
	}
	s.rest()
	if got := s.desk.in(channels.Room{Channel: "desk", ID: "ann"}); len(got) != 0 {
		t.Errorf("answered %+v", got)
	}
	if got := s.say("ann", "What is my dog called?"); !strings.Contains(got, "Rex") {
		t.Errorf("it is no context: %q", got)
	}
}

// TestAnExternalOutboxEntryWakesTheRoom queues an outbox entry without the engine, as for a stranger.
func TestAnExternalOutboxEntryWakesTheRoom(t *testing.T) {
	s := play(t, nil)
	room := strangerTold(t.Context(), t, s)
	s.engine.WakeSender(room)
	s.rest()
	if got := s.desk.in(room.Room); len(got) != 1 || got[0].Text != "A code" {
		t.Errorf("said %+v", got)
	}
}

// strangerTold queues a code for a stranger and returns the room.
func strangerTold(ctx context.Context, t *testing.T, s *stage) model.Room {
	t.Helper()
	room, err := s.store.Log.RequestPairing(ctx, log.PairingRequest{
		Persona: "tess", Message: s.message("zed", "hi"), Code: "ABCD2345", Text: "A code", TTL: time.Minute, MaxPending: 3,
	})
	if err != nil || room.ID == 0 {
		t.Fatalf("room %+v, %v", room, err)
	}
	return room
}

// TestTheAnswersToTwoCommandsHaveTwoKeys gives the second command when the first is already forgotten. With the same
// key, a network would take one answer for the other.
func TestTheAnswersToTwoCommandsHaveTwoKeys(t *testing.T) {
	s := play(t, nil)
	m, _ := s.told("ann", "/help")
	s.clock.Advance(40 * 24 * time.Hour)
	s.prune()
	s.told("ann", "/help")
	if said := s.desk.in(m.Room); len(said) != 2 {
		t.Errorf("said %+v", said)
	}
}
