package persona

import (
	"slices"
	"strings"

	"familiar/memory"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// losses are the deaths that the heard messages tell of.
func (sp *speaking) losses() []understand.Claim {
	return slices.DeleteFunc(sp.claims(), func(c understand.Claim) bool { return !understand.Death(c.Relation) || c.Negates })
}

// mourns says that the heard messages tell of the death of somebody of that name.
func (sp *speaking) mourns(name string) bool {
	return slices.ContainsFunc(sp.losses(), func(c understand.Claim) bool { return strings.EqualFold(c.Subject, name) })
}

// mourned answers the news that somebody has died: before anything else, and with nothing cheerful beside it.
func (sp *speaking) mourned() []string {
	lost := sp.losses()
	if len(lost) == 0 {
		return nil
	}
	sp.asked = true
	who := lost[0].Subject
	if kin, _ := rel.Of(lost[0].Relation); kin != "" {
		who = "your " + kin
	}
	return []string{sp.put("ack.loss", "who", who)}
}

// inMemory answers for one of the person's own who has died: who they were, and when the person told of the death.
func (sp *speaking) inMemory(q understand.Question) string {
	asked := sp.answering(q, true)
	for _, b := range sp.scene.Beliefs {
		if q.Who && q.Value != "" && b.Status != memory.Active && sp.ownBelief(b) && strings.EqualFold(b.Value, q.Value) {
			asked = append(asked, b) // "who is Rex?"
		}
	}
	for _, b := range asked {
		kin := rel.Kin(b.Relation)
		if death := sp.deathOf(b, kin); kin != "" && death != nil {
			sp.useBeliefs([]memory.Belief{b, *death})
			return sp.put("answer.gone", "value", b.Value, "kin", kin, "day", sayDay(death.Created, sp.scene.Now), "fact", sp.describe(*death))
		}
	}
	return ""
}

// deathOf is the belief that whom b names has died, nil when nobody told so.
func (sp *speaking) deathOf(b memory.Belief, kin string) *memory.Belief {
	for i, d := range sp.scene.Beliefs {
		of, _ := rel.Of(d.Relation)
		same := of == "" && strings.EqualFold(d.Subject, b.Value) || of != "" && of == kin
		if d.Status == memory.Active && understand.Death(d.Relation) && same {
			return &sp.scene.Beliefs[i]
		}
	}
	return nil
}
