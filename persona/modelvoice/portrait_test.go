package modelvoice_test

import (
	"strings"
	"testing"

	"familiar/memory/belief"
	"familiar/memory/model"
)

// P6: people around somebody are shown where they matter, also as others told of them.
// P15: the portrait stands first, and says each thing once and nothing outdated.
// F3: what a model may have misunderstood is asked about beside what is known.

func TestP15ThePortraitStandsFirstAndOnlyHolds(t *testing.T) {
	s := ask("hi",
		believed(1, "owns", "boat", "Ana owns a blue boat in the harbour."),
		believed(2, "pet", "Bolt", "Ana has a dog called Bolt."))
	moved := believed(3, "works_as", "baker", "Ana works as a baker in Olhão.")
	moved.Status, moved.SupersededBy, moved.ReplacedWhy, moved.Updated = model.Superseded, 4, belief.ChangeChanged, noon
	s.Beliefs = append(s.Beliefs, moved)
	s.Portrait = model.Memory{
		Kind: model.Portrait, Created: noon.AddDate(0, 0, -2),
		Text: "Ana owns a blue boat in the harbour. Ana works as a baker in Olhão. Ana has a dog called Bolt.",
	}
	got := shown(s)
	if !strings.Contains(got, "portrait: Ana owns a blue boat in the harbour. Ana has a dog called Bolt.") {
		t.Errorf("the portrait is missing: %s", got)
	}
	for _, once := range []string{"blue boat", "called Bolt"} {
		if strings.Count(got, once) != 1 {
			t.Errorf("%q stands %d times: %s", once, strings.Count(got, once), got)
		}
	}
	if strings.Contains(got, "baker") {
		t.Errorf("what is outdated is shown: %s", got)
	}
}

func TestP6OthersAreShownWhereTheyMatter(t *testing.T) {
	of := func(id int64, relation, value, sentence string) model.Belief {
		b := believed(id, relation, value, sentence)
		b.AuthorID, b.Author, b.SubjectPerson, b.Subject = 9, "Beto", 9, "Beto"
		return b
	}
	s := ask("what do I bring to the dinner, Beto comes too")
	s.Around = []model.Belief{
		of(1, "event", "off", "The wedding of Beto is off."),
		of(2, "likes", "chess", "He likes chess."),
		of(3, "health", "diabetic", "Somebody is diabetic."),
	}
	got := shown(s)
	if !strings.Contains(got, "wedding of Beto") || strings.Contains(got, "chess") {
		t.Errorf("what bears on the talk is missing, or something else is shown: %s", got)
	}
	if !strings.Contains(got, "diabetic") {
		t.Errorf("what may harm somebody is missing: %s", got)
	}
}

func TestF3WhatMayBeMisunderstoodIsAskedAbout(t *testing.T) {
	s := ask("hi", believed(1, "lives_in", "Faro", "Ana lives in Faro."))
	s.ToConfirm = &belief.Confirmation{Belief: believed(2, "lives_in", "Porto", "Ana lives in Porto."), Instead: s.Beliefs[0]}
	if got := shown(s); !strings.Contains(got, "ask whether it is right when it fits: Ana lives in Porto. (so far: Ana lives in Faro.)") {
		t.Errorf("it is not asked: %s", got)
	}
	for answer, asked := range map[string]bool{
		"Did I get that right, you live in Porto?": true, "Porto is lovely.": false, "How are you?": false,
	} {
		if got := len(s.AskedToConfirm(answer)) == 1; got != asked {
			t.Errorf("%q: asked is %v", answer, got)
		}
	}
}
