package jobs_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/internal/llm"
	"familiar/memory/model"
	"familiar/prompts"
)

// P15: a portrait of each person is written from sourced facts and checked against them; there is one per person and scope,
// each version replaces the one before, and it vanishes with what it rests on.

// portraitist is a model that draws with the given sentences, of which its second reading finds some in the facts.
func portraitist(t *testing.T, said string, sentences ...prompts.Statement) *llm.Scripted {
	return llm.Answering(func(p prompts.Prompt) string {
		if p.Name == "check" {
			return said
		}
		raw, err := json.Marshal(map[string]any{"portrait": sentences})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	})
}

func TestP15PortraitsAreWrittenFromFacts(t *testing.T) {
	w := newWorld(t)
	w.say("", "ann", "My name is Ann.")
	w.say("", "ann", "I live in Lisbon.")
	allergy := w.say("", "ann", "I'm allergic to peanuts.")
	draw := func(said string, sentences ...prompts.Statement) {
		t.Helper()
		w.night.Model = portraitist(t, said, sentences...)
		if _, err := w.night.PortraitOnce(t.Context(), w.run("portrait"), w.clock.Now()); err != nil {
			t.Fatal(err)
		}
	}
	portraits := func() (active []string) {
		t.Helper()
		drawn, err := w.Lifecycle.InferencesAbout(t.Context(), w.hearing("ann"), w.person("ann"), model.Portrait, 5)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range drawn {
			active = append(active, m.Text)
		}
		return active
	}
	everything := prompts.Statement{Text: "Ann lives in Lisbon and is allergic to peanuts.", From: []int{1, 2, 3}}
	draw(`{"said": ["A"]}`, everything,
		prompts.Statement{Text: "She resents her mother.", From: []int{1}},
		prompts.Statement{Text: "She has two dogs with Bruno.", From: []int{1}},
		prompts.Statement{Text: "She is 41.", From: []int{2}},
		prompts.Statement{Text: "She likes it there.", From: []int{9}})
	if got := portraits(); !slices.Equal(got, []string{everything.Text}) {
		t.Fatalf("portraits are %q", got)
	}

	w.clock.Advance(24 * time.Hour)
	w.say("", "ann", "I work as a nurse.")
	newer := prompts.Statement{Text: "Ann is a nurse in Lisbon with an allergy to peanuts.", From: []int{1, 2, 3, 4}}
	draw(`{"said": ["A"]}`, newer)
	if got := portraits(); !slices.Equal(got, []string{newer.Text}) {
		t.Errorf("the second version is %q", got)
	}
	draw(`{"said": ["A"]}`, everything) // nothing new was said
	if got := portraits(); !slices.Equal(got, []string{newer.Text}) {
		t.Errorf("drawn again without news: %q", got)
	}

	memories, err := w.Log.MemoriesFromMessages(t.Context(), []int64{allergy})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range memories {
		if _, err := w.Eraser.Forget(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if got := portraits(); len(got) != 0 {
		t.Errorf("left after forgetting: %q", got)
	}
	if left := w.query(`SELECT text FROM memories WHERE kind = 'portrait'`); strings.Contains(left, "peanuts") {
		t.Errorf("left in the store: %q", left)
	}
}

func TestP15NoPortraitWithoutProof(t *testing.T) {
	for name, answer := range map[string]string{"the second reading denies it": `{"said": []}`, "no second reading": "I cannot say."} {
		w := newWorld(t)
		for _, fact := range []string{"My name is Ann.", "I live in Lisbon.", "I work as a nurse."} {
			w.say("", "ann", fact)
		}
		w.night.Model = portraitist(t, answer, prompts.Statement{Text: "Ann resents Lisbon.", From: []int{1, 2}})
		done, err := w.night.PortraitOnce(t.Context(), w.run("portrait"), w.clock.Now())
		if err != nil || done.Memories != 0 || done.People != 1 {
			t.Errorf("%s: %+v, %v", name, done, err)
		}
	}
}
