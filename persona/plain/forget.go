package plain

import (
	"strconv"
	"strings"

	"familiar/memory/model"
	"familiar/persona/words"
)

// forgetting tells who asks in talk to have something forgotten how that is done, and which line it would be where only
// one tells of it. It is not done on a word alone: what is forgotten is gone, and /forget names exactly what.
func (ac acknowledger) forgetting() []string {
	for _, line := range ac.scene.Heard {
		switch r := line.Heard; {
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

// meantToForget returns the one memory that tells all of what is to be forgotten, false when none or several do.
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
