package persona_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory"
)

// holds reports whether a file of the store contains a text.
func (s *stage) holds(text string) bool {
	s.t.Helper()
	if err := s.store.Eraser.SecureDelete(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		file, err := os.ReadFile(s.store.Path() + suffix)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			s.t.Fatal(err)
		}
		if strings.Contains(string(file), text) {
			return true
		}
	}
	return false
}

func TestS12ForgetMeAsksCountsAndMakesStrangers(t *testing.T) {
	s := play(t, nil)
	s.tells("ann", time.Minute, "I keep a ferret", "my sister lives in Faro")
	s.tells("bob", time.Minute, "I keep a heron")
	asked := s.say("ann", "/forget me")
	if !strings.Contains(asked, "2 messages") || !strings.Contains(asked, "/forget yes") || !s.recalls("ann", "ferret") {
		t.Fatalf("it asks %q", asked)
	}
	s.say("bob", "/forget yes") // another person's yes is none
	if !s.recalls("ann", "ferret") {
		t.Fatal("somebody else's yes was taken")
	}
	s.clock.Advance(time.Second)
	receipt := s.say("ann", "/forget yes")
	if !strings.Contains(receipt, "Forgotten for good: 1 person, 1 account, 1 direct room") {
		t.Errorf("the receipt says %q", receipt)
	}
	for _, word := range []string{"ferret", "Faro"} {
		if s.holds(word) {
			t.Errorf("the store contains %s", word)
		}
	}
	handle := channels.Handle{Channel: s.message("ann", "").Room.Channel, ID: "ann"}
	if _, err := s.store.Log.PersonByHandle(t.Context(), handle); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("they are still known: %v", err)
	}
	s.clock.Advance(time.Minute)
	if again := s.say("ann", "/forget yes"); !strings.Contains(again, "Nothing waits") {
		t.Errorf("a second yes: %q", again)
	}
	if s.recalls("ann", "ferret") || !s.recalls("bob", "heron") {
		t.Error("it was not forgotten, or bob's was")
	}
}

func TestS12ForgetMeIsAskedInADirectTalk(t *testing.T) {
	s := play(t, nil)
	s.tells("ann", time.Minute, "I keep a ferret")
	m := s.message("ann", "/forget me")
	m.Room.ID, m.RoomTitle, m.Direct, m.PrivateReply = "club", "Club", false, true
	if said := s.answer(m); !strings.Contains(said, "direct talk") || !s.recalls("ann", "ferret") {
		t.Errorf("in a group: %q", said)
	}
	s.say("ann", "/forget me")
	s.clock.Advance(11 * time.Minute)
	if late := s.say("ann", "/forget yes"); !strings.Contains(late, "Nothing waits") || !s.recalls("ann", "ferret") {
		t.Errorf("a late yes: %q", late)
	}
}
