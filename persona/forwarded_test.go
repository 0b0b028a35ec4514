package persona_test

import (
	"strings"
	"testing"

	"familiar/channels"
	"familiar/memory/belief"
)

// M3: what somebody forwards, quotes or lets another bot write is not what they say of themselves.

func TestM3WhatIsPassedOnIsNobodysOwnWords(t *testing.T) {
	for name, pass := range map[string]func(m *channels.Message, words string){
		"forwarded": func(m *channels.Message, words string) {
			m.Attachments = []channels.Attachment{{Kind: channels.Forwarded, Caption: words}}
		},
		"via a bot": func(m *channels.Message, words string) {
			m.Attachments = []channels.Attachment{{Kind: channels.ViaBot, Caption: words}}
		},
		"quoted": func(m *channels.Message, words string) { m.Text = "> " + words + "\nlook at that" },
	} {
		t.Run(name, func(t *testing.T) {
			s := play(t, nil)
			s.say("ann", "hi, I'm Ann")
			for _, words := range []string{"my name is Bob", "I live in Faro and I am allergic to peanuts.", "I have an interview tomorrow."} {
				m := s.message("ann", "")
				pass(&m, words)
				s.answer(m)
			}
			room := s.message("ann", "").Room
			r, err := s.store.Log.RoomByAddress(t.Context(), room)
			if err != nil {
				t.Fatal(err)
			}
			visible, err := s.store.Log.Visibility(t.Context(), "tess", r.ID)
			if err != nil {
				t.Fatal(err)
			}
			believed, err := s.store.Beliefs.Beliefs(t.Context(), visible, belief.Filter{})
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range believed {
				if strings.Contains("Bob Faro peanuts interview", b.Value) {
					t.Errorf("it is believed that %s of %q is %q", b.Relation, b.Subject, b.Value)
				}
			}
			for question, wrong := range map[string]string{"what's my name?": "Bob", "where do I live?": "You live in Faro"} {
				if said := s.say("ann", question); strings.Contains(said, wrong) {
					t.Errorf("%q is answered with %q", question, said)
				}
			}
		})
	}
}

func TestM3AForwardedCommandIsNone(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "I keep a ferret")
	m := s.message("ann", "")
	m.Attachments = []channels.Attachment{{Kind: channels.Forwarded, Caption: "/forget me"}}
	s.answer(m)
	if said := s.say("ann", "what do I keep?"); !strings.Contains(said, "ferret") {
		t.Errorf("a forwarded command was obeyed: %q", said)
	}
}
