package scene

import (
	"slices"
	"strings"

	"familiar/memory/model"
	"familiar/memory/understand"
)

// StandingChanges returns the changes that still hold after all messages: without values that the same messages replaced
// again, and without the names of those whose death they report.
func StandingChanges(s Scene) (standing []model.BeliefChange) {
	for i, c := range s.Changes {
		over := func(later model.BeliefChange) bool {
			same := later.Belief.Relation == c.Belief.Relation && later.Belief.Subject == c.Belief.Subject
			return same && later.Old != "" && later.Old == c.Belief.Value
		}
		died := func(o model.BeliefChange) bool {
			return understand.Death(o.Belief.Relation) && strings.EqualFold(o.Belief.Subject, c.Belief.Value)
		}
		if !slices.ContainsFunc(s.Changes[i+1:], over) && !slices.ContainsFunc(s.Changes, died) {
			standing = append(standing, c)
		}
	}
	return standing
}
