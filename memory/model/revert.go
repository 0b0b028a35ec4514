package model

import (
	"slices"
)

// without leaves out the evidence that goes, and says whether the belief stands on what is left: one only ever denied stays
// while the denial does.
func (b *Belief) Without(goes func(Evidence) bool) (stands bool) {
	supports := func(e Evidence) bool { return e.Stance > 0 }
	had := slices.ContainsFunc(b.Evidence, supports)
	b.Evidence = slices.DeleteFunc(b.Evidence, goes)
	return len(b.Evidence) > 0 && (!had || slices.ContainsFunc(b.Evidence, supports))
}
