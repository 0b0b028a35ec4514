package lexical

import (
	"iter"
	"unicode"
	"unicode/utf8"

	"familiar/internal/text"
)

// Limits on what is read of one text. A chat message is far below them; a longer text is cut, never rejected.
const (
	maxText = 64 << 10 // bytes read of one text
	maxWord = 48       // runes kept of one word
)

// word is one word of a text: lower case as written, and folded. The two differ only in accents.
type word struct{ written, folded string }

// Words yields the words of text, folded: in lower case, without accents, with compatibility forms replaced. A word is
// a run of letters and digits with their marks. Scripts without spaces, and Hangul, which attaches particles to words,
// yield overlapping pairs of characters instead. Words reads at most 64 KiB of text and keeps 48 runes per word.
func Words(said string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for w := range words(said) {
			if !yield(w.folded) {
				return
			}
		}
	}
}

// words is like Words but also yields the accented forms.
func words(said string) iter.Seq[word] {
	plain := text.Lower(Clip(said))
	if text.IsASCII(plain) {
		return plainWords(plain)
	}
	return func(yield func(word) bool) {
		for start := 0; start < len(plain); {
			r, size := utf8.DecodeRuneInString(plain[start:])
			if !text.IsWord(r) {
				start += size
				continue
			}
			dense := isDense(r)
			end := start + size
			for end < len(plain) {
				next, n := utf8.DecodeRuneInString(plain[end:])
				if !text.IsWord(next) || isDense(next) != dense {
					break
				}
				end += n
			}
			run := plain[start:end]
			start = end
			if dense {
				if !pairs(run, yield) {
					return
				}
			} else if w := newWord(run); w.folded != "" && !yield(w) { // a standalone accent is no word
				return
			}
		}
	}
}

// plainWords returns the words of lower-case ASCII text.
func plainWords(plain string) iter.Seq[word] {
	return func(yield func(word) bool) {
		for start, end := nextWord(plain, 0); start < end; start, end = nextWord(plain, end) {
			w := plain[start:min(end, start+maxWord)]
			if !yield(word{w, w}) {
				return
			}
		}
	}
}

// nextWord returns the bounds of the first word at or after from in lower-case ASCII text. They are equal after the
// last word.
func nextWord[T string | []byte](plain T, from int) (start, end int) {
	start = from
	for start < len(plain) && !inASCIIWord[plain[start]] {
		start++
	}
	end = start
	for end < len(plain) && inASCIIWord[plain[end]] {
		end++
	}
	return start, end
}

// inASCIIWord is text.IsWord for bytes of lower-case ASCII text.
var inASCIIWord = func() (in [256]bool) {
	for b := range byte(utf8.RuneSelf) {
		in[b] = text.IsWord(rune(b))
	}
	return in
}()

func newWord(run string) word {
	run = firstRunes(run, maxWord)
	if text.IsASCII(run) {
		return word{run, run}
	}
	return word{run, firstRunes(text.Bare(run), maxWord)}
}

// Clip cuts text to the 64 KiB that are read, at a rune boundary.
func Clip(text string) string {
	if len(text) <= maxText {
		return text
	}
	end := maxText
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// Normalize converts s to lower case and removes Latin, Greek and Cyrillic accents, as Words does.
func Normalize(s string) string { return text.Plain(s) }

// isDense reports whether r belongs to a script that rarely or never separates words by spaces.
func isDense(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai,
		unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// pairs yields each pair of adjacent characters of run, or its only character.
func pairs(run string, yield func(word) bool) bool {
	_, size := utf8.DecodeRuneInString(run)
	if size == len(run) {
		return yield(word{run, run})
	}
	for start, end := 0, size; end < len(run); {
		_, n := utf8.DecodeRuneInString(run[end:])
		if pair := run[start : end+n]; !yield(word{pair, pair}) {
			return false
		}
		_, first := utf8.DecodeRuneInString(run[start:])
		start, end = start+first, end+n
	}
	return true
}

// firstRunes returns the first n runes of s.
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
