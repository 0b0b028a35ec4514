package model

import (
	"slices"
)

// Tier is where a memory stands in its life.
type Tier string

// The tiers. Rules move memories between them, see BuiltInRules.
const (
	// Sensory is what was said in passing: less than a question.
	Sensory Tier = "sensory"
	Short   Tier = "short"
	// Long is what was used again and again, and what the operator told.
	Long Tier = "long"
	// Dormant is what has faded: only a strong match finds it, and after as long again it goes for good.
	Dormant Tier = "dormant"
)

// Tiers are all tiers, in the order of a memory's life.
var Tiers = []Tier{Sensory, Short, Long, Dormant}

// ladder is what a memory climbs when it is promoted and descends when it is demoted.
var ladder = []Tier{Dormant, Sensory, Short, Long}

// Promoted is the tier a memory of t is promoted to: what was dormant is awake again, and at the top it stays.
func (t Tier) Promoted() Tier {
	if t == Dormant {
		return Short
	}
	return ladder[min(slices.Index(ladder, t)+1, len(ladder)-1)]
}

// Demoted is the tier a memory of t is demoted to; what is less than short-term goes dormant.
func (t Tier) Demoted() Tier {
	if t == Short {
		return Dormant
	}
	return ladder[max(slices.Index(ladder, t)-1, 0)]
}

// isAbove says that t is higher on the ladder than other.
func (t Tier) isAbove(other Tier) bool { return slices.Index(ladder, t) > slices.Index(ladder, other) }
