package persona_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
	"familiar/memory/entry"
	"familiar/persona"
)

// forgets forgets every memory with a word.
func (s *stage) forgets(word string) {
	s.t.Helper()
	found, err := s.store.Entries.ListMemories(s.t.Context(), entry.MemoryFilter{Text: word})
	if err != nil || len(found) != 1 {
		s.t.Errorf("remembered with %q: %+v, %v", word, found, err)
		return
	}
	if _, err := s.store.Eraser.Forget(s.t.Context(), found[0].ID); err != nil {
		s.t.Error(err)
	}
}

// TestAReplyForgottenBetweenChunksIsNotCompleted forgets the sources of an answer while its first chunk is in
// flight.
func TestAReplyForgottenBetweenChunksIsNotCompleted(t *testing.T) {
	s := play(t, func(p *persona.Parts) { p.Channels = []channels.Channel{terse{p.Channels[0].(*desk)}} })
	s.say("ann", "My dog is called Rex.")
	m := s.message("ann", "What is my dog called?")
	before, sends := s.desk.count(m.Room), 0
	s.desk.refuse = func(channels.Outgoing) error {
		if sends++; sends == 1 {
			s.forgets("Rex")
		}
		return nil
	}
	s.answer(m)
	if said := s.desk.in(m.Room)[before:]; len(said) != 1 {
		t.Errorf("after it was forgotten more was said: %+v", said)
	}
}

// TestAForgottenPendingReplyIsNotSent forgets the sources of an answer while the network is down.
func TestAForgottenPendingReplyIsNotSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, func(p *persona.Parts) { p.Now = time.Now })
		s.say("ann", "My dog is called Rex.")
		before := s.desk.sent
		s.desk.refuse = func(channels.Outgoing) error {
			return &channels.SendError{Kind: channels.RateLimited, RetryAfter: time.Hour, Err: errors.New("too many requests")}
		}
		s.say("ann", "What is my dog called?")
		s.desk.refuse = nil
		s.forgets("Rex")
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if said := s.desk.sent[len(before):]; len(said) != 0 {
			t.Errorf("said %+v", said)
		}
		s.quit()
	})
}

// TestForgetAnswerFollowsTheForgottenReply gives /forget while the reply based on it is in
// flight.
func TestForgetAnswerFollowsTheForgottenReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, func(p *persona.Parts) { p.Now = time.Now })
		s.say("ann", "My dog is called Rex.")
		room := s.message("ann", "").Room
		sends := 0
		s.desk.refuse = func(channels.Outgoing) error {
			if sends++; sends == 1 {
				s.hear(s.message("ann", "/forget 1"))
				time.Sleep(time.Second)
			}
			return nil
		}
		s.say("ann", "What is my dog called?")
		all := s.desk.in(room)
		if last := all[len(all)-1].Text; !strings.HasPrefix(last, "Forgotten: memory 1") {
			t.Errorf("the last that was said is %q", last)
		}
		s.quit()
	})
}
