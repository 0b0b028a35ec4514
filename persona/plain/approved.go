package plain

import (
	"strings"

	"golang.org/x/text/language"
)

// Approved is what a persona says to somebody whom the operator has just let in, in the persona's language: nothing of what
// they wrote before was kept, so it asks for it again.
func Approved(tag, name string) string {
	base, _ := language.Make(tag).Base()
	t, _ := tongueOf(base.String())
	return strings.ReplaceAll(t.wordings["approved"][0], "{self}", name)
}
