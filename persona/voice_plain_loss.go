package persona

import (
	"slices"
	"strings"

	"familiar/memory/claim"
	"familiar/memory/model"
)

// losses are the deaths that the heard messages tell of.
func (sp *speaking) losses() []claim.Claim {
	return slices.DeleteFunc(sp.claims(), func(c claim.Claim) bool { return !claim.Death(c.Relation) || c.Negates })
}

// mourns says that the heard messages tell of the death of somebody of that name.
func (sp *speaking) mourns(name string) bool {
	return slices.ContainsFunc(sp.losses(), func(c claim.Claim) bool { return strings.EqualFold(c.Subject, name) })
}

// mourned answers the news that somebody has died: before anything else, and with nothing cheerful beside it.
func (sp *speaking) mourned() []string {
	lost := sp.losses()
	if len(lost) == 0 {
		return nil
	}
	sp.asked = true
	who := lost[0].Subject
	if kin, _ := claim.Of(lost[0].Relation); kin != "" {
		who = "your " + kin
	}
	return []string{sp.put("ack.loss", "who", who)}
}

// inMemory answers for one of the person's own who has died: who they were, and when the person told of the death.
func (sp *speaking) inMemory(q claim.Question) string {
	asked := sp.answering(q, true)
	for _, b := range sp.scene.Beliefs {
		if q.Who && q.Value != "" && b.Status != model.Active && sp.ownBelief(b) && strings.EqualFold(b.Value, q.Value) {
			asked = append(asked, b) // "who is Rex?"
		}
	}
	for _, b := range asked {
		kin := claim.Kin(b.Relation)
		if death := sp.deathOf(b, kin); kin != "" && death != nil {
			sp.useBeliefs([]model.Belief{b, *death})
			return sp.put("answer.gone", "value", b.Value, "kin", kin, "day", sayDay(death.Created, sp.scene.Now), "fact", sp.describe(*death))
		}
	}
	return ""
}

// deathOf is the belief that whom b names has died, nil when nobody told so.
func (sp *speaking) deathOf(b model.Belief, kin string) *model.Belief {
	for i, d := range sp.scene.Beliefs {
		of, _ := claim.Of(d.Relation)
		same := of == "" && strings.EqualFold(d.Subject, b.Value) || of != "" && of == kin
		if d.Status == model.Active && claim.Death(d.Relation) && same {
			return &sp.scene.Beliefs[i]
		}
	}
	return nil
}
