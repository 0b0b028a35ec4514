package scene

import (
	"strings"

	"familiar/persona/words"
)

// placeholders are the values that channels use for a missing name.
var placeholders = words.Of("you me i user guest anonymous unknown")

// IsPlaceholder reports whether a name on a network stands for none.
func IsPlaceholder(name string) bool { return placeholders.Has(strings.ToLower(name)) }
