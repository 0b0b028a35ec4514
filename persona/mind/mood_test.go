package mind_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"familiar/persona/mind"
)

var usual = mind.Mood{Valence: 0.1, Energy: 0.5}

func TestMoodFollowsTheSession(t *testing.T) {
	for _, tt := range []struct {
		name            string
		facts           mind.SessionFacts
		valence, energy int // the sign of the move
	}{
		{"nothing happened", mind.SessionFacts{}, 0, 0},
		{"warm", mind.SessionFacts{Messages: 4, Warm: 2}, 1, 1},
		{"achieved", mind.SessionFacts{Messages: 4, Achieved: 1, GoalTouched: 1}, 1, 1},
		{"hostile", mind.SessionFacts{Messages: 4, Hostile: 2}, -1, 1},
		{"hostile as much as warm", mind.SessionFacts{Messages: 4, Hostile: 2, Warm: 2}, -1, 1},
		{"corrected", mind.SessionFacts{Messages: 2, Corrections: 1}, -1, 1},
		{"long and idle", mind.SessionFacts{Messages: 200}, 0, -1},
	} {
		got := mind.Felt(usual, usual, tt.facts, 0)
		if sign(got.Valence-usual.Valence) != tt.valence || sign(got.Energy-usual.Energy) != tt.energy {
			t.Errorf("%s: %+v from %+v", tt.name, got, usual)
		}
	}
}

func sign(x float64) int {
	switch {
	case x > 1e-12:
		return 1
	case x < -1e-12:
		return -1
	}
	return 0
}

func TestMoodReturnsToBaseline(t *testing.T) {
	low := mind.Mood{Valence: -0.7, Energy: 0.9}
	got := mind.Rested(low, usual, 24*time.Hour)
	if math.Abs(got.Valence-(-0.3)) > 1e-9 || math.Abs(got.Energy-0.7) > 1e-9 {
		t.Errorf("a day later %+v, want halfway", got)
	}
	if got := mind.Rested(low, usual, 60*24*time.Hour); math.Abs(got.Valence-usual.Valence) > 1e-6 {
		t.Errorf("two months later %+v, want %+v", got, usual)
	}
	if got := mind.Rested(low, usual, -time.Hour); got != low {
		t.Errorf("a clock that went back moved the mood to %+v", got)
	}
}

func TestMoodProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	m := usual
	for range 5000 {
		f := mind.SessionFacts{
			Messages: rng.IntN(300), Warm: rng.IntN(9), Hostile: rng.IntN(9), Corrections: rng.IntN(4),
			Achieved: rng.IntN(4), Learned: rng.IntN(20), Feelings: rng.IntN(5),
		}
		next := mind.Felt(m, usual, f, 0)
		if next.Valence < -1 || next.Valence > 1 || next.Energy < 0 || next.Energy > 1 {
			t.Fatalf("%+v is out of range", next)
		}
		if math.Abs(next.Valence-m.Valence) > mind.MoodPerSession+1e-9 || math.Abs(next.Energy-m.Energy) > mind.MoodPerSession+1e-9 {
			t.Fatalf("one session moved %+v to %+v", m, next)
		}
		f.Hostile++
		if worse := mind.Felt(m, usual, f, 0); worse.Valence > next.Valence+1e-12 {
			t.Fatalf("more hostility raised %v to %v for %+v", next.Valence, worse.Valence, f)
		}
		if !slices.Contains(moodWords, mind.MoodWord(next)) {
			t.Fatalf("%q is no word for a mood", mind.MoodWord(next))
		}
		m = next
	}
}

var moodWords = []string{mind.Cheerful, mind.Content, mind.Stirred, mind.AtEase, mind.Tired, mind.Ruffled, mind.Subdued}

func TestMoodWord(t *testing.T) {
	for want, m := range map[string]mind.Mood{
		mind.Cheerful: {Valence: 0.6, Energy: 0.8},
		mind.Content:  {Valence: 0.4, Energy: 0.4},
		mind.Stirred:  {Valence: 0, Energy: 0.9},
		mind.AtEase:   {Valence: 0.1, Energy: 0.5},
		mind.Tired:    {Valence: 0.5, Energy: 0.1},
		mind.Ruffled:  {Valence: -0.5, Energy: 0.8},
		mind.Subdued:  {Valence: -0.5, Energy: 0.4},
	} {
		if got := mind.MoodWord(m); got != want {
			t.Errorf("%+v is %q, want %q", m, got, want)
		}
	}
}

func TestTemperament(t *testing.T) {
	none := mind.Temperament(nil)
	glad := mind.Temperament(map[string]float64{"cheerful": 0.9, "precise": 1})
	low := mind.Temperament(map[string]float64{"gloomy": 1, "melancholic": 1, "grumpy": 1, "cynical": 7})
	if none != usual || glad.Valence <= none.Valence || low.Valence >= -0.5 || low.Valence < -1 {
		t.Errorf("none %+v, glad %+v, low %+v", none, glad, low)
	}
}
