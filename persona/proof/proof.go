// Package proof checks what a model wrote against the lines that it was shown: a model may choose words but adds no
// facts. Its checks need no word lists, so they hold in any language. Pure.
package proof

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/internal/text"
	"familiar/memory/lexical"
	"familiar/memory/understand"
)

// Record is the lines that prove a text.
type Record struct {
	folded  string
	words   map[string]bool
	numbers map[string]bool
}

// NewRecord returns a record of lines. Names of speakers and dates that count as known are lines too.
func NewRecord(lines ...string) Record {
	r := Record{folded: text.Plain(strings.Join(lines, "\n")), words: map[string]bool{}, numbers: map[string]bool{}}
	for word := range text.PlainWords(r.folded) {
		r.words[word] = true
	}
	for _, n := range numbersIn(r.folded) {
		r.numbers[n] = true
	}
	return r
}

// Lacks returns the names and numbers in a text that the record does not have, in order. A name may be inflected.
// A capital at the start of a sentence, or in a language that writes all nouns with one, marks no name.
func (r Record) Lacks(said string) (missing []string) {
	add := func(s string) {
		if !slices.Contains(missing, s) {
			missing = append(missing, s)
		}
	}
	for _, n := range numbersIn(said) {
		if !r.numbers[n] {
			add(n)
		}
	}
	for _, name := range Names(said) {
		if !r.Names(name) {
			add(name)
		}
	}
	return missing
}

// Names reports whether the record has every word of a name, possibly inflected.
func (r Record) Names(name string) bool {
	for start, end := range text.Words(name, nil) {
		if word := text.Plain(name[start:end]); !r.has(word) {
			return false
		}
	}
	return true
}

// Ties reports whether a phrase names somebody by their tie to a name that the record has: "Bron's father", "Mère de
// Maëlle", "Jules Mutter", "美咲の母". A second name that the record does not have makes it somebody else.
func (r Record) Ties(phrase string) bool {
	if mostlyCaseless(phrase) {
		return r.hasLineIn(phrase)
	}
	words := strings.Fields(phrase)
	plain, tied := false, false
	for _, w := range words {
		plain = plain || !hasCapital(w)
	}
	for i, w := range words {
		word := text.Plain(strings.Trim(w, ".,"))
		base, _, _ := strings.Cut(strings.ReplaceAll(word, "’", "'"), "'")
		switch {
		case !hasCapital(w), i == 0 && plain && !r.has(base):
		case r.words[base] && word != base, r.has(base) && (!r.words[base] || plain):
			tied = true
		case r.has(base):
		case i > 0 && tied: // German writes the noun with a capital too
		default:
			return false
		}
	}
	return tied
}

// hasLineIn reports whether a phrase contains a whole line of the record, such as a name.
func (r Record) hasLineIn(phrase string) bool {
	phrase = text.Plain(phrase)
	for line := range strings.Lines(r.folded) {
		if line = strings.TrimSpace(line); utf8.RuneCountInString(line) > 1 && strings.Contains(phrase, line) {
			return true
		}
	}
	return false
}

func hasCapital(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first)
}

func (r Record) has(word string) bool {
	if r.words[word] || utf8.RuneCountInString(word) < 2 {
		return true
	}
	if !cased(word) && strings.Contains(r.folded, word) {
		return true // scripts without capitals often write no spaces either
	}
	for w := range r.words {
		if sameName(w, word) {
			return true
		}
	}
	return false
}

// sameName reports whether two words look like forms of one name: they share a beginning of at least three letters and
// two thirds of the longer one, and differ in at most three letters ("Ana" and "Anas", "Анна" and "Анны").
func sameName(a, b string) bool {
	x, y := []rune(a), []rune(b)
	longest, shared := max(len(x), len(y)), 0
	for shared < min(len(x), len(y)) && x[shared] == y[shared] {
		shared++
	}
	return shared >= 3 && shared*3 >= longest*2 && longest-shared <= 3
}

// Names returns the names in a text, word by word.
func Names(said string) (names []string) {
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if mostlyCaseless(said) {
		for _, foreign := range foreignRuns(said) {
			add(foreign)
		}
		return names
	}
	nouns := lexical.Detect(said) == lexical.Named("de")
	if !nouns {
		for _, name := range understand.Analyze(understand.Utterance{Text: said, WithoutFacts: true}).Entities {
			add(name)
		}
	}
	starts := true
	last := 0
	for start, end := range text.Words(said, nil) {
		starts = starts || strings.ContainsAny(said[last:start], ".!?…:;\n\"“”«»(¿¡")
		word := said[start:end]
		first, _ := utf8.DecodeRuneInString(word)
		if utf8.RuneCountInString(word) > 1 && !nouns && unicode.IsUpper(first) && !starts {
			add(word)
		}
		starts, last = false, end
	}
	return names
}

// foreignRuns returns what a text of a script without capitals writes in another one, as it often does with names: runs
// of at least two letters with capitals, or of katakana.
func foreignRuns(said string) (runs []string) {
	var b strings.Builder
	script := 0
	flush := func() {
		if utf8.RuneCountInString(b.String()) > 1 && script != 0 {
			runs = append(runs, b.String())
		}
		b.Reset()
	}
	for _, r := range said + "\n" {
		of := 0
		switch {
		case unicode.Is(unicode.Katakana, r) || r == 'ー':
			of = 1
		case unicode.IsUpper(r) || unicode.IsLower(r):
			of = 2
		}
		if of != script {
			flush()
			script = of
		}
		b.WriteRune(r)
	}
	return runs
}

// cased reports whether a word is of a script that has capitals.
func cased(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsLower(r) })
}

// mostlyCaseless reports whether most letters of a text are of scripts without capitals.
func mostlyCaseless(said string) bool {
	letters, without := 0, 0
	for _, r := range said {
		if unicode.IsLetter(r) {
			letters++
			if !unicode.IsUpper(r) && !unicode.IsLower(r) {
				without++
			}
		}
	}
	return without*2 > letters
}

// numbersIn returns the runs of digits in a text, in ASCII digits and without leading zeros.
func numbersIn(said string) (numbers []string) {
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			n := strings.TrimLeft(b.String(), "0")
			numbers = append(numbers, n)
			b.Reset()
		}
	}
	for _, r := range said {
		if d, ok := digit(r); ok {
			b.WriteByte(byte('0' + d))
			continue
		}
		flush()
	}
	flush()
	return numbers
}

// digit returns the value of a decimal digit of any script.
func digit(r rune) (int, bool) {
	if '0' <= r && r <= '9' {
		return int(r - '0'), true
	}
	if !unicode.Is(unicode.Nd, r) {
		return 0, false
	}
	zero := r
	for unicode.Is(unicode.Nd, zero-1) && r-(zero-1) <= 9 { // the digits of a script follow one another from 0
		zero--
	}
	return int(r - zero), true
}

// Quoted returns a quote as a text has it, with single spaces, "" if the text does not contain it. White space is
// ignored.
func Quoted(quote, said string) string {
	quote = strings.Join(strings.Fields(quote), " ")
	if quote == "" || !strings.Contains(strings.Join(strings.Fields(said), " "), quote) {
		return ""
	}
	return quote
}

// Sentences splits a text after the marks that end a sentence in any script.
func Sentences(said string) (sentences []string) {
	from := 0
	cut := func(to int) {
		if s := strings.TrimSpace(said[from:to]); s != "" {
			sentences = append(sentences, s)
		}
		from = to
	}
	for i, r := range said {
		end := i + utf8.RuneLen(r)
		switch {
		case r == utf8.RuneError:
		case strings.ContainsRune("。！？।॥", r):
			cut(end)
		case strings.ContainsRune(".!?؟…\n", r) && (end == len(said) || strings.ContainsAny(said[end:end+1], " \n")):
			cut(end)
		}
	}
	cut(len(said))
	return sentences
}

// leastShared is the share of a phrase's longer words, or of its pairs of letters in scripts without spaces, that a quote
// must have for the phrase to say the same.
const leastShared = 0.5

// Echoes reports whether a phrase says no more than a quote: its names and numbers are there, and at least half of its
// words of four letters or more, possibly inflected; of shorter ones it has at least one.
func Echoes(phrase, quote string) bool {
	r := NewRecord(quote)
	if len(r.Lacks(phrase)) > 0 {
		return false
	}
	if mostlyCaseless(phrase) {
		return sharedPairs(text.Plain(phrase), text.Plain(quote)) >= leastShared
	}
	long, shared, short := 0, 0, false
	for word := range text.PlainWords(phrase) {
		switch has := r.has(word); {
		case utf8.RuneCountInString(word) >= 4:
			long++
			if has {
				shared++
			}
		case has:
			short = true
		}
	}
	if long == 0 {
		return short
	}
	return shared > 0 && float64(shared) >= leastShared*float64(long)
}

// sharedPairs returns the share of a phrase's pairs of neighboring letters that a quote has.
func sharedPairs(phrase, quote string) float64 {
	runes := []rune(phrase)
	all, shared := 0, 0
	for i := range len(runes) - 1 {
		if !unicode.IsLetter(runes[i]) || !unicode.IsLetter(runes[i+1]) {
			continue
		}
		all++
		if strings.Contains(quote, string(runes[i:i+2])) {
			shared++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(shared) / float64(all)
}
