package memory_test

import (
	"strings"
	"testing"
	"time"

	"familiar/memory/lifecycle"
	"familiar/memory/model"
)

func TestParseRule(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"promote short long when uses >= 3 and age >= 7d", "promote short long when uses >= 3 and age >= 7d"},
		{" DEMOTE  any dormant WHEN idle>2w  and utility<0.05", "demote any dormant when idle > 2w and utility < 0.05"},
		{"forget dormant when faded", "forget dormant when faded"},
		{"keep any when tag = travel and sector != episodic", "keep any when tag = travel and sector != episodic"},
	} {
		if r, err := model.ParseRule(c.text); err != nil || r.String() != c.want {
			t.Errorf("%q reads %q, %v", c.text, r, err)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"promote short long", "the word when is missing"},
		{"promote short when uses > 1", "needs two tiers"},
		{"promote long short when uses > 1", "cannot move a memory from long to short"},
		{"demote short long when uses > 1", "cannot move a memory from short to long"},
		{"forget dormant long when faded", "needs exactly one tier"},
		{"burn short when faded", `unknown action "burn"`},
		{"keep shrot when faded", `unknown tier "shrot"`},
		{"keep short when mood > 1", `unknown field "mood"`},
		{"keep short when uses", "has no comparison"},
		{"keep short when uses ! 3", "use one of"},
		{"keep short when uses > many", "must be compared with a number"},
		{"keep short when age > 7", "invalid duration"},
		{"keep short when age > 99999999999w", "invalid duration"},
		{"keep short when tag > sea", "using = or !="},
	} {
		if _, err := model.ParseRule(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

func FuzzParseRule(f *testing.F) {
	for _, text := range model.BuiltInRules {
		f.Add(text)
	}
	f.Add("keep any when tag != a and age = 0m")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := model.ParseRule(text)
		if err != nil {
			return
		}
		again, err := model.ParseRule(r.String())
		if err != nil || again.String() != r.String() {
			t.Errorf("%q reads %q, which reads %q, %v", text, r, again, err)
		}
	})
}

// TestEveryRuleFieldMatches runs a rule with each field and comparison against the store.
func TestEveryRuleFieldMatches(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "The keeper plays the accordion")
	if _, err := w.Entries.Tag(t.Context(), w.memoryOf("accordion").ID, "Sea"); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(5 * day)
	for rule, moves := range map[string]bool{
		"age >= 5d": true, "age < 5d": false, "idle > 4d": true, "idle <= 4d": false, "uses = 0": true, "uses != 0": false,
		"recalls < 1": true, "recalls > 0": false, "utility >= 1": true, "utility < 0.5": false, "salience = 0.5": true,
		"salience > 0.5": false, "strength = 1": true, "strength >= 1.5": false, "sector = episodic": true, "sector != episodic": false,
		"origin = said": true, "origin = told": false, "tag = sea": true, "tag != sea": false, "tag = land": false, "faded": false,
		"uses = 0 and tag = land": false, "uses = 0 and tag = sea": true,
	} {
		added, err := w.Lifecycle.AddRule(t.Context(), "mira", "promote short long when "+rule)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := w.Lifecycle.PlanConsolidation(t.Context(), "mira", w.clock.Now()); err != nil || (len(r.Moves) == 1) != moves {
			t.Errorf("%s: %+v, %v", rule, r.Moves, err)
		}
		if err := w.Lifecycle.RemoveRule(t.Context(), "mira", added.ID); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRulesMoveMemories(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "The keeper plays the accordion")
	w.say("", "ann", "The keeper's goat eats roses")
	id := w.memoryOf("accordion").ID
	for range 3 {
		w.recallFor("ann", "and then?", id)
	}
	w.clock.Advance(8 * day)
	would, err := w.Lifecycle.PlanConsolidation(t.Context(), "mira", w.clock.Now())
	if err != nil || len(would.Moves) != 1 || would.Moves[0].ID != id || would.Moves[0].To != model.Long ||
		would.Moves[0].Rule != "promote short long when uses >= 3 and age >= 7d" {
		t.Fatalf("would move %+v, %v", would.Moves, err)
	}
	if w.memoryOf("accordion").Tier != model.Short {
		t.Error("looking moved it")
	}
	did, err := w.Lifecycle.Consolidate(t.Context(), "mira", 1, w.clock.Now())
	if err != nil || len(did.Moves) != 1 || w.memoryOf("accordion").Tier != model.Long {
		t.Errorf("moved %+v, %v", did.Moves, err)
	}
	if again, err := w.Lifecycle.Consolidate(t.Context(), "mira", 2, w.clock.Now()); err != nil || len(again.Moves) != 0 {
		t.Errorf("moved again %+v, %v", again.Moves, err)
	}
}

func TestCustomRulesComeFirst(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "The keeper plays the accordion")
	if _, err := w.Entries.Tag(t.Context(), w.memoryOf("accordion").ID, "sea"); err != nil {
		t.Fatal(err)
	}
	kept, err := w.Lifecycle.AddRule(t.Context(), "mira", "keep any when tag = sea")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := w.Lifecycle.AddRule(t.Context(), "mira", "KEEP any when tag=sea"); err != nil || again.ID != kept.ID {
		t.Errorf("the same rule twice: %+v, %v", again, err)
	}
	w.clock.Advance(2 * lasting)
	if r, err := w.Lifecycle.PlanConsolidation(t.Context(), "mira", w.clock.Now()); err != nil || len(r.Moves) != 0 {
		t.Errorf("a rule that keeps: %+v, %v", r.Moves, err)
	}
	if f := w.decay(); f != (lifecycle.DecayResult{}) {
		t.Errorf("a rule that keeps is passed over: %s", f)
	}
	if rules, err := w.Lifecycle.Rules(t.Context(), "mira"); err != nil || rules[0].ID != kept.ID || len(rules) != 1+len(model.BuiltInRules) {
		t.Errorf("rules %v, %v", rules, err)
	}
	if err := w.Lifecycle.RemoveRule(t.Context(), "mira", kept.ID); err != nil {
		t.Fatal(err)
	}
	if f := w.decay(); f.Dormant != 1 {
		t.Errorf("without the rule: %s", f)
	}
}

func TestSmallTalkGoesDormantUnlessUsed(t *testing.T) {
	w := newTown(t)
	for _, text := range []string{"hello there", "good morning"} {
		turn := w.turn("mira", w.message("", "ann", text))
		turn.Heard[0].Annotation.Salience = 0.1
		w.record(turn)
	}
	w.recallFor("ann", "hm", w.memoryOf("hello").ID)
	w.clock.Advance(31 * day)
	if _, err := w.Lifecycle.Consolidate(t.Context(), "mira", 1, w.clock.Now()); err != nil {
		t.Fatal(err)
	}
	if a, b := w.memoryOf("hello").Tier, w.memoryOf("good").Tier; a != model.Short || b != model.Dormant {
		t.Errorf("the used one is %s, the other %s", a, b)
	}
}

func TestPromoteAndDemoteByHand(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "The keeper plays the accordion")
	id := w.memoryOf("accordion").ID
	for _, step := range []struct {
		to   func(model.Tier) model.Tier
		want model.Tier
	}{
		{model.Tier.Promoted, model.Long},
		{model.Tier.Promoted, model.Long},
		{model.Tier.Demoted, model.Short},
		{model.Tier.Demoted, model.Dormant},
		{model.Tier.Demoted, model.Dormant},
		{model.Tier.Promoted, model.Short},
	} {
		w.clock.Advance(time.Hour)
		if m, err := w.Lifecycle.MoveTier(t.Context(), id, step.to); err != nil || m.Tier != step.want || !m.ForgetAt.Equal(w.clock.Now().Add(lasting).Truncate(time.Millisecond)) {
			t.Errorf("%+v, %v, want %s", m, err, step.want)
		}
	}
}
