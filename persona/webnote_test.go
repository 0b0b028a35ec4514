package persona_test

import (
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/persona"
	"familiar/persona/plain"
	"familiar/persona/webnote"
)

const sourdough = "A loaf of sourdough bread keeps for about a week, because its acid slows mould."

// readsWeb lets the persona read on the web.
func readsWeb(p *persona.Parts) { p.Settings.ReadsWeb = true }

// foundOnWeb stores a sentence about a topic for an audience, as the job does.
func (s *stage) foundOnWeb(a model.Audience, topic, text string, sources ...int64) {
	s.t.Helper()
	note := webnote.Note{Title: "Bread", Site: "The Bakers", Address: "https://bread.test/keep", Read: s.clock.Now(), Text: text}
	done, err := s.store.Lifecycle.Infer(s.t.Context(), "tess", 1, []lifecycle.Inference{{
		Audience: a, Kind: model.Web, Sector: model.Semantic, Text: note.String(), Salience: 0.4, Sources: sources, Entities: []string{topic},
	}})
	if err != nil || done.Memories != 1 {
		s.t.Fatalf("%+v, %v", done, err)
	}
}

// inClub has somebody speak to the persona in a group.
func (s *stage) inClub(who, text string) string {
	m := s.message(who, text)
	m.Room, m.Direct, m.RoomTitle = channels.Room{Channel: "desk", ID: "club"}, false, "Club"
	return s.answer(m)
}

// meet makes people acquainted with the persona in their direct rooms.
func (s *stage) meet(who, text string) {
	for range 2 {
		s.say(who, text)
		s.clock.Advance(24 * time.Hour)
	}
}

var everybody = model.Audience{Kind: model.World}

func TestAGreetingTellsOnceWhatSomebodyCaresFor(t *testing.T) {
	s := play(t, readsWeb)
	s.meet("ann", "I like sourdough bread.")
	s.meet("bob", "I like chess.")
	s.foundOnWeb(everybody, "sourdough bread", sourdough)
	if said := s.arrive("bob"); strings.Contains(said, "bread") {
		t.Errorf("to somebody who does not care: %q", said)
	}
	said := s.arrive("ann")
	if !strings.Contains(said, "bread.test") || !strings.Contains(said, "keeps for about a week") || strings.Contains(said, "The Bakers") {
		t.Errorf("to somebody who cares: %q", said)
	}
	for range 3 {
		s.clock.Advance(24 * time.Hour)
		if said := s.arrive("ann"); strings.Contains(said, "keeps for about a week") {
			t.Errorf("again: %q", said)
		}
	}
	s.meet("dora", "I like sourdough bread.")
	s.clock.Advance(40 * 24 * time.Hour)
	if said := s.arrive("dora"); strings.Contains(said, "keeps for about a week") {
		t.Errorf("after weeks: %q", said)
	}
}

// TestAGreetingTellsInTheLanguageOfThePage greets in each language of the plain voice; a page in another one is not quoted.
func TestAGreetingTellsInTheLanguageOfThePage(t *testing.T) {
	for name, c := range map[string]struct{ likes, topic, page, told string }{
		"German":           {"Ich mag Sauerteigbrot sehr gern und backe es jeden Sonntag.", "sauerteigbrot", "Ein Sauerteigbrot hält sich etwa eine Woche, weil die Säure den Schimmel bremst.", "eine Woche"},
		"Spanish":          {"Me gusta mucho el ajedrez y juego todos los domingos.", "ajedrez", "El ajedrez es un juego de mesa para dos personas que nació en la India.", "dos personas"},
		"French":           {"J'aime beaucoup les échecs et je joue tous les dimanches.", "échecs", "Les échecs sont un jeu de société pour deux personnes qui est né en Inde.", "deux personnes"},
		"another language": {"I like sourdough bread.", "sourdough bread", "Ein Laib sourdough bread hält sich etwa eine Woche, weil die Säure den Schimmel bremst.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := play(t, readsWeb)
			s.meet("ann", c.likes)
			ann, err := s.store.Log.PersonByHandle(t.Context(), channels.Handle{Channel: "desk", ID: "ann"})
			if err != nil {
				t.Fatal(err)
			}
			if c.told != "" {
				tag := map[string]string{"German": "de", "Spanish": "es", "French": "fr"}[name]
				if err := s.store.Log.SetLanguage(t.Context(), ann.ID, tag); err != nil {
					t.Fatal(err)
				}
			}
			s.foundOnWeb(everybody, c.topic, c.page)
			said := s.arrive("ann")
			if c.told == "" && strings.Contains(said, "bread.test") || !strings.Contains(said, c.told) {
				t.Errorf("greeted with %q", said)
			}
		})
	}
}

func TestAReplyTellsOnceWhatItIsAbout(t *testing.T) {
	voice := &shown{Voice: plain.New()}
	s := play(t, func(p *persona.Parts) { readsWeb(p); p.Voice = voice })
	s.meet("ann", "Hello.")
	s.foundOnWeb(everybody, "sourdough bread", sourdough)
	s.say("ann", "Good morning.")
	for _, c := range []struct {
		text string
		told bool
	}{
		{"I went to the harbour today.", false},
		{"My sourdough bread did not rise today.", true},
		{"Another loaf of sourdough bread is in the oven.", false},
	} {
		said := s.say("ann", c.text)
		if told := strings.Contains(said, "keeps for about a week"); told != c.told || strings.Contains(voice.prompt, "may tell them once") != c.told {
			t.Errorf("%q: told %v in %q, prompt:\n%s", c.text, told, said, voice.prompt)
		}
		if c.told && strings.Count(voice.prompt, "keeps for about a week") > 1 {
			t.Errorf("%q: shown twice in\n%s", c.text, voice.prompt)
		}
	}
	if said := s.say("ann", "How long does sourdough bread keep?"); !strings.Contains(said, "about a week") {
		t.Errorf("asked for: %q", said)
	}
}

// TestS1S2WhatOthersCareForIsNotBroughtUp keeps what was read for a group, and what people like in private, from everybody else.
func TestS1S2WhatOthersCareForIsNotBroughtUp(t *testing.T) {
	s := play(t, readsWeb)
	s.meet("ann", "I like sourdough bread.")
	s.meet("carl", "I like sourdough bread.")
	s.inClub("carl", "Hello everybody.")
	s.inClub("ann", "I bake sourdough bread, and canaryclub helps me.")
	s.clock.Advance(48 * time.Hour)
	club, err := s.store.Log.RoomByAddress(t.Context(), channels.Room{Channel: "desk", ID: "club"})
	if err != nil {
		t.Fatal(err)
	}
	recent, err := s.store.Lifecycle.SaidSince(t.Context(), "tess", club.Audience(), 0, time.Time{}, 100)
	if err != nil || len(recent) == 0 {
		t.Fatal(recent, err)
	}
	var source int64
	for _, m := range recent {
		if strings.Contains(m.Text, "canaryclub") {
			source = m.Sources[0]
		}
	}
	s.foundOnWeb(club.Audience(), "sourdough bread", sourdough, source)
	if said := s.arrive("carl"); strings.Contains(said, "keeps for about a week") || strings.Contains(said, "canary") {
		t.Errorf("to a member who did not speak of it: %q", said)
	}
	s.meet("zoe", "I like sourdough bread.")
	if said := s.arrive("zoe"); strings.Contains(said, "keeps for about a week") {
		t.Errorf("to a stranger to the group: %q", said)
	}
	if said := s.arrive("ann"); !strings.Contains(said, "keeps for about a week") || strings.Contains(said, "canary") {
		t.Errorf("to who spoke of it: %q", said)
	}
	// What somebody likes in private decides nothing in a group.
	s.meet("eve", "I like astronomy.")
	s.inClub("eve", "Hi there.")
	s.clock.Advance(48 * time.Hour)
	s.foundOnWeb(everybody, "astronomy", "In astronomy a year of Mercury is only about three months long.")
	if said := s.inClub("eve", "hello"); strings.Contains(said, "Mercury") {
		t.Errorf("in a group: %q", said)
	}
	s.clock.Advance(24 * time.Hour)
	if said := s.arrive("eve"); !strings.Contains(said, "Mercury") {
		t.Errorf("in private: %q", said)
	}
}

// TestWhoComesWithSomethingIsToldOnlyAboutThat greets somebody who came with news.
func TestWhoComesWithSomethingIsToldOnlyAboutThat(t *testing.T) {
	s := play(t, readsWeb)
	s.meet("ann", "I like sourdough bread.")
	s.clock.Advance(48 * time.Hour)
	s.foundOnWeb(everybody, "sourdough bread", sourdough)
	if said := s.say("ann", "I moved to a house by the harbour."); strings.Contains(said, "keeps for about a week") {
		t.Errorf("about something else: %q", said)
	}
	s.clock.Advance(48 * time.Hour)
	if said := s.say("ann", "My sourdough bread did not rise."); strings.Count(said, "keeps for about a week") != 1 {
		t.Errorf("about that: %q", said)
	}
}

func TestNothingOfTheWebIsBroughtUpUnlessThePersonaReads(t *testing.T) {
	s := play(t, nil)
	s.meet("ann", "I like sourdough bread.")
	s.foundOnWeb(everybody, "sourdough bread", sourdough)
	if said := s.arrive("ann"); strings.Contains(said, "keeps for about a week") {
		t.Errorf("greeted with %q", said)
	}
	if said := s.say("ann", "My sourdough bread did not rise today."); strings.Contains(said, "keeps for about a week") {
		t.Errorf("answered %q", said)
	}
}

func TestWhatSomebodyDoesNotWantToHearOfIsNotBroughtUp(t *testing.T) {
	s := play(t, readsWeb)
	s.meet("ann", "I like sourdough bread.")
	s.say("ann", "Please never talk about mould with me.")
	s.clock.Advance(24 * time.Hour)
	s.foundOnWeb(everybody, "sourdough bread", sourdough)
	if said := s.arrive("ann"); strings.Contains(said, "keeps for about a week") {
		t.Errorf("greeted with %q", said)
	}
}
