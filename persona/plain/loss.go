package plain

import (
	"strings"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// inMemory answers about a relative or pet who has died: who they were, and when the person told of the death.
func (ft factTeller) inMemory(q understand.Question) string {
	asked := ft.answering(q, true)
	for _, b := range ft.scene.Beliefs {
		if q.Who && q.Value != "" && b.Status != model.Active && ft.ownBelief(b) && strings.EqualFold(b.Value, q.Value) {
			asked = append(asked, b) // "who is Rex?"
		}
	}
	for _, b := range asked {
		kin := rel.Kin(b.Relation)
		if death := ft.deathOf(b, kin); kin != "" && death != nil {
			ft.useBeliefs([]model.Belief{b, *death})
			return ft.put("answer.gone", "value", b.Value, "kin", kin, "day", sayDay(death.Created, ft.scene.Now), "fact", ft.describe(*death))
		}
	}
	return ""
}

// deathOf returns the belief that the one named by b has died, nil if there is none.
func (ft factTeller) deathOf(b model.Belief, kin string) *model.Belief {
	for i, d := range ft.scene.Beliefs {
		of, _ := rel.Of(d.Relation)
		same := of == "" && strings.EqualFold(d.Subject, b.Value) || of != "" && of == kin
		if d.Status == model.Active && understand.Death(d.Relation) && same {
			return &ft.scene.Beliefs[i]
		}
	}
	return nil
}
