package scene

// C2: what the person or the operator asked not to be spoken of is found in an answer, by the words of the wish in its
// language, unless the person brings it up themselves.

import (
	"slices"
	"strings"
	"testing"

	"familiar/memory/model"
	"familiar/memory/understand/rel"
	"familiar/persona/card"
)

func TestC2TopicsOfWishes(t *testing.T) {
	for _, tt := range []struct{ wish, in, out string }{
		{"never mention my divorce", "How is the divorced life?", "How is life in the new flat?"},
		{"Don't bring up my ex husband Tom", "Has Tom called?", "Has the plumber called?"},
		{"stop talking about work or my boss", "Your boss sounds tired.", "Your dog sounds tired."},
		{"Never talk about politics when my son is here", "What a day for politics!", "How is your son?"},
		{"never say the word sorry", "I am sorry to hear that.", "I am glad to hear that."},
		{"Erwähne nie meine Scheidung", "Ist der Scheidungstermin schon da?", "Ist der Sommer schon da?"},
		{"sprich bitte nicht über meinen Vater", "Dein Vater hätte das gemocht.", "Deine Katze hätte das gemocht."},
		{"no menciones a mi hermano", "¿Y tu hermano?", "¿Y tu gato?"},
		{"No hables del accidente", "Desde el accidente duermes mal.", "Desde ayer duermes mal."},
		{"ne parle jamais de mon père", "Ton père appelle ?", "Ton chat appelle ?"},
		{"non parlare del mio lavoro", "Come va il lavoro?", "Come va il giardino?"},
		{"não fale sobre a minha mãe", "E a sua mãe?", "E o seu gato?"},
		{"praat niet over mijn ontslag", "Hoe gaat het na je ontslag?", "Hoe gaat het na je reis?"},
		{"не говори о моей работе", "Как там работа?", "Как там сад?"},
		{"離婚の話はしないでください", "離婚はどうなりましたか。", "庭はどうなりましたか。"},
	} {
		topics := topicsOf(tt.wish, false)
		hits := func(said string) bool { return slices.ContainsFunc(topics, func(x Topic) bool { return x.In(said) }) }
		if len(topics) == 0 || !hits(tt.in) || hits(tt.out) {
			var all []string
			for _, x := range topics {
				all = append(all, strings.Join(x.Words(), " "))
			}
			t.Errorf("%q: topics %q; %q: %v; %q: %v", tt.wish, all, tt.in, hits(tt.in), tt.out, hits(tt.out))
		}
	}
}

func TestC2WhatIsNoSuchWish(t *testing.T) {
	for _, said := range []string{
		"I never talk about work with my mother", "don't talk like a robot", "never use emoji", "call me Captain", "don't worry about the dishes",
		"we did not mention the price to him", "Ich rede nie über Geld", "stop it", "do not say that", "No hablo de mi trabajo en casa",
	} {
		if topics := topicsOf(said, false); len(topics) > 0 && said != "never use emoji" {
			t.Errorf("%q: %q", said, topics[0].Words())
		}
	}
}

func TestC2ForbiddenUnlessThePersonBringsItUp(t *testing.T) {
	s := Scene{
		Direct: true, Person: model.Person{ID: 7}, Card: &card.Card{Boundaries: []string{"Never mentions the old owner Wilkins.", "Keeps secrets."}},
		Beliefs: []model.Belief{{Relation: rel.Wish, Status: model.Active, SubjectPerson: 7, AuthorID: 7, Value: "never mention my divorce"}},
	}
	for said, want := range map[string]int{"hello": 2, "my divorce is through": 1, "who was Wilkins?": 1} {
		s.Incoming = []Line{{PersonID: 7, Text: said}}
		if got := s.Forbidden(); len(got) != want {
			t.Errorf("%q: %d topics, want %d", said, len(got), want)
		}
	}
}

func TestC2LimitsOfTheCardsForbidNoTopic(t *testing.T) {
	all, err := card.Cards("")
	if err != nil || len(all) == 0 {
		t.Fatal(err)
	}
	for _, entry := range all {
		c, err := card.LoadCard("", entry.Key)
		if err != nil {
			t.Fatal(err)
		}
		s := Scene{Card: c}
		for _, topic := range s.Forbidden() {
			t.Errorf("%s: %q is read as %q", c.Key, topic.Wish, topic.Words())
		}
	}
}
