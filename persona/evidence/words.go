package evidence

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"familiar/internal/text"
	"familiar/memory/concept"
	"familiar/memory/wordvec"
)

// token is one word of a text.
type token struct {
	// plain is the word in lower case without accents, stem its form for comparison.
	plain, stem string
	start, end  int
	// content reports that the word is no function word, named that it begins with a capital inside a sentence.
	content, named bool
	// vector tells what company the word keeps, in other languages than English that of the English word that means the same, or of
	// its concept's name.
	vector wordvec.Word
}

// tokens returns the words of a text as a language reads them.
func (l *language) tokens(said string) []token {
	var all []token
	for start, end := range text.Words(said, nil) {
		t := token{plain: text.Plain(said[start:end]), stem: l.lexicon.Stem(said[start:end]), start: start, end: end}
		t.content = t.stem != "" && t.stem[len(t.stem)-1] != '-' && (len(t.plain) > 1 || unicode.IsDigit(rune(t.plain[0])))
		first, _ := utf8.DecodeRuneInString(said[start:])
		t.named = unicode.IsUpper(first) && end-start > 1 && !opensSentence(said, start)
		t.vector = l.lexicon.Vector(t.plain, t.stem)
		all = append(all, t)
	}
	return all
}

// opensSentence reports whether the word at byte i is the first of a sentence.
func opensSentence(said string, i int) bool {
	for i > 0 {
		r, size := utf8.DecodeLastRuneInString(said[:i])
		switch {
		case unicode.IsSpace(r) || r == '"' || r == '“' || r == '\'' || r == '(':
			i -= size
			continue
		case r == '.' || r == '!' || r == '?' || r == '…' || r == '\n':
			return true
		}
		return false
	}
	return true
}

func stemsOf(tokens []token) []string {
	stems := make([]string, len(tokens))
	for i, t := range tokens {
		stems[i] = t.stem
	}
	return stems
}

func plainsOf(tokens []token) []string {
	plain := make([]string, len(tokens))
	for i, t := range tokens {
		plain[i] = t.plain
	}
	return plain
}

// weight returns how much a stem tells, from commonWeight for the commonest to 1 for a rare one.
func (l *language) weight(stem string) float64 {
	return 1 - (1-commonWeight)*l.common[stem]
}

const commonWeight = 0.3

// clause is a part of a line, tokens [from, to).
type clause struct{ from, to int }

// clauses splits a line after marks of punctuation and before words that begin a clause.
func clauses(said string, tokens []token) []clause {
	var all []clause
	from := 0
	for i := 1; i < len(tokens); i++ {
		between := said[tokens[i-1].end:tokens[i].start]
		if breaks(between) || i-from >= minClause && slices.Contains(joints, tokens[i].plain) {
			all = append(all, clause{from, i})
			from = i
		}
	}
	if from < len(tokens) {
		all = append(all, clause{from, len(tokens)})
	}
	return all
}

// minClause is how many words a clause has before a joint ends it.
const minClause = 3

// joints begin clauses.
var joints = []string{
	"and", "but", "so", "because", "cos", "cause", "which", "who", "when", "while", "though", "und", "aber", "weil", "denn", "dass", "y", "pero", "porque", "que",
	"et", "mais", "parce", "car",
}

// breaks reports whether what stands between two words ends a clause.
func breaks(between string) bool {
	for _, r := range between {
		switch r {
		case '.', '!', '?', ';', ':', ',', '\n', '…', '(', ')', '–', '—':
			return true
		}
	}
	return between != "" && between == " - "
}

// mentions returns the concepts that tokens mention.
func (l *language) mentions(stems []string) []concept.Mention { return l.lexicon.In(stems) }
