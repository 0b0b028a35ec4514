// Package text cuts texts into words, compares words and stems them: once, for everything that reads.
//
// A word is a run of letters, digits and marks, held together over the marks that belong inside words ("don't",
// "mid-May", "17:30", "example.org"). Unicode's word segmentation (UAX 29) is not used for it: it parts "mid-May" and
// "2023-05-07", joins "home.Then", and would have to be undone at every mark.
package text

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"golang.org/x/text/unicode/norm"
)

// Token is a word of a text: its bytes [Start, End).
type Token struct {
	// Norm is the word as it is compared, see Normalize.
	Norm       string
	Start, End int
}

// Joins says whether a mark between two runes holds them together as one word.
type Joins func(before, mark, after rune) bool

// Inside are the marks inside a word: apostrophes, hyphens, "@", full stops between digits or small letters, and colons
// and slashes between digits.
func Inside(before, mark, after rune) bool {
	switch mark {
	case '\'', '’', 'ʼ', '`', '-', '@':
		return isPart(before) && isPart(after)
	case '.': // "3.5", "example.org", but "home.Then"
		return unicode.IsDigit(before) && unicode.IsDigit(after) || unicode.IsLower(before) && unicode.IsLower(after)
	case ':', '/':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	}
	return false
}

// ofPlain says for each byte below utf8.RuneSelf whether it is a letter or a digit.
var ofPlain = func() (plain [utf8.RuneSelf]bool) {
	for r := range rune(utf8.RuneSelf) {
		plain[r] = unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	return plain
}()

// IsWord says that a rune is part of a word: a letter, a digit or a mark on one.
func IsWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 0 && ofPlain[r]
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// isPart is IsWord, and true for the sign of bytes that are no text: a name is not cut where they stand.
func isPart(r rune) bool { return IsWord(r) || r == utf8.RuneError }

// End is the byte after the word that begins at byte start of a text.
func End(text string, start int, joins Joins) int {
	var before rune
	i := start
	for i < len(text) {
		r, size := decode(text, i)
		if size == 1 && ofPlain[r&0x7f] && r < utf8.RuneSelf {
			before, i = r, i+1
			continue
		}
		if !isPart(r) {
			if joins == nil || i == start || i+size >= len(text) {
				break
			}
			if after, _ := decode(text, i+size); !joins(before, r, after) {
				break
			}
		}
		before, i = r, i+size
	}
	return i
}

func decode(text string, i int) (rune, int) {
	if b := text[i]; b < utf8.RuneSelf {
		return rune(b), 1
	}
	return utf8.DecodeRuneInString(text[i:])
}

// Words yields the bounds of the words of a text in order. Without joins a word is a mere run of letters, digits and marks.
func Words(text string, joins Joins) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		for i := 0; i < len(text); {
			r, size := decode(text, i)
			if !IsWord(r) {
				i += size
				continue
			}
			end := End(text, i, joins)
			if !yield(i, end) {
				return
			}
			i = end
		}
	}
}

// Tokens yields the words of a text in order.
func Tokens(text string, joins Joins) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		for start, end := range Words(text, joins) {
			if !yield(Token{Normalize(text[start:end]), start, end}) {
				return
			}
		}
	}
}

// plain makes apostrophes, however they are typed, the one on a keyboard.
var plain = strings.NewReplacer("’", "'", "ʼ", "'", "`", "'")

// Normalize is a word in lower case with plain apostrophes. It does not allocate for a word that is so already.
func Normalize(word string) string {
	word = strings.ToLower(word)
	if strings.ContainsAny(word, "’ʼ`") {
		word = plain.Replace(word)
	}
	return word
}

// Sentences cuts a text after full stops, question and exclamation marks that a space follows; joined again the parts are
// the text.
func Sentences(text string) []string {
	var parts []string
	start := 0
	for i := 0; i+1 < len(text); i++ {
		if strings.IndexByte(".!?", text[i]) >= 0 && text[i+1] == ' ' {
			parts = append(parts, text[start:i+1])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}

// Bare takes Latin, Greek and Cyrillic accents off a text in small letters, and writes "ß" as "ss". Marks of other scripts
// carry vowels and stay.
func Bare(text string) string {
	if IsASCII(text) {
		return text
	}
	return respell(text, writeBare)
}

// Plain lowers a text and takes off its accents, see Lower and Bare.
func Plain(text string) string {
	if IsASCII(text) {
		return strings.ToLower(text)
	}
	return respell(text, func(b *strings.Builder, r rune) {
		if r, written := small(r); written {
			writeBare(b, r)
		}
	})
}

// Lower makes letters small, compatibility forms plain, and drops joiners and soft hyphens: they do not part words and do
// not tell them apart.
func Lower(text string) string {
	if IsASCII(text) {
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

func writeBare(b *strings.Builder, r rune) {
	switch {
	case r >= 0x0300 && r <= 0x036F:
	case r == 'ß':
		b.WriteString("ss")
	default:
		b.WriteRune(r)
	}
}

// respell writes each character of a text, its marks taken apart, and puts the result together again.
func respell(text string, write func(*strings.Builder, rune)) string {
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range norm.NFKD.String(text) {
		write(&b, r)
	}
	return norm.NFC.String(b.String())
}

// IsASCII says that a text is written in ASCII alone.
func IsASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Stemmer takes words to the form that their inflections share.
type Stemmer func(word string) string

// Snowball stems with one of the Snowball project's stemmers.
func Snowball(stem func(*snowballstem.Env) bool) Stemmer {
	return func(word string) string {
		env := snowballstem.NewEnv(word)
		stem(env)
		return env.Current()
	}
}
