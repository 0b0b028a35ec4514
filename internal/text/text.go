// Package text splits texts into words, compares words and stems them, for all packages that read text.
//
// A word is a run of letters, digits and marks, including the punctuation that belongs inside words ("don't",
// "mid-May", "17:30", "example.org"). The package does not use Unicode's word segmentation (UAX 29): it splits
// "mid-May" and "2023-05-07", joins "home.Then", and would need a correction at every mark.
package text

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"golang.org/x/text/unicode/norm"

	"familiar/internal/recent"
)

// Token is a word of a text: its bytes [Start, End).
type Token struct {
	// Norm is the word in the form used for comparison; see Normalize.
	Norm       string
	Start, End int
}

// Joins reports whether a mark between two runes joins them into one word.
type Joins func(before, mark, after rune) bool

// Inside reports whether mark joins two runes: apostrophes, hyphens, "@", full stops between digits or lower-case
// letters, and colons and slashes between digits.
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

// ofPlain reports for each byte below utf8.RuneSelf whether it is a letter or a digit.
var ofPlain = func() (plain [utf8.RuneSelf]bool) {
	for r := range rune(utf8.RuneSelf) {
		plain[r] = unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	return plain
}()

// IsWord reports whether a rune is part of a word: a letter, a digit or a mark on one.
func IsWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 0 && ofPlain[r]
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// isPart is like IsWord but also accepts the replacement rune of invalid bytes, so that they do not split a name.
func isPart(r rune) bool { return IsWord(r) || r == utf8.RuneError }

// End returns the position after the word that begins at byte start of a text.
func End(text string, start int, joins Joins) int {
	var before rune
	i := start
	for i < len(text) {
		if b := text[i]; b < utf8.RuneSelf && ofPlain[b] {
			before, i = rune(b), i+1
			continue
		}
		r, size := decode(text, i)
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

// Words yields the bounds of the words of a text in order. If joins is nil, a word is a run of letters, digits and
// marks.
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

// plain replaces typographic apostrophes by the ASCII one.
var plain = strings.NewReplacer("’", "'", "ʼ", "'", "`", "'")

// Normalize returns a word in lower case with ASCII apostrophes. It does not allocate for a normalized word.
func Normalize(word string) string {
	for i := range len(word) {
		if b := word[i]; b >= utf8.RuneSelf || b == '`' || 'A' <= b && b <= 'Z' {
			return normalize(word)
		}
	}
	return word
}

func normalize(word string) string {
	word = strings.ToLower(word)
	if strings.ContainsAny(word, "’ʼ`") {
		word = plain.Replace(word)
	}
	return word
}

// Bare removes Latin, Greek and Cyrillic accents from lower-case text and writes "ß" as "ss". Marks of other scripts
// carry vowels and stay.
func Bare(text string) string {
	if IsASCII(text) {
		return text
	}
	if isWestern(text) {
		return bareWestern(text)
	}
	return respell(text, writeBare)
}

// Plain converts a text to lower case and removes its accents; see Lower and Bare.
func Plain(text string) string {
	if IsASCII(text) {
		return strings.ToLower(text)
	}
	if isWestern(text) {
		return bareWestern(strings.ToLower(text))
	}
	return respell(text, func(b *strings.Builder, r rune) {
		if r, written := small(r); written {
			writeBare(b, r)
		}
	})
}

// PlainWords yields the words of a text in lower case without accents.
func PlainWords(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for start, end := range Words(text, nil) {
			if !yield(Plain(text[start:end])) {
				return
			}
		}
	}
}

// Lower converts letters to lower case, replaces compatibility forms, and drops joiners and soft hyphens, which neither
// separate nor distinguish words.
func Lower(text string) string {
	if IsASCII(text) || isWestern(text) {
		return strings.ToLower(text)
	}
	return respell(text, func(b *strings.Builder, r rune) {
		if r, written := small(r); written {
			b.WriteRune(r)
		}
	})
}

// isWestern reports whether a text consists of ASCII and the letters from À to ÿ, most of which are accented. Such a text
// needs no Unicode normalization, which takes many times longer.
func isWestern(text string) bool {
	for _, r := range text {
		if r >= utf8.RuneSelf && (r < 'À' || r > 'ÿ') {
			return false
		}
	}
	return true
}

// bareLetters are the letters from À to ÿ without accents.
var bareLetters = [...]string{
	"A", "A", "A", "A", "A", "A", "Æ", "C", "E", "E", "E", "E", "I", "I", "I", "I",
	"Ð", "N", "O", "O", "O", "O", "O", "×", "Ø", "U", "U", "U", "U", "Y", "Þ", "ss",
	"a", "a", "a", "a", "a", "a", "æ", "c", "e", "e", "e", "e", "i", "i", "i", "i",
	"ð", "n", "o", "o", "o", "o", "o", "÷", "ø", "u", "u", "u", "u", "y", "þ", "y",
}

func bareWestern(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range text {
		if r < utf8.RuneSelf {
			b.WriteByte(byte(r))
		} else {
			b.WriteString(bareLetters[r-'À'])
		}
	}
	return b.String()
}

// small returns the lower-case rune and whether the rune distinguishes words.
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

// respell decomposes a text, writes each character and recomposes the result.
func respell(text string, write func(*strings.Builder, rune)) string {
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range norm.NFKD.String(text) {
		write(&b, r)
	}
	return norm.NFC.String(b.String())
}

// IsASCII reports whether a text is pure ASCII.
func IsASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Stemmer reduces words to the form that their inflections share.
type Stemmer func(word string) string

const (
	// stemsKept is how many stems of a language are kept at least: the words of most texts. keptBytes is the longest such word.
	stemsKept = 4096
	keptBytes = 32
)

// Snowball returns a Stemmer that uses one of the Snowball project's stemmers.
func Snowball(stem func(*snowballstem.Env) bool) Stemmer {
	return recent.Texts(stemsKept, keptBytes, func(word string) string {
		env := snowballstem.NewEnv(word)
		stem(env)
		return env.Current()
	})
}

// Lists returns the word lists of a table by name. A list starts with "name:" and continues on indented lines. Lines that
// start with "#" are comments.
func Lists(table string) map[string]string {
	lists, name := map[string]string{}, ""
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if head, rest, found := strings.Cut(line, ":"); found {
			name, line = head, rest
		}
		lists[name] += line
	}
	return lists
}
