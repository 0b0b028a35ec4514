package claim

import "strings"

// A pattern is a wording, written in a small notation over words:
//
//	I          the speaker ("i", "we"), somebody's name, or the speaker's kin ("my sister"): the subject
//	MY         "my", "our", a name with 's, or the speaker's kin with 's
//	YOU        the persona ("you")
//	live~      a verb that agrees with the subject (live, lives); adverbs may stand before it
//	a|b        one of several words; a? or a|b? may be missing
//	{name}     a slot: what is claimed; see slots.go for the kinds
//	{topic}    a slot for the subject of a sentence about the world
//	{animal}   a slot that completes the relation's key, as do {role} and {noun}
//	...        up to six words of anything
//	$          the end of the clause
type pattern struct {
	elements []element
	// needs is, for each element that must match words of the table, a mask of those words: a clause that has none
	// of them is passed over without being read.
	needs []uint64
}

type elementKind int

const (
	literal elementKind = iota
	subject
	owner
	verb
	slot
	gap
	finish
)

type element struct {
	kind     elementKind
	words    []string // literal: the alternatives; verb: base form, third person
	slot     string
	optional bool
}

// gapReach is how many words "..." may stand for.
const gapReach = 6

// compile reads a pattern's notation.
func compile(notation string) pattern {
	var p pattern
	for _, f := range strings.Fields(notation) {
		var e element
		f, e.optional = strings.CutSuffix(f, "?")
		switch {
		case f == "I":
			e.kind = subject
		case f == "MY":
			e.kind = owner
		case f == "...":
			e.kind = gap
		case f == "$":
			e.kind = finish
		case f[0] == '{':
			e.kind, e.slot = slot, strings.Trim(f, "{}")
		case strings.HasSuffix(f, "~"):
			base := strings.TrimSuffix(f, "~")
			e.kind, e.words = verb, []string{base, third(base)}
		default:
			e.words = strings.Split(strings.ToLower(f), "|")
		}
		p.elements = append(p.elements, e)
		if len(e.words) > 0 && !e.optional {
			p.needs = append(p.needs, e.mask())
		}
	}
	return p
}

// mask is the mask of the words the element may match.
func (e element) mask() uint64 {
	mask := uint64(0)
	for _, w := range e.words {
		mask |= bit(w)
	}
	if e.kind == verb && e.words[0] == "am" {
		mask |= bit("are") | bit("'s")
	}
	return mask
}

// bit is a word's place in a mask; many words share one.
func bit(w string) uint64 {
	if w == "" {
		return 0
	}
	return 1 << ((uint(w[0])*31 + uint(w[len(w)-1])*7 + uint(len(w))) % 64)
}

// clause is a stretch of a text's words with the text itself.
type clause struct {
	text  string
	words []word
	// mask is the mask of its words, 0 when they were not counted.
	mask uint64
	// understood says that its subject is a pronoun's.
	understood bool
}

// newClause counts the words, which makes matching cheap.
func newClause(text string, words []word) clause {
	c := clause{text: text, words: words}
	for i := range words {
		c.mask |= bit(words[i].low)
	}
	return c
}

// match is what a pattern found. Indices are words of the clause.
type match struct {
	subject string
	// kin is the speaker's relative or animal that the match is about, empty for the speaker; kinMany that it is several.
	kin      string
	kinMany  bool
	key      string // of a key slot, normalised
	plural   bool   // the key slot held a plural
	from, to int    // the value, empty when the pattern has no value slot
	end      int    // the word after the match
}

// value is the matched value as written.
func (c clause) value(m match) string { return c.span(m.from, m.to) }

// span is the text of words [from, to), without the marks around it.
func (c clause) span(from, to int) string {
	if from >= to {
		return ""
	}
	end := c.words[to-1].end
	if said := c.text[c.words[from].start:end]; strings.Contains(said, "(") && !strings.Contains(said, ")") && strings.HasPrefix(c.text[end:], ")") {
		end++ // "Hello (song)"
	}
	return strings.TrimSpace(c.text[c.words[from].start:end])
}

// low is the folded word at i, empty past the ends and inside quotations.
func (c clause) low(i int) string {
	if i < 0 || i >= len(c.words) || c.words[i].quoted {
		return ""
	}
	return c.words[i].low
}

// find tries the pattern at word i.
func (p pattern) find(c clause, i int) (match, bool) {
	if c.mask != 0 {
		for _, need := range p.needs {
			if c.mask&need == 0 {
				return match{}, false
			}
		}
	}
	return wanted(p.elements).from(c, i, match{end: i})
}

// wanted is the rest of a pattern that is still to be matched.
type wanted []element

// from matches the rest of the pattern at word i.
func (p wanted) from(c clause, i int, m match) (match, bool) {
	if len(p) == 0 {
		m.end = i
		return m, true
	}
	e, rest := p[0], p[1:]
	if e.optional {
		if got, ok := p.one(e, rest, c, i, m); ok {
			return got, true
		}
		return rest.from(c, i, m)
	}
	return p.one(e, rest, c, i, m)
}

// one matches element e at word i and the rest after it.
func (p wanted) one(e element, rest wanted, c clause, i int, m match) (match, bool) {
	switch e.kind {
	case literal:
		if w := c.low(i); w != "" && oneOf(e.words, w) {
			return rest.from(c, i+1, m)
		}
	case verb:
		return matchVerb(e, rest, c, i, m)
	case subject:
		return matchSubject(rest, c, i, m)
	case owner:
		return matchOwner(rest, c, i, m)
	case slot:
		return matchSlot(e.slot, rest, c, i, m)
	case gap:
		for n := 0; n <= gapReach && i+n <= len(c.words); n++ {
			if got, ok := rest.from(c, i+n, m); ok {
				return got, true
			}
		}
	case finish:
		if i >= len(c.words) {
			return rest.from(c, i, m)
		}
	}
	return match{}, false
}

func oneOf(words []string, w string) bool {
	for _, x := range words {
		if x == w {
			return true
		}
	}
	return false
}

// matchVerb matches a verb in the form its subject takes, after up to two adverbs.
func matchVerb(e element, rest wanted, c clause, i int, m match) (match, bool) {
	form := e.words[0]
	if m.subject != "" || m.kin != "" && !m.kinMany {
		form = e.words[1]
	}
	for n := 0; n <= 2; n++ {
		w := c.low(i + n)
		if w == form || form == "am" && w == "are" && (c.low(i-1) == "we" || m.kinMany) || form == "is" && w == "'s" {
			after := i + n + 1
			for form == "am" && adverbs[c.low(after)] {
				after++
			}
			return rest.from(c, after, m)
		}
		if !adverbs[w] {
			break
		}
	}
	return match{}, false
}

// matchSubject matches the speaker, their kin or a name of up to three words.
func matchSubject(rest wanted, c clause, i int, m match) (match, bool) {
	if w := c.low(i); w == "my" || w == "our" {
		kin, plural, end := kinAt(c, i+1)
		if kin == "" {
			return match{}, false
		}
		m.kin, m.kinMany = kin, plural
		return rest.from(c, end, m)
	}
	if w := c.low(i); w == "i" || w == "we" {
		return rest.from(c, i+1, m)
	}
	for n := nameRun(c, i, 3); n > 0; n-- {
		m.subject = c.span(i, i+n)
		if got, ok := rest.from(c, i+n, m); ok {
			return got, true
		}
	}
	return match{}, false
}

// matchOwner matches "my", "our", the speaker's kin and a name with 's.
func matchOwner(rest wanted, c clause, i int, m match) (match, bool) {
	if w := c.low(i); w == "my" || w == "our" {
		if got, ok := rest.from(c, i+1, m); ok {
			return got, true
		}
		kin, plural, end := kinAt(c, i+1)
		if kin == "" || c.low(end) != "'s" {
			return match{}, false
		}
		m.kin, m.kinMany = kin, plural
		return rest.from(c, end+1, m)
	}
	for n := nameRun(c, i, 3); n > 0; n-- {
		if c.low(i+n) == "'s" {
			m.subject = c.span(i, i+n)
			return rest.from(c, i+n+1, m)
		}
	}
	return match{}, false
}

// matchSlot lets the slot take as many words as it wants and gives back until the rest fits.
func matchSlot(kind string, rest wanted, c clause, i int, m match) (match, bool) {
	switch kind {
	case "animal", "role", "noun":
		return matchKey(kind, rest, c, i, m)
	}
	for n := takes(kind, c, i); n > 0; n-- {
		if kind == "topic" {
			m.subject = c.span(i, i+n)
		} else {
			m.from, m.to = i, i+n
		}
		if got, ok := rest.from(c, i+n, m); ok {
			return got, true
		}
	}
	return match{}, false
}

// matchKey matches the noun that completes a relation's key, with up to two describing words before it.
func matchKey(kind string, rest wanted, c clause, i int, m match) (match, bool) {
	if kind == "noun" {
		for n := 1; n <= 3; n++ {
			if w := c.low(i + n - 1); w == "" || function[w] || n > 1 && c.words[i+n-1].comma {
				break
			}
			m.key = nounKey(c, i, i+n)
			if got, ok := rest.from(c, i+n, m); ok {
				return got, true
			}
		}
		return match{}, false
	}
	for n := 0; n <= 2; n++ {
		w := c.low(i + n)
		if w == "" || function[w] || n > 0 && c.words[i+n].comma {
			break
		}
		key, plural, ok := keyWord(kind, w)
		if !ok {
			continue
		}
		if kind == "role" && n > 0 && c.low(i+n-1) == "best" {
			key = "best " + key
		}
		m.key, m.plural = key, plural
		return rest.from(c, i+n+1, m)
	}
	return match{}, false
}

// keyWord looks a noun up in the lexicon of its kind.
func keyWord(kind, w string) (key string, plural, ok bool) {
	for _, form := range [...]string{w, singular(w)} {
		if kind == "animal" {
			key, ok = animals[form], animals[form] != ""
		} else {
			key, ok = roles[form].key, roles[form].key != ""
		}
		if ok {
			return key, form != w, true
		}
	}
	return "", false, false
}

// nounKey is the relation key a free noun phrase makes.
func nounKey(c clause, from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		if i > from {
			b.WriteByte(' ')
		}
		b.WriteString(c.words[i].low)
	}
	return b.String()
}
