package english

import "strings"

// Pattern is a wording, written in a small notation over words:
//
//	a|b        one of several words; a? or a|b? may be missing
//	{name}     a slot: what is claimed; see slots.go for the kinds
//	{relation} a slot for the words that name a relation
//	...        up to six words of anything
//	$          the end of the clause
type Pattern struct {
	Elements []element
	// needs has a mask of words for each required element with words. A clause that has none of the words of one mask
	// is skipped without matching.
	needs []uint64
	// first is the mask of the words that the pattern begins with, 0 when it may begin otherwise.
	first uint64
}

type elementKind int

// The kinds of elements that wordings are filed by.
const (
	literal elementKind = iota
	slot
	gap
	finish
)

type element struct {
	Kind     elementKind
	Words    []string // of a literal: the alternatives
	Slot     string
	Optional bool
}

// gapReach is how many words "..." may match.
const gapReach = 6

// Compile parses a pattern's notation.
func Compile(notation string) Pattern {
	var p Pattern
	for _, f := range strings.Fields(notation) {
		var e element
		f, e.Optional = strings.CutSuffix(f, "?")
		switch {
		case f == "...":
			e.Kind = gap
		case f == "$":
			e.Kind = finish
		case f[0] == '{':
			e.Kind, e.Slot = slot, strings.Trim(f, "{}")
		default:
			e.Words = strings.Split(strings.ToLower(f), "|")
		}
		p.Elements = append(p.Elements, e)
		if len(e.Words) > 0 && !e.Optional {
			p.needs = append(p.needs, e.mask())
		}
	}
	if len(p.Elements) > 0 && p.Elements[0].Kind == literal && !p.Elements[0].Optional {
		p.first = p.Elements[0].mask()
	}
	return p
}

// mask returns the mask of the words that the element may match.
func (e element) mask() uint64 {
	mask := uint64(0)
	for _, w := range e.Words {
		mask |= bit(w)
	}
	return mask
}

// bit returns the bit of a word in a mask. Many words share one bit.
func bit(w string) uint64 {
	if w == "" {
		return 0
	}
	return 1 << ((uint(w[0])*31 + uint(w[len(w)-1])*7 + uint(len(w))) % 64)
}

// Clause is a sequence of words in a text.
type Clause struct {
	Text  string
	Words []Word
	// mask is the mask of its words, 0 when it was not computed.
	mask uint64
}

// NewClause computes the mask of the words, which makes matching cheap.
func NewClause(text string, words []Word) Clause {
	c := Clause{Text: text, Words: words}
	for i := range words {
		c.mask |= bit(words[i].Low)
	}
	return c
}

// Match is the result of a pattern. Indices are words of the clause.
type Match struct {
	// Key is what a slot for a relation holds, normalised.
	Key string
	// From and To bound the value in words, empty when the pattern has no slot for one. End is the word after the match.
	From, To, End int
}

// Value returns the matched value as written.
func (c Clause) Value(m Match) string { return c.Span(m.From, m.To) }

// Span returns the text of words [from, to) without the punctuation around it.
func (c Clause) Span(from, to int) string {
	if from >= to {
		return ""
	}
	end := c.Words[to-1].End
	if said := c.Text[c.Words[from].Start:end]; strings.Contains(said, "(") && !strings.Contains(said, ")") && strings.HasPrefix(c.Text[end:], ")") {
		end++ // "Hello (song)"
	}
	return strings.TrimSpace(c.Text[c.Words[from].Start:end])
}

// Low returns the normalized word at i, empty outside the clause and inside quotations.
func (c Clause) Low(i int) string {
	if i < 0 || i >= len(c.Words) || c.Words[i].Quoted {
		return ""
	}
	return c.Words[i].Low
}

// Needs are masks of words of which a clause must have one each. They are a part of what a pattern needs, apart from it
// so that a list of them is read quickly.
type Needs [2]uint64

// Needs returns two of the masks of what the pattern needs.
func (p *Pattern) Needs() Needs {
	n := Needs{^uint64(0), ^uint64(0)}
	copy(n[:], p.needs)
	return n
}

// Meets reports whether the clause may have what a pattern needs.
func (c *Clause) Meets(n Needs) bool { return c.mask == 0 || c.mask&n[0] != 0 && c.mask&n[1] != 0 }

// Find matches the pattern at word i.
func (p *Pattern) Find(c Clause, i int) (Match, bool) {
	if p.first != 0 && p.first&bit(c.Low(i)) == 0 {
		return Match{}, false
	}
	if c.mask != 0 {
		for _, need := range p.needs {
			if c.mask&need == 0 {
				return Match{}, false
			}
		}
	}
	return wanted(p.Elements).from(c, i, Match{End: i})
}

// wanted is the rest of a pattern that is still to be matched.
type wanted []element

// from matches the rest of the pattern at word i.
func (p wanted) from(c Clause, i int, m Match) (Match, bool) {
	if len(p) == 0 {
		m.End = i
		return m, true
	}
	e, rest := p[0], p[1:]
	if e.Optional {
		if got, ok := p.one(e, rest, c, i, m); ok {
			return got, true
		}
		return rest.from(c, i, m)
	}
	return p.one(e, rest, c, i, m)
}

// one matches element e at word i and the rest after it.
func (p wanted) one(e element, rest wanted, c Clause, i int, m Match) (Match, bool) {
	switch e.Kind {
	case literal:
		if w := c.Low(i); w != "" && oneOf(e.Words, w) {
			return rest.from(c, i+1, m)
		}
	case slot:
		return matchSlot(e.Slot, rest, c, i, m)
	case gap:
		for n := 0; n <= gapReach && i+n <= len(c.Words); n++ {
			if got, ok := rest.from(c, i+n, m); ok {
				return got, true
			}
		}
	case finish:
		if i >= len(c.Words) {
			return rest.from(c, i, m)
		}
	}
	return Match{}, false
}

func oneOf(words []string, w string) bool {
	for _, x := range words {
		if x == w {
			return true
		}
	}
	return false
}

// matchSlot gives the slot as many words as it can take and removes words until the rest matches.
func matchSlot(kind string, rest wanted, c Clause, i int, m Match) (Match, bool) {
	if kind == "relation" {
		return matchRelation(rest, c, i, m)
	}
	for n := Takes(kind, c, i); n > 0; n-- {
		m.From, m.To = i, i+n
		if got, ok := rest.from(c, i+n, m); ok {
			return got, true
		}
	}
	return Match{}, false
}

// relationLimit is how many words name a relation at most.
const relationLimit = 7

// matchRelation matches the words that name a relation, as many as fit, and no name after a preposition: "Prime
// Minister", "head of state".
func matchRelation(rest wanted, c Clause, i int, m Match) (Match, bool) {
	n, of := 0, false
	for n < relationLimit && c.Low(i+n) != "" && !c.Words[i+n].Comma && !(of && c.Words[i+n].Capital) {
		of = of || Function[c.Low(i+n)]
		n++
	}
	for ; n > 0; n-- {
		m.Key = nounKey(c, i, i+n)
		if got, ok := rest.from(c, i+n, m); ok {
			return got, true
		}
	}
	return Match{}, false
}

// KeyWord looks a noun up in the lexicon of its kind.
func KeyWord(kind, w string) (key string, plural, ok bool) {
	for _, form := range [...]string{w, Singular(w)} {
		if kind == "animal" {
			key, ok = Animals[form], Animals[form] != ""
		} else {
			key, ok = Roles[form].Key, Roles[form].Key != ""
		}
		if ok {
			return key, form != w, true
		}
	}
	return "", false, false
}

// nounKey returns the relation key for a free noun phrase.
func nounKey(c Clause, from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		if i > from {
			b.WriteByte(' ')
		}
		b.WriteString(c.Words[i].Low)
	}
	return b.String()
}

// Before returns the last normalized word that starts before the byte.
func (c Clause) Before(start int) string {
	low := ""
	for i := range c.Words {
		if c.Words[i].Start < start {
			low = c.Low(i)
		}
	}
	return low
}

// End returns the byte after the clause.
func (c Clause) End() int {
	if len(c.Words) == 0 {
		return 0
	}
	return c.Words[len(c.Words)-1].End
}
