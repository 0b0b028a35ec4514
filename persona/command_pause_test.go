package persona_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"familiar/memory/memorytest"
	"familiar/persona"
)

func TestPauseHearsAndKeepsNothingUntilItEnds(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "My dog is called Rex.")
	if said := s.say("ann", "/pause"); !strings.Contains(said, "no longer listen") {
		t.Fatalf("/pause says %q", said)
	}
	s.clock.Advance(time.Minute)
	if said := s.say("ann", "My cat is called zq9z."); said != "" {
		t.Errorf("it answers %q", said)
	}
	if said := s.answer(s.group("ann", "@tess my cat is called zq9z", true)); said != "" {
		t.Errorf("it answers in a group: %q", said)
	}
	if said := s.arrive("ann"); said != "" {
		t.Errorf("it greets: %q", said)
	}
	if said := s.say("bob", "My heron is called Ned."); said == "" {
		t.Error("others are not answered either")
	}
	if !s.recalls("ann", "Rex") {
		t.Error("commands are not answered")
	}
	for _, file := range []string{s.store.Path(), s.store.Path() + "-wal"} {
		if bytes, err := os.ReadFile(file); err == nil && strings.Contains(string(bytes), "zq9z") {
			t.Errorf("%s holds what was said meanwhile", file)
		}
	}
	if said := s.say("ann", "/pause off"); !strings.Contains(said, "listen to you again") {
		t.Errorf("/pause off says %q", said)
	}
	if said := s.say("ann", "My cat is called Tom."); said == "" || !s.recalls("ann", "Tom") || s.recalls("ann", "zq9z") {
		t.Error("it does not listen again, or remembers what it should not")
	}
}

func TestPauseHoldsAfterARestartAndInTheGroupOnly(t *testing.T) {
	clock := &memorytest.Clock{}
	store := memorytest.OpenAt(t, clock)
	s := playOn(t, store, clock, nil)
	s.say("ann", "My dog is called Rex.")
	if said := s.answer(s.group("ann", "/pause", true)); !strings.Contains(said, "in this group") {
		t.Fatalf("/pause says %q", said)
	}
	s.quit()
	s = playOn(t, store, clock, func(p *persona.Parts) { p.Settings.SessionGap = time.Hour })
	s.n = 100
	if said := s.answer(s.group("ann", "@tess I like the garden", true)); said != "" {
		t.Errorf("it answers in the group: %q", said)
	}
	if said := s.answer(s.group("bob", "@tess I like the pond", true)); said == "" {
		t.Error("bob is not answered")
	}
	if said := s.say("ann", "What is my dog called?"); !strings.Contains(said, "Rex") {
		t.Errorf("in her own room it says %q", said)
	}
	if s.recalls("ann", "garden") {
		t.Error("it remembers what was said in the group")
	}
}

func TestPauseDropsWhatIsStillWaiting(t *testing.T) {
	v, busy, free := holdFirst()
	s := play(t, func(p *persona.Parts) { p.Voice = v })
	s.hear(s.message("ann", "Hello"))
	<-busy
	s.hear(s.message("ann", "/pause"))
	s.hear(s.message("ann", "My cat is called zq9z."))
	close(free)
	s.rest()
	if s.recalls("ann", "zq9z") {
		t.Error("it heard what was said after the pause")
	}
}

func TestLanguageIsTheOneAPersonChose(t *testing.T) {
	s, seen := watched(t)
	if said := s.say("ann", "/language klingon"); !strings.Contains(said, "no language") {
		t.Errorf("of an unknown one it says %q", said)
	}
	s.say("ann", "/language Deutsch")
	if !seen("Answer in German", s.message("ann", "What a day it was.")) {
		t.Error("the model is not told")
	}
	s.say("ann", "/language off")
	if seen("Answer in German", s.message("ann", "What a day it was.")) {
		t.Error("the model is still told")
	}
	p := play(t, nil)
	p.say("ann", "/language de")
	if said := p.say("ann", "What is my dog called?"); !strings.ContainsAny(said, "äöüß") && !strings.Contains(said, "ich") && !strings.Contains(said, "nicht") {
		t.Errorf("the plain voice says %q", said)
	}
}
