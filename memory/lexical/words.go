package lexical

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The bounds of what is read of one text. A chat message is far below them; a pasted book is cut, never refused.
const (
	maxText = 64 << 10 // bytes read of one text
	maxWord = 48       // runes kept of one word
)

// Words yields the words of text, folded: lower case, accents off, compatibility forms made plain. A word is a run of
// letters and digits with the marks that belong to them; scripts written without spaces, and Hangul, whose particles
// stick to the word, yield overlapping pairs of characters instead. At most 64 KiB of text are read and 48 runes of a
// word kept.
func Words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		folded := fold(clip(text))
		for start := 0; start < len(folded); {
			r, size := utf8.DecodeRuneInString(folded[start:])
			if !inWord(r) {
				start += size
				continue
			}
			dense := isDense(r)
			end := start + size
			for end < len(folded) {
				next, n := utf8.DecodeRuneInString(folded[end:])
				if !inWord(next) || isDense(next) != dense {
					break
				}
				end += n
			}
			run := folded[start:end]
			start = end
			if dense {
				if !pairs(run, yield) {
					return
				}
			} else if !yield(firstRunes(run, maxWord)) {
				return
			}
		}
	}
}

// clip cuts text to what is read of it, at a rune's edge.
func clip(text string) string {
	if len(text) <= maxText {
		return text
	}
	end := maxText
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// fold lowers text and takes off Latin, Greek and Cyrillic accents. Marks of other scripts carry vowels and stay.
func fold(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range norm.NFKD.String(text) {
		switch {
		case r >= 0x0300 && r <= 0x036F, r == '\u200c', r == '\u200d', r == '\u00ad':
			// Accents, joiners and soft hyphens: they do not part words and do not tell them apart.
		case r == 'ß':
			b.WriteString("ss")
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return norm.NFC.String(b.String())
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// isDense says that r belongs to a script whose words are not parted by spaces, or hardly.
func isDense(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai,
		unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// pairs yields each two neighbouring characters of run, or the only one.
func pairs(run string, yield func(string) bool) bool {
	_, size := utf8.DecodeRuneInString(run)
	if size == len(run) {
		return yield(run)
	}
	for start, end := 0, size; end < len(run); {
		_, n := utf8.DecodeRuneInString(run[end:])
		if !yield(run[start : end+n]) {
			return false
		}
		_, first := utf8.DecodeRuneInString(run[start:])
		start, end = start+first, end+n
	}
	return true
}

// firstRunes are the first n runes of s.
func firstRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
