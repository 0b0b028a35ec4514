package persona_test

import (
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/link"
	"familiar/memory/training"
)

// agreed returns what somebody on a network said about training.
func (s *stage) agreed(network, who string) training.Consent {
	s.t.Helper()
	p, err := s.store.Log.PersonByHandle(s.t.Context(), channels.Handle{Channel: network, ID: who})
	if err != nil {
		s.t.Fatal(err)
	}
	c, err := s.store.Training.Consent(s.t.Context(), "tess", p.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

// TestTrainingIsAgreedToInEveryLanguage gives the consent, asks for it and takes it back, in the four languages.
func TestTrainingIsAgreedToInEveryLanguage(t *testing.T) {
	for language, said := range map[string]struct{ none, on, given, off, plain string }{
		"en": {"not used to train", "Agreed:", "You agreed on", "from now on", "Please don't use my messages to train models"},
		"de": {"keine Modelle trainiert", "Einverstanden:", "Du hast am", "ab jetzt", "Bitte trainiere keine Modelle mit meinen Nachrichten"},
		"es": {"no se usan para entrenar", "De acuerdo:", "permitiste", "Desde ahora", "No uses mis mensajes para entrenar modelos"},
		"fr": {"ne servent pas", "D'accord :", "tu as permis", "Désormais", "N'utilise pas mes messages pour entraîner des modèles"},
	} {
		t.Run(language, func(t *testing.T) {
			s := play(t, nil)
			s.say("ann", "/language "+language)
			ask := func(words, want string, given bool) {
				t.Helper()
				if answer := s.say("ann", words); !strings.Contains(answer, want) {
					t.Errorf("%q is answered %q, want %q", words, answer, want)
				}
				if c := s.agreed("desk", "ann"); c.Given != given {
					t.Errorf("after %q it is %+v", words, c)
				}
			}
			ask("/training", said.none, false)
			ask("/training on", said.on, true)
			at := s.agreed("desk", "ann").At
			s.clock.Advance(time.Hour)
			ask("/training on", said.on, true)
			if again := s.agreed("desk", "ann").At; !again.Equal(at) {
				t.Errorf("saying yes again moves it from %v to %v", at, again)
			}
			ask("/training", said.given, true)
			ask("/training off", said.off, false)
			ask("/training on", said.on, true)
			ask(said.plain, said.off, false)
		})
	}
}

// TestTrainingNeedsAClearYes says things that must not count as a consent.
func TestTrainingNeedsAClearYes(t *testing.T) {
	s := play(t, nil)
	for _, said := range []string{"/training", "/training maybe", "/training off", "You may train on my data", "yes", "/training on?"} {
		s.say("ann", said)
		if s.agreed("desk", "ann").Given {
			t.Fatalf("%q is taken for a yes", said)
		}
	}
	m := s.group("ann", "/training on", true)
	m.PrivateReply = true
	if said := s.answer(m); !strings.Contains(said, "direct talk only") {
		t.Errorf("in a group it says %q", said)
	}
	s.answer(s.group("ann", "/training on", true))
	if s.agreed("desk", "ann").Given {
		t.Error("a group counts")
	}
}

// TestTrainingIsTakenBackInDoubt takes a consent back in words that are not the command's own, and in a group.
func TestTrainingIsTakenBackInDoubt(t *testing.T) {
	s := play(t, nil)
	for _, said := range []string{"/training no", "/training stop", "/training off please", "/training nein", "/training on no", "Don't use what I say for training."} {
		s.say("ann", "/training on")
		if answer := s.say("ann", said); s.agreed("desk", "ann").Given || !strings.Contains(answer, "from now on") && !strings.Contains(answer, "ab jetzt") {
			t.Errorf("%q is answered %q, and it is %+v", said, answer, s.agreed("desk", "ann"))
		}
	}
	s.say("ann", "/training on")
	direct := s.agreed("desk", "ann").RoomID
	if answer := s.answer(s.group("ann", "/training off", true)); s.agreed("desk", "ann").Given || !strings.Contains(answer, "from now on") {
		t.Errorf("in a group it is answered %q", answer)
	}
	if c := s.agreed("desk", "ann"); c.RoomID != direct {
		t.Errorf("it was agreed to in room %d, and now in %d", direct, c.RoomID)
	}
}

// TestTrainingOfLinkedPeopleNeedsBothYes joins accounts of which one, the other or both agreed.
func TestTrainingOfLinkedPeopleNeedsBothYes(t *testing.T) {
	for _, c := range []struct {
		name                 string
		telegram, discord    bool
		joined, part, parted bool // together, then each apart
	}{
		{"none", false, false, false, false, false},
		{"the first", true, false, false, false, false},
		{"the other", false, true, false, false, false},
		{"both", true, true, true, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHall(t)
			for network, yes := range map[string]bool{"telegram": c.telegram, "discord": c.discord} {
				h.sayOn(network, "ann", "Hello")
				if yes {
					h.sayOn(network, "ann", "/training on")
				}
			}
			one, other := h.person("telegram", "ann"), h.person("discord", "ann")
			if err := h.store.Links.Join(t.Context(), one, other, "tess"); err != nil {
				t.Fatal(err)
			}
			if got := h.agreed("discord", "ann").Given; got != c.joined {
				t.Errorf("together: %v", got)
			}
			if _, err := h.store.Links.Separate(t.Context(), one, "discord", "tess", func(link.Separated) []link.Notice { return nil }); err != nil {
				t.Fatal(err)
			}
			if on, off := h.agreed("telegram", "ann").Given, h.agreed("discord", "ann").Given; on != c.part || off != c.parted {
				t.Errorf("apart: %v and %v", on, off)
			}
		})
	}
}

// TestS12TrainingGoesWithThePerson erases somebody who agreed.
func TestS12TrainingGoesWithThePerson(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "/training on")
	p, err := s.store.Log.PersonByHandle(t.Context(), channels.Handle{Channel: "desk", ID: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.store.Eraser.ErasePerson(t.Context(), p.ID); err != nil {
		t.Fatal(err)
	}
	if all, err := s.store.Training.Consents(t.Context(), p.ID); err != nil || len(all) > 0 {
		t.Errorf("left are %v, %v", all, err)
	}
	s.clock.Advance(time.Hour)
	s.say("ann", "Hello again")
	if s.agreed("desk", "ann").Given {
		t.Error("the newcomer of the same account agreed")
	}
}
