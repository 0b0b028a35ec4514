package plain

import "familiar/persona/scene"

// CapNotice words that little is left of what the model may be used for with this person or, with out, that it is used
// up, for today or this month. It returns "" for somebody who needs care, who has other worries.
func (*Voice) CapNotice(s scene.Scene, out, monthly bool) string {
	c := newComposer(s)
	if s.Careful() || s.NeedsCare(c.sources()) {
		return ""
	}
	key := "cap.low"
	if out {
		key = "cap.out"
	}
	if monthly {
		return c.put(key + ".month")
	}
	return c.put(key + ".day")
}
