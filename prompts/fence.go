package prompts

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// fenceMark is the word in the marks around quoted data. It never changes, so that successive prompts begin alike. plain
// removes it from every text, however it is disguised.
const fenceMark = "quoted-7q"

// disguised matches the fence's letters and digits with anything else between them.
var disguised = sync.OnceValue(func() *regexp.Regexp {
	var b strings.Builder
	for i, r := range normalizedLetters(fenceMark) {
		if i > 0 {
			b.WriteString(`[^\pL\pN]*`)
		}
		b.WriteString("[" + string(r) + string(unicode.ToUpper(r)) + string(r+fullWidth) + string(unicode.ToUpper(r)+fullWidth) + "]")
	}
	return regexp.MustCompile(b.String())
})

// withoutFence replaces the fence's word in a text.
func withoutFence(text string) string {
	if !strings.ContainsAny(text, "7\uff17") {
		return text // most texts
	}
	if !strings.Contains(normalizedLetters(text), normalizedLetters(fenceMark)) {
		return text
	}
	text = disguised().ReplaceAllString(text, "…")
	if strings.Contains(normalizedLetters(text), normalizedLetters(fenceMark)) { // what was around a mark forms another
		text = strings.NewReplacer("7", "…", "\uff17", "…").Replace(text)
	}
	return text
}

// fullWidth is what lies between an ASCII character and its full-width form.
const fullWidth = 0xFEE0

// normalizedLetters reduces a text to its letters and digits in lower case, with full-width forms replaced: a disguised
// mark becomes visible.
func normalizedLetters(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0xFF01 && r <= 0xFF5E {
			r -= fullWidth
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}

// quoted puts entries between the marks of the fence, one line each.
func quoted(entries []string) string {
	return "<" + fenceMark + ">\n" + strings.Join(entries, "\n") + "\n</" + fenceMark + ">"
}
