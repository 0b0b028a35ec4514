package jobs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/persona/card"
	"familiar/persona/jobs"
)

// grow runs the growth job once.
func (w *world) grow() jobs.GrowthResult {
	w.t.Helper()
	done, err := w.night.GrowthOnce(w.t.Context(), w.run("growth"), w.clock.Now())
	if err != nil {
		w.t.Fatal(err)
	}
	return done
}

func TestAWarmWeekChangesTraits(t *testing.T) {
	w := newWorld(t)
	w.night.Card.Traits = []card.Trait{{Name: "warm", Strength: 0.5}, {Name: "dry", Strength: 0.5}}
	if done := w.grow(); done.Version != 0 || w.all() != "" {
		t.Fatalf("before anybody talked: %+v, %q", done, w.all())
	}
	for i := range 8 {
		w.say("", "ann", fmt.Sprintf("You are wonderful, thank you so much! zq%dz", i))
	}
	w.rest(24 * time.Hour)
	done := w.grow()
	if done.Version != 1 || done.Sessions != 1 {
		t.Fatalf("%+v", done)
	}
	grown, err := card.Grown(t.Context(), w.Store, "tess")
	if err != nil {
		t.Fatal(err)
	}
	if over := w.night.Card.Grown(grown); over.Traits[0].Strength <= 0.5 || over.Traits[0].Strength > 0.53 || over.Traits[1].Strength != 0.5 {
		t.Errorf("traits: %+v", over.Traits)
	}
	if state := w.query(`SELECT state FROM growth`); strings.Contains(state, "zq") || strings.Contains(strings.ToLower(state), "ann") {
		t.Errorf("words of people: %s", state)
	}

	// A trait that the operator changes restarts there.
	w.night.Card.Traits[0].Strength = 0.8
	if over := w.night.Card.Grown(grown); over.Traits[0].Strength != 0.8 {
		t.Errorf("the operator's figure is %v", over.Traits[0].Strength)
	}

	before := w.all()
	w.clock.Advance(8 * 24 * time.Hour)
	if done := w.grow(); done.Version != 0 || w.all() != before {
		t.Errorf("a week without talk: %+v", done)
	}
}

func TestOldLessonsExpire(t *testing.T) {
	w := newWorld(t)
	source := w.say("", "ann", "Good morning.")
	for i := range 60 {
		if _, err := w.Entries.Remember(t.Context(), entry.NewMemory{
			Persona: "tess", Audience: model.Audience{Kind: model.Private, Ref: w.person("ann")}, Origin: model.OriginJob,
			Sector: model.Reflective, Kind: model.Lesson, Text: fmt.Sprintf("Lesson %d.", i), Sources: []int64{source}, JobRun: 1,
		}); err != nil {
			t.Fatal(err)
		}
	}
	if done := w.grow(); done.Gone != 10 {
		t.Errorf("%+v", done)
	}
	if texts := w.texts(model.Lesson); len(texts) != 50 || texts[0] != "Lesson 10." {
		t.Errorf("stored %d, from %q on", len(texts), texts[0])
	}
}
