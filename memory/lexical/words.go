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

// word is one word of a text: lower case as written, and folded. The two differ in accents only.
type word struct{ written, folded string }

// Words yields the words of text, folded: lower case, accents off, compatibility forms made plain. A word is a run of
// letters and digits with the marks that belong to them; scripts written without spaces, and Hangul, whose particles
// stick to the word, yield overlapping pairs of characters instead. At most 64 KiB of text are read and 48 runes of a
// word kept.
func Words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for w := range words(text) {
			if !yield(w.folded) {
				return
			}
		}
	}
}

// words is Words with their accents.
func words(text string) iter.Seq[word] {
	plain := lower(Clip(text))
	if isASCII(plain) {
		return plainWords(plain)
	}
	return func(yield func(word) bool) {
		for start := 0; start < len(plain); {
			r, size := utf8.DecodeRuneInString(plain[start:])
			if !inWord(r) {
				start += size
				continue
			}
			dense := isDense(r)
			end := start + size
			for end < len(plain) {
				next, n := utf8.DecodeRuneInString(plain[end:])
				if !inWord(next) || isDense(next) != dense {
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
			} else if w := newWord(run); w.folded != "" && !yield(w) { // an accent that stands alone is no word
				return
			}
		}
	}
}

// plainWords are the words of lowered text that is all ASCII.
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

// nextWord bounds the first word at or after from in lowered text that is all ASCII. It is empty after the last.
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

// inASCIIWord is inWord for ASCII.
var inASCIIWord = func() (in [256]bool) {
	for b := range byte(utf8.RuneSelf) {
		in[b] = inWord(rune(b))
	}
	return in
}()

func newWord(run string) word {
	run = firstRunes(run, maxWord)
	if isASCII(run) {
		return word{run, run}
	}
	return word{run, firstRunes(bare(run), maxWord)}
}

// Clip cuts text to what is read of it, 64 KiB, at a rune's edge.
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

// Fold lowers text and takes off Latin, Greek and Cyrillic accents, as Words does.
func Fold(text string) string { return fold(text) }

// fold is bare(lower(text)) in one pass.
func fold(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	return respell(text, func(b *strings.Builder, r rune) {
		if r, written := small(r); written {
			writeBare(b, r)
		}
	})
}

// lower makes letters small, compatibility forms plain, and drops joiners and soft hyphens: they do not part words and
// do not tell them apart.
func lower(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	return respell(text, func(b *strings.Builder, r rune) {
		if r, written := small(r); written {
			b.WriteRune(r)
		}
	})
}

// small is a letter made small, and whether it is one that tells words apart.
func small(r rune) (low rune, written bool) {
	return unicode.ToLower(r), r != '\u200c' && r != '\u200d' && r != '\u00ad'
}

// bare takes the accents off lowered text. Marks of other scripts carry vowels and stay.
func bare(text string) string {
	if isASCII(text) {
		return text
	}
	return respell(text, writeBare)
}

func writeBare(b *strings.Builder, r rune) {
	switch {
	case r >= 0x0300 && r <= 0x036F:
	case r == 'ß':
		b.WriteString("ss")
	default:
		b.WriteRune(r)
	}
}

// respell writes each character of text, its marks taken apart, and puts the result together again.
func respell(text string, write func(*strings.Builder, rune)) string {
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range norm.NFKD.String(text) {
		write(&b, r)
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
