package belief

import (
	"strconv"

	"familiar/memory/model"
	"familiar/memory/understand/world"
)

// HopDiscount is how much the score of each intermediate fact is below that of the fact it leads to.
const HopDiscount = 0.05

// Graph returns the active beliefs as a graph of facts.
func (b *VisibleBeliefs) Graph() *world.Graph {
	b.once.Do(func() {
		facts := make([]world.Fact, len(b.Beliefs))
		for i, one := range b.Beliefs {
			if one.Status == model.Active {
				facts[i] = world.Fact{Key: b.keys[i], Subject: model.NormalizeValue(one.Subject), Value: model.NormalizeValue(one.Value), Relation: one.Relation, Updated: one.Updated}
			}
		}
		b.facts = world.NewGraph(facts)
	})
	return b.facts
}

// Hop is one step of a multi-hop answer: its number and the number of steps.
type Hop struct{ Step, Of int }

// String formats the hop for display: "hop 2 of 3".
func (l Hop) String() string { return "hop " + strconv.Itoa(l.Step) + " of " + strconv.Itoa(l.Of) }
