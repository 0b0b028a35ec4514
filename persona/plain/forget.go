package plain

import (
	"strconv"
	"strings"

	"familiar/memory/model"
	"familiar/persona/words"
)

// forgetting explains how to forget something, and names the memory if exactly one matches. It does not forget by
// itself: forgetting is final, and /forget names exactly what goes.
func (ac acknowledger) forgetting() []string {
	for _, line := range ac.scene.Incoming {
		switch r := line.Parsed; {
		case r.Forget && r.ForgetAbout != "":
			if m, ok := ac.meantToForget(r.ForgetAbout); ok {
				return []string{ac.put("forget.one", "quote", words.ExcerptAbout(m.Text, words.Content(r.ForgetAbout)), "number", strconv.FormatInt(m.ID, 10))}
			}
			return []string{ac.put("forget.about", "about", r.ForgetAbout)}
		case r.Forget:
			return []string{ac.put("forget.how")}
		}
	}
	return nil
}

// meantToForget returns the one memory that contains everything to be forgotten, false if there is none or more than
// one.
func (ac acknowledger) meantToForget(about string) (meant model.Memory, ok bool) {
	wanted := words.Content(about)
	for _, m := range ac.scene.Forgettable {
		if len(wanted) == 0 || words.SharedWith(wanted, m.Text) < len(wanted) || strings.HasSuffix(strings.TrimSpace(m.Text), "?") {
			continue
		}
		if ok {
			return model.Memory{}, false
		}
		meant, ok = m, true
	}
	return meant, ok
}
