package mind_test

import (
	"math"
	"testing"

	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/mind"
)

func TestWeighClasses(t *testing.T) {
	tests := []struct {
		name  string
		facts mind.SessionFacts
		want  string
	}{
		{"silence", mind.SessionFacts{}, mind.Routine},
		{"a hello", mind.SessionFacts{Messages: 2}, mind.Routine},
		{"taught and corrected", mind.SessionFacts{Messages: 9, Learned: 3, Corrections: 1}, mind.Transformative},
		{"spoke from the heart", mind.SessionFacts{Messages: 12, Feelings: 2, Warm: 1}, mind.Bonding},
		{"got things done", mind.SessionFacts{Messages: 9, Achieved: 2}, mind.Productive},
		{"a bit of everything", mind.SessionFacts{Messages: 12, Learned: 2, NewTopics: 4, Ahead: 1}, mind.Standard},
		{"corrected beats warm", mind.SessionFacts{Corrections: 2, Warm: 9}, mind.Transformative},
	}
	for _, tt := range tests {
		if s := mind.Weigh(tt.facts); s.Class != tt.want {
			t.Errorf("%s: %s, want %s (%+v)", tt.name, s.Class, tt.want, s)
		}
	}
}

func TestWeighIsTheWeightedSum(t *testing.T) {
	s := mind.Weigh(mind.SessionFacts{Messages: 25, Warm: 2, Feelings: 1, Corrections: 1, Learned: 2, NewTopics: 3, Ahead: 1, Achieved: 1})
	want := 0.25*s.Relationship + 0.30*s.Learning + 0.10*s.Novelty + 0.15*s.Goal + 0.20*s.Outcome
	if math.Abs(s.Overall-want) > 1e-12 {
		t.Errorf("overall %v, want %v", s.Overall, want)
	}
}

func TestWeighIsBounded(t *testing.T) {
	n := 1 << 20
	s := mind.Weigh(mind.SessionFacts{
		Messages: n, Warm: n, Hostile: n, Feelings: n, Corrections: n, Learned: n, NewTopics: n, Ahead: n, Achieved: n, Thanked: n,
	})
	if s.Overall > 1 || s.Overall < 0.99 {
		t.Errorf("overall %v at the limit", s.Overall)
	}
}

func TestCorrectionsTeachMost(t *testing.T) {
	corrected := mind.Weigh(mind.SessionFacts{Corrections: 1})
	learned := mind.Weigh(mind.SessionFacts{Learned: 1})
	if corrected.Learning <= learned.Learning {
		t.Errorf("a correction teaches %v, a fact %v", corrected.Learning, learned.Learning)
	}
}

func TestFactsOfAMessage(t *testing.T) {
	f := mind.SessionFacts{}.
		With("I'm Ann and I'm happy", understand.Analysis{Claims: []understand.Claim{{Kind: rel.Fact}, {Kind: rel.Feeling}}}).
		With("no, Anna", understand.Analysis{Corrects: true, Claims: []understand.Claim{{Kind: rel.Fact}}}).
		With("interview on Friday", understand.Analysis{Claims: []understand.Claim{{Kind: rel.Plan}}}).
		With("thanks, you're great", understand.Analysis{Warmth: 0.8}).
		With("idiot", understand.Analysis{Warmth: -0.9})
	want := mind.SessionFacts{
		Messages: 5, Words: 14, Warm: 1, Thanked: 1, Hostile: 1, Feelings: 1, Corrections: 1, Learned: 2, Ahead: 1,
	}
	if f != want {
		t.Errorf("got  %+v\nwant %+v", f, want)
	}
}

func TestPlusAddsWhatEachBrought(t *testing.T) {
	f := mind.SessionFacts{Messages: 1, Words: 2, Warm: 3, Hostile: 4, Feelings: 5, Corrections: 6, Learned: 7, Ahead: 8, Thanked: 9, NewTopics: 5, Achieved: 1}
	want := mind.SessionFacts{Messages: 2, Words: 4, Warm: 6, Hostile: 8, Feelings: 10, Corrections: 12, Learned: 14, Ahead: 16, Thanked: 18, NewTopics: 5, Achieved: 1}
	if got := f.Plus(f); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
