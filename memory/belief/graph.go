package belief

import (
	"strconv"

	"familiar/memory/model"
	"familiar/memory/understand/world"
)

// hopStep is how much the score of each fact on the way lies below that of the one it leads to.
const HopDiscount = 0.05

// graph is what is believed as facts that lead from one thing to another.
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

// link is a step of an answer: a memory, and which of how many it is.
type Hop struct{ Step, Of int }

// String is the step as it is shown: "hop 2 of 3".
func (l Hop) String() string { return "hop " + strconv.Itoa(l.Step) + " of " + strconv.Itoa(l.Of) }
