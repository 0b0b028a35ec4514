package persona_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
	"familiar/internal/llm/llmtest"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/persona"
	"familiar/persona/modelvoice"
	"familiar/persona/plain"
)

// refusal is how a network refuses a message for good.
var refusal = &channels.SendError{Kind: channels.Permanent, Err: errors.New("the chat is closed")}

// lose has what is said to a person refused for good.
func (s *stage) lose(who, text string) {
	s.t.Helper()
	before := s.dead()
	s.desk.refuse = func(channels.Outgoing) error { return refusal }
	s.say(who, text)
	s.desk.refuse = nil
	if s.dead() != before+1 {
		s.t.Fatalf("%d dead letters, there were %d", s.dead(), before)
	}
}

// tells reports whether an answer says that another one may not have arrived.
func tells(said string) bool {
	return strings.Contains(said, "may not have reached you") || strings.Contains(said, "did not get through to you")
}

// onlyLetter returns the id of the only dead letter.
func (s *stage) onlyLetter() int64 {
	s.t.Helper()
	dead, err := s.store.Log.DeadLetters(s.t.Context(), "tess")
	if err != nil || len(dead) != 1 {
		s.t.Fatalf("dead letters %+v, %v", dead, err)
	}
	return dead[0].ID
}

// TestA8TheNextAnswerTellsOfALostOneOnce checks the plain voice: at the start, once, in that room alone.
func TestA8TheNextAnswerTellsOfALostOneOnce(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "Hello there.")
	s.lose("ann", "My dog is called Rex.")
	if said := s.say("bob", "Hello there."); tells(said) {
		t.Errorf("bob is told: %q", said)
	}
	first, _, _ := strings.Cut(s.say("ann", "What is my dog called?"), ". ")
	if !tells(first) {
		t.Errorf("the answer begins with %q", first)
	}
	if said := s.say("ann", "And what is my name?"); tells(said) {
		t.Errorf("told again: %q", said)
	}
	s.lose("ann", "My cat is called Tom.")
	s.lose("ann", "My horse is called Bella.") // this answer told of the one before, and did not arrive either
	if said := s.say("ann", "What is my cat called?"); !tells(said) {
		t.Errorf("not told of the next one: %q", said)
	}
}

// TestA8SeveralLostAnswersAreToldTogether loses two answers before the person hears of one.
func TestA8SeveralLostAnswersAreToldTogether(t *testing.T) {
	s := play(t, withVoice(&echo{})) // which tells nobody
	s.lose("ann", "My dog is called Rex.")
	s.lose("ann", "My cat is called Tom.")
	s.quit()
	s = playOn(t, s.store, s.clock, nil)
	s.n = 2
	if said := s.say("ann", "What is my dog called?"); !strings.Contains(said, "Some of my earlier answers may not have reached you") {
		t.Errorf("said %q", said)
	}
}

// TestA8TheLanguageOfThePersonIsKept loses an answer to somebody who writes German.
func TestA8TheLanguageOfThePersonIsKept(t *testing.T) {
	s := play(t, nil)
	s.lose("ann", "Ich heiße Anna und wohne mit meiner Schwester in Leipzig.")
	if said := s.say("ann", "Wo wohne ich denn mit meiner Schwester?"); !strings.Contains(said, "ntschuldige") {
		t.Errorf("said %q", said)
	}
}

// TestA8DangerComesFirst tells somebody in danger of no lost answer until they are well.
func TestA8DangerComesFirst(t *testing.T) {
	s := play(t, nil)
	s.lose("ann", "My dog is called Rex.")
	if said := s.say("ann", "I want to kill myself"); tells(said) {
		t.Errorf("said %q", said)
	}
	s.clock.Advance(90 * 24 * time.Hour)
	s.say("ann", "I am well again.") // this answer greets them with care
	s.clock.Advance(24 * time.Hour)
	if said := s.say("ann", "I bought new shoes for the wedding."); !tells(said) {
		t.Errorf("said later %q", said)
	}
}

// TestA8ToldOnceAcrossACrash stops between storing the answer that tells and sending it.
func TestA8ToldOnceAcrossACrash(t *testing.T) {
	s := play(t, nil)
	s.lose("ann", "My dog is called Rex.")
	s.desk.refuse = func(channels.Outgoing) error {
		return &channels.SendError{Kind: channels.Temporary, Err: errors.New("the wire is down"), RetryAfter: time.Hour}
	}
	s.say("ann", "What is my dog called?")
	s.quit()
	s.clock.Advance(2 * time.Hour)
	again := playOn(t, s.store, s.clock, nil)
	again.rest()
	again.n = s.n
	sent := again.desk.in(channels.Room{Channel: "desk", ID: "ann"})
	if len(sent) != 1 || !tells(sent[0].Text) {
		t.Fatalf("sent %+v", sent)
	}
	if said := again.say("ann", "And what is my name?"); said == "" || tells(said) {
		t.Errorf("told again: %q", said)
	}
}

// TestA8CommandsAndDroppedLettersAreNotTold loses the answer to a command, and drops a letter.
func TestA8CommandsAndDroppedLettersAreNotTold(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "Hello there.")
	s.lose("ann", "/memory")
	if said := s.say("ann", "My dog is called Rex."); tells(said) {
		t.Errorf("told of a command: %q", said)
	}
	if err := s.store.Eraser.DropLetter(t.Context(), s.onlyLetter()); err != nil {
		t.Fatal(err)
	}
	s.lose("ann", "My cat is called Tom.")
	if err := s.store.Eraser.DropLetter(t.Context(), s.onlyLetter()); err != nil {
		t.Fatal(err)
	}
	if said := s.say("ann", "What is my cat called?"); tells(said) {
		t.Errorf("told of a dropped letter: %q", said)
	}
}

// TestA8ProactiveLettersAreNotTold loses a message that nobody asked for.
func TestA8ProactiveLettersAreNotTold(t *testing.T) {
	s := play(t, nil)
	m, _ := s.told("ann", "Hello there.")
	person, room, err := s.store.Turns.UpsertParticipant(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := s.store.Turns.RecordTurn(t.Context(), turns.Turn{
		Persona: "tess", Room: room, Asker: person.ID, Reply: &model.Reply{Key: "first", Text: "How was the race?"},
		Proactive: &turns.ProactiveDecision{Subject: "loop:1:after", Reason: "follow-up"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.store.Log.MarkOutboxDead(t.Context(), kept.OutboxID, "the chat is closed"); err != nil {
		t.Fatal(err)
	}
	if said := s.say("ann", "My dog is called Rex."); tells(said) {
		t.Errorf("told of it: %q", said)
	}
}

// TestA8TheModelIsToldOfALostAnswerOnce checks what the model voice is asked: it words the sentence itself.
func TestA8TheModelIsToldOfALostAnswerOnce(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Says("Sorry, my last line got lost. Rex, of course."))
	s := play(t, func(p *persona.Parts) {
		client := providerClient(t, w, new(memorytest.Clock))
		p.Model = client
		p.Voice = modelvoice.Fallback(modelvoice.NewVoice(client, meter(p.Store), 0, 200), plain.New())
	})
	last := func() bool {
		asked := w.Requests()
		return strings.Contains(asked[len(asked)-1].Prompt(), "An earlier answer of yours may not have reached this chat.")
	}
	s.lose("ann", "My dog is called Rex.")
	if last() {
		t.Error("the model is told before an answer was lost")
	}
	if said := s.say("ann", "What is my dog called?"); !last() || said != "Sorry, my last line got lost. Rex, of course." {
		t.Errorf("said %q, the model was told: %v", said, last())
	}
	if s.say("ann", "And what is my name?"); last() {
		t.Error("the model is told twice")
	}
}

// TestA8TheFallbackTellsWhatTheModelCouldNot loses an answer and then the model.
func TestA8TheFallbackTellsWhatTheModelCouldNot(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Says400(`{"error":{"message":"no such model"}}`))
	s := play(t, func(p *persona.Parts) {
		client := providerClient(t, w, new(memorytest.Clock))
		p.Model = client
		p.Voice = modelvoice.Fallback(modelvoice.NewVoice(client, meter(p.Store), 0, 200), plain.New())
	})
	s.lose("ann", "My dog is called Rex.")
	if said := s.say("ann", "What is my dog called?"); !tells(said) {
		t.Errorf("said %q", said)
	}
	if said := s.say("ann", "And what is my name?"); tells(said) {
		t.Errorf("told again: %q", said)
	}
}

// TestA8ALetterSentAgainIsNoticedAndSentOnce queues a dead letter as another process does, while the engine runs.
func TestA8ALetterSentAgainIsNoticedAndSentOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, func(p *persona.Parts) { p.Voice, p.Now = &echo{}, time.Now })
		s.lose("ann", "hello")
		id := s.onlyLetter()
		if _, err := s.store.Log.ResendOutbox(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if _, err := s.store.Log.ResendOutbox(t.Context(), id); err == nil {
			t.Error("queued twice")
		}
		time.Sleep(persona.QueueCheck)
		synctest.Wait()
		s.say("ann", "and then")
		time.Sleep(3 * persona.QueueCheck)
		synctest.Wait()
		var said []string
		for _, out := range s.desk.in(channels.Room{Channel: "desk", ID: "ann"}) {
			said = append(said, out.Text)
		}
		if got := strings.Join(said, ", "); got != "heard: hello, heard: and then" {
			t.Errorf("said %q", got)
		}
		s.quit()
	})
}

// TestA8ALetterSentAgainWhileItsRoomIsBusy queues a dead letter while another answer of its room waits for its next attempt.
func TestA8ALetterSentAgainWhileItsRoomIsBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, func(p *persona.Parts) { p.Voice, p.Now = &echo{}, time.Now })
		s.lose("ann", "one")
		var mended atomic.Bool
		s.desk.refuse = func(channels.Outgoing) error {
			if !mended.Load() {
				return &channels.SendError{Kind: channels.Temporary, Err: errors.New("the wire is down"), RetryAfter: time.Minute}
			}
			return nil
		}
		s.hear(s.message("ann", "two"))
		synctest.Wait()
		s.hear(s.message("ann", "three"))
		synctest.Wait()
		if _, err := s.store.Log.ResendOutbox(t.Context(), s.onlyLetter()); err != nil {
			t.Fatal(err)
		}
		mended.Store(true)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if n := s.desk.count(channels.Room{Channel: "desk", ID: "ann"}); n != 3 || s.dead() != 0 {
			t.Errorf("%d answers were sent, %d are lost", n, s.dead())
		}
		s.quit()
	})
}

// TestA8ALetterIsToldOnceAlthoughItDiesTwice sends a letter again that is refused again.
func TestA8ALetterIsToldOnceAlthoughItDiesTwice(t *testing.T) {
	s := play(t, nil)
	s.lose("ann", "My dog is called Rex.")
	id := s.onlyLetter()
	if said := s.say("ann", "What is my dog called?"); !tells(said) {
		t.Errorf("said %q", said)
	}
	if _, err := s.store.Log.ResendOutbox(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := s.store.Log.MarkOutboxDead(t.Context(), id, "the chat is closed"); err != nil {
		t.Fatal(err)
	}
	if said := s.say("ann", "And what is my name?"); tells(said) {
		t.Errorf("told again: %q", said)
	}
}

// TestA8AMessageGivenUpIsAnsweredAfterAll queues a message again that was set aside, as another process does.
func TestA8AMessageGivenUpIsAnsweredAfterAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mended atomic.Bool
		v := &echo{hold: func(context.Context) error {
			if !mended.Load() {
				return errors.New("a bug")
			}
			return nil
		}}
		s := play(t, func(p *persona.Parts) { p.Voice, p.Now = v, time.Now })
		s.hear(s.message("ann", "hello"))
		time.Sleep(time.Hour)
		dead, err := s.store.Log.DeadMessages(t.Context(), "tess")
		if err != nil || len(dead) != 1 || dead[0].Message.Text != "hello" {
			t.Fatal(dead, err)
		}
		mended.Store(true)
		if err := s.store.Log.RetryInbox(t.Context(), dead[0].ID); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * persona.QueueCheck)
		synctest.Wait()
		if said := s.desk.in(channels.Room{Channel: "desk", ID: "ann"}); len(said) != 1 || said[0].Text != "heard: hello" {
			t.Errorf("said %+v", said)
		}
		s.quit()
	})
}
