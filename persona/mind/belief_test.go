package mind_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"familiar/memory/model"
	"familiar/persona/mind"
)

var now = time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)

func quote(stance int, days float64, hearsay bool) model.Evidence {
	return model.Evidence{
		AuthorID: 1, Stance: stance, Hearsay: hearsay, At: now.Add(-time.Duration(days * 24 * float64(time.Hour))),
	}
}

// read is a quote that only a model read, some days old.
func read(days float64) model.Evidence {
	e := quote(1, days, false)
	e.ByModel = true
	return e
}

func TestConfidence(t *testing.T) {
	old := 0.3 + 0.7*math.Exp(-60.0/30)
	tests := []struct {
		name     string
		evidence []model.Evidence
		want     float64
	}{
		{"nothing said", nil, 0.5},
		{"said once today", []model.Evidence{quote(1, 0, false)}, 0.99},
		{"said once long ago", []model.Evidence{quote(1, 3000, false)}, 0.99},
		{"denied only", []model.Evidence{quote(-1, 0, false)}, 0.01},
		{"for and against on one day", []model.Evidence{quote(1, 0, false), quote(-1, 0, false)}, (0.3/1.7 + 1) / 2},
		{
			"old for, fresh against",
			[]model.Evidence{quote(1, 60, false), quote(-1, 0, false)},
			((old-0.7)/(old+0.7) + 1) / 2,
		},
		{"hearsay alone", []model.Evidence{quote(1, 0, true), quote(1, 1, true)}, 0.7},
		{
			"hearsay against first-hand",
			[]model.Evidence{quote(1, 0, false), quote(-1, 0, true)},
			((1-0.28)/(1+0.28) + 1) / 2,
		},
		{"only a model's reading", []model.Evidence{read(0), read(3)}, 0.8},
		{"a model's reading, then the rules'", []model.Evidence{read(3), quote(1, 0, false)}, 0.99},
		{"the persona's own words", []model.Evidence{{AuthorID: 0, Stance: 1, At: now}}, 0.5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := mind.Confidence(tt.evidence, now); math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("Confidence = %.4f, want %.4f", got, tt.want)
			}
		})
	}
}

func TestM1ThePersonaRepeatingItselfAddsNothing(t *testing.T) {
	told := []model.Evidence{quote(1, 10, false), quote(-1, 2, false)}
	before := mind.Confidence(told, now)
	for range 1000 {
		told = append(told, model.Evidence{AuthorID: 0, Author: "Nova", Stance: 1, At: now})
	}
	if after := mind.Confidence(told, now); after != before {
		t.Errorf("confidence moved from %v to %v", before, after)
	}
}

func TestConfidenceProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		evidence := []model.Evidence{quote(1, 0, false)}[:rng.IntN(2)]
		for range rng.IntN(8) {
			stance := 1
			if rng.IntN(2) == 0 {
				stance = -1
			}
			evidence = append(evidence, quote(stance, rng.Float64()*400-5, rng.IntN(3) == 0))
		}
		c := mind.Confidence(evidence, now)
		if c < 0.01 || c > 0.99 {
			t.Fatalf("confidence %v out of bounds for %+v", c, evidence)
		}
		if up := mind.Confidence(append(evidence, quote(1, 0, false)), now); up < c-1e-12 {
			t.Fatalf("support lowered confidence from %v to %v", c, up)
		}
		if down := mind.Confidence(append(evidence, quote(-1, 0, false)), now); len(evidence) > 0 && down > c+1e-12 {
			t.Fatalf("denial raised confidence from %v to %v", c, down)
		}
	}
}

func TestUncertain(t *testing.T) {
	for confidence, want := range map[float64]bool{0.99: false, 0.50: false, 0.49: true, 0.30: true, 0.29: true, 0.15: true, 0.14: true, 0.01: true} {
		if got := mind.Uncertain(confidence); got != want {
			t.Errorf("%.2f: uncertain %v, want %v", confidence, got, want)
		}
	}
}

func TestOnlyHearsay(t *testing.T) {
	first, told, denied := quote(1, 0, false), quote(1, 0, true), quote(-1, 0, false)
	if mind.OnlyHearsay(nil) || mind.OnlyHearsay([]model.Evidence{told, first}) {
		t.Error("what is first-hand or never said is not hearsay")
	}
	if !mind.OnlyHearsay([]model.Evidence{told, denied}) {
		t.Error("a first-hand denial supports nothing")
	}
}
