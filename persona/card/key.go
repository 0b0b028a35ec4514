package card

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// KeyOf returns a key made from a name, "" if the name has no letter that a key can have.
func KeyOf(name string) string {
	bare := strings.Map(func(r rune) rune {
		switch r = unicode.ToLower(r); {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
			return -1
		}
		return ' '
	}, norm.NFD.String(name))
	key := strings.Join(strings.Fields(bare), "-")
	return strings.Trim(key[:min(len(key), maxKey)], "-")
}
