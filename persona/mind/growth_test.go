package mind_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"familiar/persona/mind"
)

var card = map[string]float64{"warm": 0.85, "reserved": 0.1, "curious": 0, "plain-spoken": 0.75}

// warmWeek is a week in which people were warm.
var warmWeek = mind.Week{
	Sessions: 4, Facts: mind.SessionFacts{Messages: 60, Warm: 12, NewTopics: 5}, Mood: mind.Mood{Valence: 0.7, Energy: 0.8},
	Skills: map[mind.Skill]mind.Figure{mind.Listening: {Confidence: 0.8, Peak: 0.9, Trend: mind.Stable, Sessions: 9}},
}

func TestSnapshot(t *testing.T) {
	one := mind.Snapshot(mind.Grown{}, card, warmWeek)
	if one.Version != 1 || one.Traits["warm"] <= 0 || one.Traits["reserved"] >= 0 || one.Traits["plain-spoken"] != 0 ||
		one.Mood.Valence <= 0 || one.Skills[mind.Listening].Confidence != 0.8 {
		t.Errorf("a warm week grew %+v", one)
	}
	if silent := mind.Snapshot(one, card, mind.Week{}); !reflect.DeepEqual(silent, one) {
		t.Errorf("a silent week grew %+v", silent)
	}
	still := mind.Week{Sessions: 1, Mood: mind.Temperament(nil)}
	if same := mind.Snapshot(mind.Grown{}, nil, still); !reflect.DeepEqual(same, mind.Grown{}) {
		t.Errorf("a week in which nothing moved grew %+v", same)
	}
	dropped := mind.Snapshot(one, map[string]float64{"reserved": 0.1}, warmWeek)
	if _, kept := dropped.Traits["warm"]; kept {
		t.Error("a trait the operator took off the card is still grown")
	}
}

func TestCardOutweighsGrowth(t *testing.T) {
	g := mind.Grown{}
	for range 500 {
		next := mind.Snapshot(g, card, warmWeek)
		for name := range card {
			if step := math.Abs(next.Traits[name] - g.Traits[name]); step > mind.TraitPerWeek+1e-4 {
				t.Fatalf("%s moved by %v in a week", name, step)
			}
		}
		g = next
	}
	over := mind.Over(card, g)
	if len(over) != len(card) || over["curious"] != 0 || over["plain-spoken"] != 0.75 {
		t.Errorf("over the card: %v", over)
	}
	if over["warm"] <= 0.9 || over["warm"] > 1 || over["reserved"] >= 0.1 || over["reserved"] < 0 {
		t.Errorf("500 warm weeks: %v", over)
	}
	tampered := mind.Grown{Traits: map[string]float64{"warm": -9, "cruel": 1, "reserved": math.NaN()}}
	if over := mind.Over(card, tampered); math.Abs(over["warm"]-0.70) > 1e-9 || len(over) != len(card) || over["reserved"] < 0 {
		t.Errorf("a layer of its own making: %v", over)
	}
	if over := mind.Over(card, mind.Grown{}); !reflect.DeepEqual(over, card) {
		t.Errorf("nothing grown, and yet %v", over)
	}
}

func TestGrowthGoesBack(t *testing.T) {
	warm := mind.Snapshot(mind.Grown{}, card, warmWeek)
	cold := warm
	for range 50 {
		cold = mind.Snapshot(cold, card, mind.Week{Sessions: 3, Facts: mind.SessionFacts{Hostile: 8}, Mood: mind.Mood{Valence: -0.6}})
	}
	if cold.Traits["warm"] >= 0 || cold.Mood.Valence >= 0 || cold.Mood.Valence < -0.2 || cold.Mood.Energy < -0.1 {
		t.Errorf("fifty cold weeks: %+v", cold)
	}
	usual := mind.UsualMood(card, cold)
	if temper := mind.Temperament(card); usual.Valence >= temper.Valence || usual.Valence < temper.Valence-0.2-1e-9 {
		t.Errorf("usually %+v, by temperament %+v", usual, temper)
	}
}

func TestDiff(t *testing.T) {
	a := mind.Grown{Version: 1, Traits: map[string]float64{"warm": 0.02, "wry": 0.01}}
	b := mind.Grown{
		Version: 2, Traits: map[string]float64{"warm": 0.04, "wry": 0.01}, Mood: mind.Mood{Valence: 0.1},
		Skills: map[mind.Skill]mind.Figure{mind.Answering: {Confidence: 0.72}},
	}
	want := []mind.Change{{"trait", "warm", 0.02, 0.04}, {"skill", "answering", 0.5, 0.72}, {"mood", "valence", 0, 0.1}}
	if got := mind.Diff(a, b); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := mind.Diff(b, b); got != nil {
		t.Errorf("a layer differs from itself by %v", got)
	}
	if words := want[0].String() + "; " + want[1].String(); words != "trait warm +0.02 → +0.04; skill answering 0.50 → 0.72" {
		t.Errorf("in words: %q", words)
	}
}

func TestGrownGoesThroughJSON(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	g := mind.Grown{}
	for range 200 {
		g = mind.Snapshot(g, card, mind.Week{
			Sessions: rng.IntN(3), Facts: mind.SessionFacts{Warm: rng.IntN(20), Hostile: rng.IntN(20), Corrections: rng.IntN(9)},
			Mood:   mind.Mood{Valence: rng.Float64()*2 - 1, Energy: rng.Float64()},
			Skills: map[mind.Skill]mind.Figure{mind.Skills[rng.IntN(len(mind.Skills))]: mind.Skilled([]mind.Practice{practised(3, rng.IntN(9), rng.IntN(9))}, now)},
		})
		data, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		back, err := mind.ReadGrown(data)
		if err != nil || !reflect.DeepEqual(back, g) {
			t.Fatalf("%s came back as %+v, %v", data, back, err)
		}
	}
	if g.Version < 100 {
		t.Errorf("200 weeks made %d versions", g.Version)
	}
}

func TestReadGrownTrustsNothing(t *testing.T) {
	g, err := mind.ReadGrown([]byte(`{"version":-3,"traits":{"warm":7},"skills":{"lying":{"confidence":1},"answering":{"confidence":4,"trend":"Ann lives in Tartu","sessions":-1}},"mood":{"valence":-5,"energy":5}}`))
	want := mind.Grown{
		Traits: map[string]float64{"warm": 0.15}, Skills: map[mind.Skill]mind.Figure{mind.Answering: {Confidence: 1}},
		Mood: mind.Mood{Valence: -0.2, Energy: 0.1},
	}
	if err != nil || !reflect.DeepEqual(g, want) {
		t.Errorf("got %+v, %v, want %+v", g, err, want)
	}
	if g, err := mind.ReadGrown(nil); err != nil || !reflect.DeepEqual(g, mind.Grown{}) {
		t.Errorf("nothing reads as %+v, %v", g, err)
	}
	if _, err := mind.ReadGrown([]byte(`{"version":`)); err == nil {
		t.Error("half a layer was read")
	}
}

func TestOperatorSettingsRestartGrowth(t *testing.T) {
	g := mind.Snapshot(mind.Grown{}, card, warmWeek)
	anew := map[string]float64{"warm": 0.4, "reserved": 0.1}
	if over := mind.Over(anew, g); over["warm"] != 0.4 || over["reserved"] >= 0.1 {
		t.Errorf("over a card that was changed: %v", over)
	}
	next := mind.Snapshot(g, anew, warmWeek)
	if next.Traits["warm"] <= 0 || next.Traits["warm"] > mind.TraitPerWeek || next.Card["warm"] != 0.4 {
		t.Errorf("the next week grew %+v", next)
	}
	kept, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	if read, err := mind.ReadGrown(kept); err != nil || mind.Over(anew, read)["warm"] != 0.4 {
		t.Errorf("read back: %+v, %v", read, err)
	}
}

func TestSelfNotes(t *testing.T) {
	g := mind.Grown{Skills: map[mind.Skill]mind.Figure{
		mind.FollowingUp: {Confidence: 0.65, Trend: mind.Improving},
		mind.Greeting:    {Confidence: 0.9, Trend: mind.Stable},
		mind.Mending:     {Confidence: 0.3, Trend: mind.Fresh},
		mind.Answering:   {Confidence: 0.5, Trend: mind.Stable},
	}}
	want := []string{
		"I have become better at following up.", "I am good at welcoming people back.", "I am not yet good at mending what went wrong.",
	}
	if got := mind.SelfNotes(g); !slices.Equal(got, want) {
		t.Errorf("notes are %q", got)
	}
	if got := mind.SelfNotes(mind.Grown{}); got != nil {
		t.Errorf("who never practised says %q", got)
	}
}
