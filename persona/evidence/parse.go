package evidence

import (
	"sync"
	"unicode/utf8"

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
	key := parseKey{l.tag, said.Author, said.Text}
	if p := parses.get(key); p != nil {
		return line{said, p}
	}
	text := head(said.Text)
	p := &parse{text: text, tokens: l.tokens(text), stems: map[string]bool{}}
	for _, t := range p.tokens {
		p.stems[t.stem] = true
	}
	for _, t := range l.tokens(said.Author) {
		p.stems[t.stem] = true
	}
	p.mentions = l.mentions(stemsOf(p.tokens))
	conceptVectors(p.tokens, p.mentions)
	p.clauses = clauses(text, p.tokens)
	p.readings = reader.Read(text)
	parses.put(key, p)
	return line{said, p}
}

type parseKey struct{ language, author, text string }

const (
	// parsesKept is how many parses are kept at least, some 3 kB each. Questions in a row are asked about the same lines.
	parsesKept = 1000
	// parsedBytes is the longest text whose parse is kept.
	parsedBytes = 2000
)

// parses holds the last parses: the young ones, and the old ones that are dropped when there are as many young ones.
var parses cache

type cache struct {
	mu         sync.Mutex
	young, old map[parseKey]*parse
}

func (c *cache) get(key parseKey) *parse {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.young[key]; p != nil {
		return p
	}
	p := c.old[key]
	if p != nil {
		c.keep(key, p)
	}
	return p
}

func (c *cache) put(key parseKey, p *parse) {
	if len(key.text) > parsedBytes {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keep(key, p)
}

func (c *cache) keep(key parseKey, p *parse) {
	if c.young == nil || len(c.young) == parsesKept {
		c.young, c.old = make(map[parseKey]*parse, parsesKept), c.young
	}
	c.young[key] = p
}
