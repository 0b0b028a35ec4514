package world

import (
	"slices"
	"strings"
	"unicode"

	"familiar/memory/understand/english"
)

// Statement is what a sentence states about one thing.
type Statement struct {
	// Subject and Value are as written, Relation is a key (see Key).
	Subject, Relation, Value string
	// Corrects is the value that the sentence denies ("…, not Sydney"), Quote its words.
	Corrects, Quote string
}

// part is a pattern, the place of a subject (X, S) or of a value (V, v, w, N), or a relation. captures means that the
// pattern's words name the relation.
type part struct {
	pattern         english.Pattern
	captures        bool
	place, relation string
}

// finding is a statement being read: its subject and value, the words of its relation, and the places of its shape.
type finding struct {
	subject, value   span
	relation, places string
}

type span struct{ from, to int } // words of a clause, without the one at to

// maxStated is the largest number of words of a statement, maxName that of its subject and of its value.
const maxStated, maxName = 40, 14

// Read reads a sentence as a statement. Sentences about the people who talk state nothing about the world.
func Read(text string, words []english.Word) (st Statement, ok bool) {
	v := known()
	leads := func(w english.Word) bool { return !w.Quoted && (v.is("opening", w.Low) || english.Leads[w.Low]) }
	for len(words) > 3 && leads(words[0]) && // "it turns out that …", but "Just Dance was …"
		(!words[0].Capital || words[1].Comma && !words[1].Dash || words[1].Low == "the" || v.is("opening", words[1].Low)) {
		words = words[1:]
	}
	for i := 4; i < min(len(words), maxStated); i++ {
		if w := words[i]; w.Comma && v.is("pointing", w.Low) || v.is("beyond", w.Low) && !w.Capital {
			words = words[:i] // "…, I think", "… because it is big"
		}
	}
	if n := len(words); n > 4 && words[n-2].Low == "in" && english.IsYear(words[n-1].Low) && words[n-3].Capital {
		words = words[:n-2] // "by Ann Lee in 1965"
	}
	c := english.NewClause(text, words[:len(words)-english.ForNow(words)])
	if len(c.Words) < 3 || len(c.Words) > maxStated || aboutSpeakers(c) {
		return st, false
	}
	for _, parts := range v.shapes {
		if st, ok = match(c, parts, 0, finding{}); ok {
			break
		}
	}
	return st, ok
}

// match matches the parts from word i on, a subject or a value with as few words as possible.
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
		if !ok {
			return st, false
		}
		if m.Key != "" {
			f.relation = m.Key
		} else if p.captures {
			f.relation = english.Normalize(c.Span(i, m.End))
		}
		return match(c, rest, m.End, f)
	}
	f.places += p.place
	for to := i + 1; to <= min(len(c.Words), i+maxName); to++ {
		if to < len(c.Words) && c.Words[to].Comma && !strings.HasPrefix(c.Text[c.Words[to-1].End:], ")") {
			continue // "Hello (song) was …" goes on
		}
		if strings.Contains("XS", p.place) {
			f.subject = span{i, to}
		} else {
			f.value = span{i, to}
		}
		if st, ok = match(c, rest, to, f); ok {
			return st, true
		}
	}
	return st, false
}

// statement returns the statement that was found, unless its parts do not fit together.
func (f finding) statement(c english.Clause, end int) (st Statement, ok bool) {
	s, v := f.subject, f.value
	if end != len(c.Words) || s.from >= s.to || v.from >= v.to {
		return st, false
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
	has := func(places string) bool { return strings.ContainsAny(f.places, places) }
	named := slices.ContainsFunc(c.Words[s.from:s.to], func(w english.Word) bool { return w.Capital && w.Low != "the" })
	plain := has("w") || named && (has("v") || v.to-v.from == 1 && english.IsNumber(c.Low(v.from)))
	passive := v.to-v.from > 1 && !c.Words[v.from].Capital && known().is("prepositions", c.Low(v.from+1))
	more := slices.ContainsFunc(c.Words[v.from:v.to], func(w english.Word) bool { // a denial, or a clause of its own
		auxiliary := english.Auxiliaries[w.Low] && w.Low != "am" // "Frankfurt am Main"
		return !w.Capital && !w.Quoted && (auxiliary || known().is("denying", w.Low) || known().is("beyond", w.Low))
	})
	if more || passive || !plain && !v.upper(c) || has("S") && !s.name(c) || has("N") && !v.name(c) ||
		english.Passing[relation] || known().is("unrelated", relation) {
		return st, false
	}
	return Statement{c.Span(s.from, s.to), Key(relation), c.Span(v.from, v.to), st.Corrects, c.Span(0, len(c.Words))}, true
}

func (s span) upper(c english.Clause) bool {
	return strings.ContainsFunc(c.Span(s.from, s.to), unicode.IsUpper)
}

// name reports whether the words are a name; its particles may be in lower case.
func (s span) name(c english.Clause) bool {
	for i := s.from; i < s.to; i++ {
		if !english.NameParticles[c.Low(i)] && !english.IsNumber(c.Low(i)) && !(span{i, i + 1}).upper(c) {
			return false
		}
	}
	return span{s.from, s.from + 1}.upper(c)
}

// aboutSpeakers reports whether a sentence is about the people who talk. Such a word may be part of a name: "Domènech i
// Montaner".
func aboutSpeakers(c english.Clause) bool {
	for i, w := range c.Words {
		named := i > 0 && w.Capital || i+1 < len(c.Words) && c.Words[i+1].Capital
		if known().is("pointing", w.Low) && !named && (w.Low != "who" || i != 2) { // "the person who wrote Dune"
			return true
		}
	}
	return false
}
