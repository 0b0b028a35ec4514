package evidence

import (
	"unicode/utf8"

	"familiar/internal/recent"
	"familiar/memory/concept"
	"familiar/memory/understand/reader"
)

// line is a line as the question's language reads it.
type line struct {
	*Line
	*parse
}

// parse is a text as a language reads it. It is not changed once it is made.
type parse struct {
	text     string // the head of what was said
	tokens   []token
	stems    map[string]bool
	mentions []concept.Mention
	clauses  []clause
	readings []reader.Reading
}

// part returns the text of a clause.
func (x *line) part(c clause) string {
	if c.from == c.to {
		return ""
	}
	return x.text[x.tokens[c.from].start:x.tokens[c.to-1].end]
}

// headBytes is how much of a text is read.
const headBytes = 8 << 10

// head returns the beginning of a text, cut before a rune.
func head(text string) string {
	end := min(len(text), headBytes)
	for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

func (l *language) read(said *Line) line {
	key := parseKey{l, said.Author, said.Text}
	if len(said.Text) > parsedBytes {
		return line{said, newParse(key)}
	}
	return line{said, parses.Get(key)}
}

const (
	// parsesKept is how many parses are kept at least, some 3 kB each. Questions in a row are asked about the same lines.
	parsesKept = 1000
	// parsedBytes is the longest text whose parse is kept.
	parsedBytes = 2000
)

var parses = recent.New(parsesKept, newParse)

// parseKey is a text to parse.
type parseKey struct {
	language     *language
	author, text string
}

func newParse(key parseKey) *parse {
	l, text := key.language, head(key.text)
	p := &parse{text: text, tokens: l.tokens(text), stems: map[string]bool{}}
	for _, t := range p.tokens {
		p.stems[t.stem] = true
	}
	for _, t := range l.tokens(key.author) {
		p.stems[t.stem] = true
	}
	p.mentions = l.mentions(stemsOf(p.tokens))
	conceptVectors(p.tokens, p.mentions)
	p.clauses = clauses(text, p.tokens)
	p.readings = reader.Read(text)
	return p
}
