package memory_test

import (
	"slices"
	"testing"
)

func TestRecallInARoomOfSeveralLanguages(t *testing.T) {
	w := newTown(t)
	const room = "house"
	cats := "Wir haben gestern zwei Kätzchen aus dem Tierheim geholt"
	boat := "My uncle sold the boat because nobody would sail it"
	keys := "Я вчера потеряла ключи от гаража в автобусе"
	w.say(room, "ann", cats)
	w.smallTalk(room, "bo")
	w.say(room, "bo", boat)
	w.say(room, "ann", "Das freut mich für dich und deine Familie")
	w.say(room, "vera", keys)
	w.say(room, "vera", "А сегодня опять идёт дождь")
	for question, want := range map[string]string{
		"Woher kommen denn Anns Katzen, aus einem Tierheime?": cats,
		"Which boats did they stop sailing?":                  boat,
		"Где Вера теряла ключ от гаражей?":                    keys,
	} {
		hits := hitTexts(w.ask(room, "bo", question))
		if len(hits) == 0 || hits[0] != want {
			t.Errorf("%q found %q", question, hits)
		}
	}
}

func TestRecallReadsTheFirstWordsInThePersonasLanguage(t *testing.T) {
	w := newTown(t)
	const first = "Rote Häuser überall!"
	w.say("", "ann", first)
	if hits := strongTexts(w.ask("", "ann", "Haus?")); slices.Contains(hits, first) {
		t.Fatalf("found as English already: the test proves nothing")
	}
	w.Recall.SetLanguage("mira", "de-AT")
	if hits := strongTexts(w.ask("", "ann", "Haus?")); !slices.Contains(hits, first) {
		t.Errorf("found %q", hits)
	}
}
