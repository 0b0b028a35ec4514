package mind_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"familiar/memory/model"
	"familiar/persona/mind"
)

func TestMoments(t *testing.T) {
	for _, tt := range []struct {
		name    string
		facts   mind.SessionFacts
		reached []mind.Milestone
		want    []model.Kind
	}{
		{"a hello", mind.SessionFacts{Messages: 2}, []mind.Milestone{mind.Met}, nil},
		{"an ordinary talk", mind.SessionFacts{Messages: 12, Learned: 4, NewTopics: 4, Ahead: 1}, nil, nil},
		{"a first talk of substance", mind.SessionFacts{Messages: 12, Learned: 4, NewTopics: 4, Ahead: 1}, []mind.Milestone{mind.Met}, []model.Kind{model.DefiningMoment}},
		{
			"corrected for the first time",
			mind.SessionFacts{Messages: 9, Learned: 3, Corrections: 1},
			[]mind.Milestone{mind.FirstCorrection},
			[]model.Kind{model.CorrectionMoment},
		},
		{"corrected once more", mind.SessionFacts{Messages: 9, Learned: 3, Corrections: 1}, nil, nil},
		{
			"spoke from the heart and became friends",
			mind.SessionFacts{Messages: 12, Feelings: 2, Warm: 2},
			[]mind.Milestone{mind.BecameFriend},
			[]model.Kind{model.BondMoment},
		},
		{"got things done", mind.SessionFacts{Messages: 9, Achieved: 2}, nil, []model.Kind{model.CollaborationMoment}},
		{"knew nothing", mind.SessionFacts{Messages: 12, Learned: 4, NewTopics: 4, Ahead: 1, Unanswered: 3, Answered: 1}, nil, []model.Kind{model.FailureMoment}},
		{"knew most", mind.SessionFacts{Messages: 12, Learned: 4, NewTopics: 4, Ahead: 1, Unanswered: 3, Answered: 5}, nil, nil},
		{"was asked to be called Captain", mind.SessionFacts{Messages: 12, Learned: 4, NewTopics: 4, Ahead: 1, Wishes: 1}, nil, []model.Kind{model.ValueMoment}},
		{"learned what was new", mind.SessionFacts{Messages: 9, Learned: 8, NewTopics: 9}, nil, []model.Kind{model.InsightMoment}},
		{"a tenth talk", mind.SessionFacts{Messages: 12, Learned: 4, NewTopics: 4, Ahead: 1}, []mind.Milestone{mind.TenthSession}, []model.Kind{model.GrowthMoment}},
		{
			"the two that matter most",
			mind.SessionFacts{Messages: 30, Learned: 9, NewTopics: 9, Corrections: 3, Achieved: 3, Wishes: 1},
			[]mind.Milestone{mind.OneYear, mind.FirstCorrection},
			[]model.Kind{model.CorrectionMoment, model.InsightMoment},
		},
	} {
		var got []model.Kind
		for _, m := range mind.Moments(tt.facts, mind.Weigh(tt.facts), tt.reached) {
			got = append(got, m.Kind)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestMomentsProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 5000 {
		f := mind.SessionFacts{
			Messages: rng.IntN(50), Warm: rng.IntN(5), Hostile: rng.IntN(5), Feelings: rng.IntN(4), Corrections: rng.IntN(4),
			Learned: rng.IntN(12), NewTopics: rng.IntN(9), Achieved: rng.IntN(4), Wishes: rng.IntN(3), Unanswered: rng.IntN(5),
		}
		s := mind.Weigh(f)
		moments := mind.Moments(f, s, mind.Milestones[:rng.IntN(len(mind.Milestones))])
		if len(moments) > 2 || s.Class == mind.Routine && len(moments) > 0 {
			t.Fatalf("%+v made %+v", f, moments)
		}
		for _, m := range moments {
			if m.Significance <= 0 || m.Significance > 1 || !slices.Contains(model.Kinds, m.Kind) {
				t.Fatalf("%+v made %+v", f, m)
			}
		}
		if sal := mind.SummarySalience(s); sal < 0.3 || sal > 1 || s.Overall > 0 && sal <= 0.3 {
			t.Fatalf("a summary of significance %v has salience %v", s.Overall, sal)
		}
	}
}
