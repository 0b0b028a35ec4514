package mind_test

import (
	"slices"
	"testing"

	"familiar/memory/model"
	"familiar/persona/mind"
)

func TestReached(t *testing.T) {
	met := model.Relationship{Sessions: 1, Messages: 5, FirstMet: now}
	friend := model.Relationship{Sessions: 12, Messages: 120, History: 10, Notes: 8, Trust: 0.3, FirstMet: now.AddDate(0, 0, -14)}
	old := model.Relationship{Sessions: 100, Messages: 1000, History: 60, Notes: 90, Trust: 0.8, FirstMet: now.AddDate(-1, 0, 0)}
	for _, tt := range []struct {
		name  string
		rel   model.Relationship
		facts mind.SessionFacts
		had   []mind.Milestone
		want  []mind.Milestone
	}{
		{"never spoke", model.Relationship{}, mind.SessionFacts{}, nil, nil},
		{"a first session", met, mind.SessionFacts{}, nil, []mind.Milestone{mind.Met}},
		{"each once", met, mind.SessionFacts{}, []mind.Milestone{mind.Met}, nil},
		{
			"corrected and achieved", met,
			mind.SessionFacts{Corrections: 3, Achieved: 1},
			[]mind.Milestone{mind.Met},
			[]mind.Milestone{mind.FirstCorrection, mind.FirstAchievement},
		},
		{
			"a friend", friend,
			mind.SessionFacts{Corrections: 1},
			[]mind.Milestone{mind.Met, mind.FirstCorrection},
			[]mind.Milestone{mind.BecameFriend, mind.TenthSession, mind.HundredthMessage},
		},
		{"everything at once", old, mind.SessionFacts{Corrections: 1, Achieved: 1}, nil, mind.Milestones},
	} {
		if got := mind.Reached(tt.rel, tt.facts, tt.had, now); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestAYearIsReachedOnce(t *testing.T) {
	rel := model.Relationship{FirstMet: now}
	var had []mind.Milestone
	for day := range 1000 {
		rel.Sessions++
		rel.Messages += 5
		had = append(had, mind.Reached(rel, mind.SessionFacts{}, had, now.AddDate(0, 0, day))...)
	}
	for _, m := range []mind.Milestone{mind.Met, mind.OneMonth, mind.HalfAYear, mind.OneYear, mind.ThousandthMessage} {
		n := 0
		for _, h := range had {
			if h == m {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s was reached %d times", m, n)
		}
	}
}
