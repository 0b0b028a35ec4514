package mind

import (
	"time"

	"familiar/memory/model"
)

// Milestone is something that two people reach together once.
type Milestone string

// The milestones, in display order.
const (
	Met               Milestone = "met"
	FirstCorrection   Milestone = "first_correction"
	FirstAchievement  Milestone = "first_achievement"
	BecameFriend      Milestone = "friend"
	BecameClose       Milestone = "close"
	TenthSession      Milestone = "tenth_session"
	HundredthSession  Milestone = "hundredth_session"
	HundredthMessage  Milestone = "hundredth_message"
	ThousandthMessage Milestone = "thousandth_message"
	OneMonth          Milestone = "month"
	HalfAYear         Milestone = "half_year"
	OneYear           Milestone = "year"
)

// Milestones are all milestones, in order.
var Milestones = []Milestone{
	Met, FirstCorrection, FirstAchievement, BecameFriend, BecameClose, TenthSession, HundredthSession, HundredthMessage,
	ThousandthMessage, OneMonth, HalfAYear, OneYear,
}

// Reached returns the milestones of a session that ended at now, in order. rel is the relationship after it, facts what
// happened in it, and had the milestones reached before. A milestone passed between sessions counts with the next
// session, so no one reaches a year by staying away.
func Reached(rel model.Relationship, facts SessionFacts, had []Milestone, now time.Time) (reached []Milestone) {
	before := map[Milestone]bool{}
	for _, m := range had {
		before[m] = true
	}
	for _, m := range Milestones {
		if !before[m] && m.isReached(rel, facts, now) {
			reached = append(reached, m)
		}
	}
	return reached
}

// isReached reports whether the relationship has reached a milestone.
func (m Milestone) isReached(rel model.Relationship, facts SessionFacts, now time.Time) bool {
	stage := Stage(rel, now)
	switch m {
	case Met:
		return rel.Sessions >= 1
	case FirstCorrection:
		return facts.Corrections > 0
	case FirstAchievement:
		return facts.Achieved > 0
	case BecameFriend:
		return stage == Friend || stage == Close
	case BecameClose:
		return stage == Close
	case TenthSession:
		return rel.Sessions >= 10
	case HundredthSession:
		return rel.Sessions >= 100
	case HundredthMessage:
		return rel.Messages >= 100
	case ThousandthMessage:
		return rel.Messages >= 1000
	case OneMonth:
		return known(rel, now, 0, 1)
	case HalfAYear:
		return known(rel, now, 0, 6)
	case OneYear:
		return known(rel, now, 1, 0)
	}
	return false
}

// known reports whether two have known each other for that many years and months.
func known(rel model.Relationship, now time.Time, years, months int) bool {
	return !rel.FirstMet.IsZero() && !rel.FirstMet.AddDate(years, months, 0).After(now)
}
