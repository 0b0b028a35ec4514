package model

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func TestLifetimeEndsWhereDecayMeetsTheThreshold(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		f, salience := DecayModel{Threshold: 0.0001 + 0.4*rng.Float64()}, rng.Float64()
		for sector, rate := range DefaultRates {
			if left := DefaultRates.Decay(sector, salience, f.Lifetime(rate, salience)); math.Abs(left-f.Threshold) > 1e-6 {
				t.Fatalf("%s of salience %v has %v left where it lasts to %v", sector, salience, left, f.Threshold)
			}
		}
	}
}

func TestStrengthGrowsWithTheLogarithmOfSpacedRecalls(t *testing.T) {
	strength := 1.0
	for n := 1; n <= 1000; n++ {
		next := Strengthen(strength, n, 48*time.Hour)
		if low, high := 1+math.Log(float64(n+1)), 2+math.Log(float64(n)); next < low || next > high || next <= strength {
			t.Fatalf("strength %v after %d recalls, want %v to %v", next, n, low, high)
		}
		strength = next
	}
}

func TestClusteredRecallsAddLess(t *testing.T) {
	for _, c := range []struct {
		since time.Duration
		want  float64
	}{{-time.Hour, 2}, {0, 2}, {6 * time.Hour, 2.0625}, {24 * time.Hour, 2.25}, {900 * time.Hour, 2.25}} {
		if got := Strengthen(2, 4, c.since); got != c.want {
			t.Errorf("after %v: %v, want %v", c.since, got, c.want)
		}
	}
}

func TestStrengthSlowsDecay(t *testing.T) {
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	m := Memory{Sector: Semantic, Salience: 0.4, Strength: 1, Created: now.AddDate(0, -1, 0)}
	once := DecayModel{}.Retention(m, now)
	m.Strength = 2
	if twice := (DecayModel{}).Retention(m, now); math.Abs(twice*twice-once) > 1e-9 {
		t.Errorf("twice as strong %v, once %v: half the time should have passed for it", twice, once)
	}
}
