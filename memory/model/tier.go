package model

import (
	"slices"
)

// Tier is the stage of a memory's life.
type Tier string

// The tiers. Rules move memories between them; see BuiltInRules.
const (
	// Sensory memories come from passing remarks, which weigh less than a question.
	Sensory Tier = "sensory"
	Short   Tier = "short"
	// Long memories were used repeatedly or come from the operator.
	Long Tier = "long"
	// Dormant memories have decayed. Only a strong match finds them, and after the same lifetime again they are
	// deleted.
	Dormant Tier = "dormant"
)

// Tiers lists all tiers in the order of a memory's life.
var Tiers = []Tier{Sensory, Short, Long, Dormant}

// ladder is the order in which promotion raises and demotion lowers a memory.
var ladder = []Tier{Dormant, Sensory, Short, Long}

// Promoted returns the tier to which a memory of tier t is promoted. A dormant memory becomes short-term, and the top
// tier stays.
func (t Tier) Promoted() Tier {
	if t == Dormant {
		return Short
	}
	return ladder[min(slices.Index(ladder, t)+1, len(ladder)-1)]
}

// Demoted returns the tier to which a memory of tier t is demoted. A short-term memory becomes dormant.
func (t Tier) Demoted() Tier {
	if t == Short {
		return Dormant
	}
	return ladder[max(slices.Index(ladder, t)-1, 0)]
}

// isAbove reports whether t is higher on the ladder than other.
func (t Tier) isAbove(other Tier) bool { return slices.Index(ladder, t) > slices.Index(ladder, other) }
