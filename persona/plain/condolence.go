package plain

import "familiar/memory/understand/rel"

// mourned answers the news that someone has died: before anything else, and with nothing cheerful beside it.
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
