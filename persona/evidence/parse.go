package evidence

import (
	"slices"
	"unicode/utf8"

	"familiar/memory/concept"
	"familiar/memory/understand/reader"
)

// line is a line as the question's language reads it.
type line struct {
	*Line
	*parse
	// shares is the share of the question's topic that the line has, by weight, 0–1.
	shares float64
	author []string // the stems of the author's name
}

// has reports whether a line has a stem, or its author's name.
func (x *line) has(stem string) bool {
	return inClause(x, clause{0, len(x.tokens)}, stem) || slices.Contains(x.author, stem)
}

// parse is a text as a language reads it. It is not changed once it is made.
type parse struct {
	text     string // the head of what was said
	tokens   []token
	mentions []concept.Mention
	clauses  []clause
	readings []reader.Reading
	// supposes and takesBack report that it has a phrase of the language's lists.
	supposes, takesBack bool
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

const (
	// parsesKept is how many parses are kept at least, some 3 kB each. Questions in a row are asked about the same lines.
	parsesKept = 1000
	// parsedBytes is the longest text whose parse is kept.
	parsedBytes = 2000
)

func (l *language) read(said *Line) line {
	return line{Line: said, parse: l.parse(said.Text), author: l.authorStems(said.Author)}
}

func (l *language) newParse(said string) *parse {
	text := head(said)
	p := &parse{text: text, tokens: l.tokens(text)}
	p.mentions = l.mentions(stemsOf(p.tokens))
	conceptVectors(p.tokens, p.mentions)
	p.clauses = clauses(text, p.tokens)
	p.readings = reader.Read(text)
	plain := plainsOf(p.tokens)
	p.supposes, p.takesBack = holds(plain, l.supposes), holds(plain, l.takesBack)
	return p
}
