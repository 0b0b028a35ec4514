package persona_test

import (
	"strings"
	"testing"
	"time"
)

func TestS12PlainWordsAskBeforeTheyForget(t *testing.T) {
	for _, w := range []struct{ ask, yes, counts, receipt string }{
		{"Forget what I told you about my shift", "yes", "1 memory", "Forgotten"},
		{"Could you please delete everything I said about my shift?", "Yes, please.", "1 memory", "Forgotten"},
		{"vergiss, was ich dir über meine shift gesagt habe", "ja", "1 Erinnerung", "vergessen"},
		{"olvida lo que te dije de mi shift", "sí", "1 recuerdo", "para siempre"},
		{"oublie ce que je t'ai dit de mon shift", "oui", "1 souvenir", "pour de bon"},
	} {
		s := play(t, nil)
		s.tells("ann", time.Minute, "My shift starts at six.", "My dog is called Rex.")
		if asked := s.say("ann", w.ask); !strings.Contains(asked, w.counts) || !strings.Contains(asked, "six") || strings.Contains(asked, "Rex") {
			t.Fatalf("%q is answered with %q", w.ask, asked)
		}
		if !s.recalls("ann", "shift") {
			t.Fatalf("%q forgets without a yes", w.ask)
		}
		if receipt := s.say("ann", w.yes); !strings.Contains(strings.ToLower(receipt), strings.ToLower(w.receipt)) || s.recalls("ann", "shift") || !s.recalls("ann", "Rex") {
			t.Errorf("%q after %q is answered with %q", w.yes, w.ask, receipt)
		}
	}
}

func TestS12AnythingElseDropsTheQuestion(t *testing.T) {
	s := play(t, nil)
	s.tells("ann", time.Minute, "My shift starts at six.")
	s.say("bob", "Hello.")
	s.say("ann", "Forget what I told you about my shift")
	if s.say("bob", "yes"); !s.recalls("ann", "shift") {
		t.Fatal("somebody else's yes was taken")
	}
	s.say("ann", "It is a nice day.")
	s.say("ann", "yes")
	if !s.recalls("ann", "shift") {
		t.Error("a yes to something else was taken")
	}
}

// TestPlainQuestionsAreThePersonas: what is asked as a friend would ask it gets the persona's answer, not a list.
func TestPlainQuestionsAreThePersonas(t *testing.T) {
	s := play(t, nil)
	s.tells("ann", time.Minute, "My dog is called Rex.")
	for _, ask := range []string{"What do you remember about me?", "was weißt du über mich?", "¿qué sabes de mí?", "que sais-tu de moi ?"} {
		if got := s.say("ann", ask); strings.Contains(got, "Facts:") || !strings.Contains(got, "Rex") {
			t.Errorf("%q is answered with %q", ask, got)
		}
	}
	if got := s.say("ann", "please stop messaging me first"); !strings.Contains(got, "/quiet off") {
		t.Errorf("it says %q", got)
	}
}

func TestS12EverythingIsListedBeforeItGoes(t *testing.T) {
	s := play(t, nil)
	s.tells("ann", time.Minute, "My shift starts at six.", "My dog is called Rex.")
	s.say("bob", "My heron is called Ned.")
	if asked := s.say("ann", "delete everything you know about me"); !strings.Contains(asked, "2 memories") || strings.Contains(asked, "Ned") {
		t.Fatalf("it asks %q", asked)
	}
	if s.say("ann", "yes"); s.recalls("ann", "Rex") || s.recalls("ann", "shift") || !s.recalls("bob", "Ned") {
		t.Error("something is left, or too much went")
	}
}
