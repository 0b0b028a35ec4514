package persona_test

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// M5: what somebody puts right is gone from what is believed, recalled and asked about.

// number returns the number that /memory gives to the first line with a word.
func (s *stage) number(who, word string) string {
	s.t.Helper()
	for line := range strings.Lines(s.say(who, "/memory")) {
		if m := regexp.MustCompile(`^\s+(\d+)\s`).FindStringSubmatch(line); m != nil && strings.Contains(line, word) {
			return m[1]
		}
	}
	s.t.Fatalf("/memory has no line with %q", word)
	return ""
}

func TestM5PeopleCorrectWhatTheySaid(t *testing.T) {
	s := play(t, nil)
	s.tells("ann", 24*time.Hour, "My dog is called Rex.")
	if done := s.say("ann", "/correct "+s.number("ann", "Rex")+" My dog is called Bolt."); !strings.Contains(done, "Corrected") {
		t.Fatalf("it says %q", done)
	}
	if s.recalls("ann", "Rex") || !s.recalls("ann", "Bolt") {
		t.Error("the old words are still recalled, or the new ones are not")
	}
	if said := s.say("ann", "what is my dog called?"); !strings.Contains(said, "Bolt") || strings.Contains(said, "Rex") {
		t.Errorf("it says %q", said)
	}
}

func TestM5DatesStartFromWhenItWasSaid(t *testing.T) {
	s := play(t, nil)
	told := s.clock.Now()
	s.tells("ann", 24*time.Hour, "I have an exam in three days.")
	s.say("ann", "/correct "+s.number("ann", "exam")+" I have an exam in five days.")
	h, ann := s.hearing(s.message("ann", "").Room)
	plans, err := s.store.Beliefs.Loops(t.Context(), h, ann)
	if err != nil || len(plans) != 1 {
		t.Fatalf("%+v, %v", plans, err)
	}
	if want := told.AddDate(0, 0, 5).Format(time.DateOnly); plans[0].DueFrom.Format(time.DateOnly) != want {
		t.Errorf("the exam is on %s, want %s", plans[0].DueFrom, want)
	}
}

func TestM5NobodyCorrectsOthers(t *testing.T) {
	s := play(t, nil)
	group := func(who, text string) string {
		m := s.message(who, text)
		m.Room.ID, m.RoomTitle, m.Direct = "club", "Club", false
		return s.answer(m)
	}
	group("ann", "My night shift ends at six.")
	number := s.number("ann", "shift")
	for _, bad := range []string{"/correct", "/correct " + number, "/correct x y", "/correct " + number + " My night shift ends at nine.", "/correct 99 nothing"} {
		if said := s.say("bob", bad); strings.Contains(said, "Corrected") {
			t.Errorf("%s: %q", bad, said)
		}
	}
	if !s.recalls("ann", "six") {
		t.Error("bob changed what ann said")
	}
}
