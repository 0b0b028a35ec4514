package world

import (
	"slices"
	"strings"
	"unicode"

	"familiar/memory/understand/english"
)

// Statement is what a sentence states of one thing.
type Statement struct {
	// Subject and Value are as written, Relation is a key (see Key).
	Subject, Relation, Value string
	// Corrects is the value that is denied in the same breath ("…, not Sydney"), Quote the words that state it.
	Corrects, Quote string
}

// part is a pattern, the place of a subject (X, S) or of a value (V, v, w, N), or a relation. captures says that the
// pattern's words name the relation.
type part struct {
	pattern         english.Pattern
	captures        bool
	place, relation string
}

// finding is a statement being read, in words of the clause: [from, to) of subject and value, and the words of the relation.
type finding struct {
	subject, value span
	relation       string
	places         string // of the shape
}

type span struct{ from, to int }

// statedAtMost is how many words a statement has at most, nameAtMost its subject and its value.
const statedAtMost, nameAtMost = 40, 14

// Read reads a sentence as a statement. Sentences about the people who talk state nothing of the world.
func Read(text string, words []english.Word) (st Statement, ok bool) {
	leads := func(w english.Word) bool { return !w.Quoted && (opening[w.Low] || english.Leads[w.Low]) }
	for len(words) > 3 && leads(words[0]) && // "it turns out that …", but "Just Dance was …"
		(!words[0].Capital || words[1].Comma && !words[1].Dash || words[1].Low == "the" || opening[words[1].Low]) {
		words = words[1:]
	}
	for i := 4; i < len(words) && i < statedAtMost; i++ {
		if w := words[i]; w.Comma && pointing[w.Low] || beyond[w.Low] && !w.Capital { // "…, I think", "… because it is big"
			words = words[:i]
		}
	}
	n := len(words)
	if n > 4 && words[n-2].Low == "in" && english.IsYear(words[n-1].Low) && words[n-3].Capital { // "by Ann Lee in 1965"
		n -= 2
	}
	c := english.NewClause(text, words[:n-english.ForNow(words[:n])])
	if len(c.Words) < 3 || len(c.Words) > statedAtMost || pointsAtSpeakers(c) {
		return st, false
	}
	for _, parts := range known().shapes {
		if st, ok = match(c, parts, 0, finding{}); ok {
			return st, true
		}
	}
	return st, false
}

// match matches the parts from word i on, a subject or a value with as few words as it can.
func match(c english.Clause, parts []part, i int, f finding) (st Statement, ok bool) {
	if len(parts) == 0 {
		return f.statement(c, i)
	}
	p, rest := parts[0], parts[1:]
	if p.relation != "" {
		f.relation = strings.Replace(p.relation, "*", f.relation, 1)
		return match(c, rest, i, f)
	}
	if p.place == "" {
		m, ok := p.pattern.Find(c, i)
		if !ok || c.Words[i].Capital && i > 0 {
			return st, false
		}
		if m.Key != "" {
			f.relation = m.Key
		} else if p.captures {
			f.relation = english.Normalize(c.Span(i, m.End))
		}
		return match(c, rest, m.End, f)
	}
	first := i + 1
	if len(rest) == 0 || rest[0].relation != "" {
		first = len(c.Words)
	}
	f.places += p.place
	for to := first; to <= min(len(c.Words), i+nameAtMost); to++ {
		if to < len(c.Words) && c.Words[to].Comma && !strings.HasPrefix(c.Text[c.Words[to-1].End:], ")") {
			continue // "Hello (song) was …" goes on
		}
		if at := (span{i, to}); p.place == "X" || p.place == "S" {
			f.subject = at
		} else {
			f.value = at
		}
		if st, ok = match(c, rest, to, f); ok {
			return st, true
		}
	}
	return st, false
}

// statement is what was found when it holds together.
func (f finding) statement(c english.Clause, end int) (st Statement, ok bool) {
	s, v := f.subject, f.value
	if end != len(c.Words) || s.from >= s.to || v.from >= v.to {
		return st, false
	}
	for s.to-s.from > 1 && plainAdverb(c, s.to-1) {
		s.to-- // "Ann now plays …"
	}
	for v.to-v.from > 1 && plainAdverb(c, v.from) {
		v.from++
	}
	relation := f.relation
	for _, lead := range [...]string{"the ", "name of ", "type of ", "kind of ", "the ", "current ", "new "} {
		relation = strings.TrimPrefix(relation, lead)
	}
	for i := v.from + 1; i+1 < v.to; i++ {
		if c.Words[i].Comma && c.Words[i].Low == "not" { // "…, not Sydney"
			st.Corrects, v.to = c.Span(i+1, v.to), i
		}
	}
	named := s.capital(c)
	plain := strings.Contains(f.places, "w") || strings.Contains(f.places, "v") && named || named && english.IsNumber(c.Low(v.from)) && v.to-v.from == 1
	if !s.nameable(c) || !v.plain(c) || !v.upper(c) && (!plain || english.NotValues[c.Low(v.from)]) || strings.Contains(f.places, "S") && !s.name(c) ||
		strings.Contains(f.places, "N") && !v.name(c) || v.to-v.from > 1 && participle(c, v.from) || english.Passing[relation] || superlative(relation) {
		return st, false
	}
	st.Subject, st.Value, st.Relation, st.Quote = c.Span(s.from, s.to), c.Span(v.from, v.to), Key(relation), c.Span(0, len(c.Words))
	return st, true
}

func plainAdverb(c english.Clause, i int) bool {
	return english.Adverbs[c.Low(i)] && !c.Words[i].Capital
}

// participle says that a relation of its own stands at word i: "the Wheel of Time was [written in] …".
func participle(c english.Clause, i int) bool { return !c.Words[i].Capital && prepositions[c.Low(i+1)] }

// superlative says that a relation compares rather than relates: "the best of", "the end of".
func superlative(relation string) bool {
	return slices.ContainsFunc(strings.Fields(relation), func(w string) bool { return unrelated[w] || len(w) > 4 && strings.HasSuffix(w, "est") })
}

func (s span) upper(c english.Clause) bool {
	return strings.ContainsFunc(c.Span(s.from, s.to), unicode.IsUpper)
}

func (s span) capital(c english.Clause) bool {
	return slices.ContainsFunc(c.Words[s.from:s.to], func(w english.Word) bool { return w.Capital && w.Low != "the" })
}

// nameable says that the words can be what a statement is about: a name, or a plain noun of at most three words.
func (s span) nameable(c english.Clause) bool {
	if s.to-s.from > nameAtMost || denying[c.Low(s.to-1)] {
		return false
	}
	grammar := slices.ContainsFunc(c.Words[s.from:s.to], func(w english.Word) bool { return english.Function[w.Low] && w.Low != "the" && w.Low != "and" })
	return s.to-s.from > 1 && s.capital(c) || !grammar && s.to-s.from <= 3
}

// plain says that the words are a value and nothing is said beyond it.
func (s span) plain(c english.Clause) bool {
	for _, w := range c.Words[s.from:s.to] {
		if !w.Capital && !w.Quoted && (english.Auxiliaries[w.Low] && w.Low != "am" || denying[w.Low] || beyond[w.Low]) { // "Frankfurt am Main"
			return false
		}
	}
	return s.to-s.from <= nameAtMost
}

// name says that the words are a name: its particles may be small.
func (s span) name(c english.Clause) bool {
	for i := s.from; i < s.to; i++ {
		if !english.NameParticles[c.Low(i)] && !english.IsNumber(c.Low(i)) && !(span{i, i + 1}).upper(c) {
			return false
		}
	}
	return span{s.from, s.from + 1}.upper(c)
}

var (
	prepositions = english.Set("by in at to with for from of as on")
	denying      = english.Set("not never hardly no neither")
	unrelated    = english.Set("best most only love end fan")
	// pointing are the words for who talks, or for what was said before.
	pointing = english.Set("i me my mine myself we us our ours you your yours he him his she her hers it they them their theirs this these those there here who what if maybe perhaps probably think guess hope")
	// beyond are the words with which a sentence goes on after a value, opening those that bring a statement up.
	beyond = english.Set("but because so when which while although though since until if what how why then anymore yesterday today " +
		"tomorrow something nothing anything everything someone everyone nobody anyone being going doing")
	opening = english.Set("actually apparently fyi update correction news fact turns out it that heard just")
)

// pointsAtSpeakers says that a sentence is about who talks. Within a name such a word is part of it: "Domènech i Montaner".
func pointsAtSpeakers(c english.Clause) bool {
	for i, w := range c.Words {
		before, after := i > 0 && c.Words[i-1].Capital, i+1 < len(c.Words) && c.Words[i+1].Capital
		asks := w.Low == "who" && i == 2 && c.Words[0].Low == "the" // "the person who wrote Dune"
		named := before && after || w.Capital && (before || after || i > 0 && w.Low != "i")
		if pointing[w.Low] && !asks && !named {
			return true
		}
	}
	return false
}
