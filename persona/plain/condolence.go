package plain

import "familiar/memory/understand/rel"

// mourned responds to the news of a death, before anything else and without anything cheerful.
func (ac acknowledger) mourned() []string {
	lost := ac.losses()
	if len(lost) == 0 {
		return nil
	}
	ac.asked = true
	who := lost[0].Subject
	if kin, _ := rel.Of(lost[0].Relation); kin != "" {
		who = "your " + kin
	}
	return []string{ac.put("ack.loss", "who", who)}
}
