package lexical

import (
	"slices"
)

// Concepts reads the everyday concepts that texts of one language mention.
type Concepts interface {
	// Stem returns the form of a word that In takes.
	Stem(word string) string
	// In appends the mentions in a text to found. It takes the stems of all words of the text.
	In(stems []string, found []Mention) []Mention
}

// Mention is a place in a text that means a concept.
type Mention struct {
	Concept uint16
	// Kind is 0 for the concept itself, else it tells the kinds of the concept apart.
	Kind uint32
	// From is the index of the first stem, To that after the last.
	From, To int
}

// conceptReading reads the concepts of the documents.
type conceptReading struct {
	// of returns what reads the concepts of a language by its tag, nil if there is none. It is nil for an index without
	// concepts.
	of func(tag string) Concepts
	// read holds its results by language.
	read [languageCount]struct {
		looked bool
		Concepts
	}
	// stems and found are buffers.
	stems []string
	found []Mention
}

// UseConcepts makes x file the concepts of the documents that are added from now on. of returns what reads the concepts of a
// language by its tag, nil if there is none. Indexes that share a vocabulary must use the same concepts.
func (x *Index) UseConcepts(of func(tag string) Concepts) { x.concepts.of = of }

// conceptTerm returns the number under which the posting lists of an index hold the documents that mention a concept,
// with the kind in place of the count. It is below 0, apart from the terms of words.
func conceptTerm(concept uint16) int32 { return -1 - int32(concept) }

// wholeConcept is the kind of a mention of the concept itself.
const wholeConcept = 0

// kindOf returns a kind as a posting holds it. Few kinds share a number.
func kindOf(kind uint32) int {
	if kind == wholeConcept {
		return wholeConcept
	}
	return int(1 + (kind*2654435761>>16)%maxCount)
}

// addConcepts files the concepts that the words of a document mention.
func (x *Index) addConcepts(ordinal uint32, lang *Language, words []int32) {
	c := &x.concepts
	if c.of == nil {
		return
	}
	in := &c.read[lang.nth]
	if !in.looked {
		in.looked, in.Concepts = true, c.of(lang.tag)
	}
	if in.Concepts == nil {
		return
	}
	c.stems = c.stems[:0]
	for _, w := range words {
		c.stems = append(c.stems, x.words.conceptStem(w, lang.nth, in.Concepts))
	}
	c.found = in.In(c.stems, c.found[:0])
	for i, m := range c.found {
		kind := kindOf(m.Kind)
		again := func(n Mention) bool { return n.Concept == m.Concept && kindOf(n.Kind) == kind }
		if !slices.ContainsFunc(c.found[:i], again) {
			x.addConcept(conceptTerm(m.Concept), newPosting(ordinal, kind))
		}
	}
}

// addConcept adds a posting of a document to the list of a concept.
func (x *Index) addConcept(term int32, p posting) {
	if x.bulk != nil {
		x.bulk.turns.add(term, p)
		return
	}
	lists := x.terms.add(term)
	x.terms.insert(&lists.turns, int(lists.turns.n), p)
}

// conceptStem is the stem of a word that Concepts takes in one language.
type conceptStem struct {
	lang int
	stem string
	next *conceptStem
}

// conceptStemBytes is the approximate size of a conceptStem.
const conceptStemBytes = 48

// conceptStem returns the stem of a word that the concepts of a language take.
func (v *Vocabulary) conceptStem(n int32, lang int, read Concepts) string {
	w := v.word(n)
	first := w.stems.Load()
	for s := first; s != nil; s = s.next {
		if s.lang == lang {
			return s.stem
		}
	}
	s := &conceptStem{lang, read.Stem(w.written), first}
	if w.stems.CompareAndSwap(first, s) { // else another index has added one, and the next reader adds this
		v.mu.Lock()
		v.bytes += conceptStemBytes
		v.mu.Unlock()
	}
	return s.stem
}

// maxConcepts is the maximum number of concepts that a query searches for. It fits a bit mask.
const maxConcepts = 32

// askedConcept is a concept of a query.
type askedConcept struct {
	concept uint16
	kind    int
	// terms are the terms of the query that mean it.
	terms uint32
	idf   float32
}

// matches reports whether a document's mention of the same concept is no other kind of it.
func (a *askedConcept) matches(p posting) bool {
	kind := int(p & maxCount)
	return kind == wholeConcept || a.kind == wholeConcept || kind == a.kind
}

// findConcepts sets the concepts that the words of a query mention. skip marks the words that name people.
func (b *bag) findConcepts(scopes []*Index, lang *Language, words []word, skip []bool) {
	var read Concepts
	if of := scopes[0].concepts.of; of != nil {
		read = of(lang.tag)
	}
	if read == nil {
		return
	}
	stems := make([]string, len(words))
	for i, w := range words {
		stems[i] = read.Stem(w.written)
	}
	for _, m := range read.In(stems, nil) {
		if slices.Contains(skip[m.From:m.To], true) || len(b.concepts) == maxConcepts {
			continue
		}
		one := askedConcept{concept: m.Concept, kind: kindOf(m.Kind)}
		for _, w := range words[m.From:m.To] {
			one.terms |= b.termMask(lang.stem(w))
		}
		at := slices.IndexFunc(b.concepts, func(a askedConcept) bool { return a.concept == one.concept && a.kind == one.kind })
		if at < 0 {
			b.concepts = append(b.concepts, one)
		} else {
			b.concepts[at].terms |= one.terms
		}
	}
	b.weighConcepts(scopes)
}

// termMask returns the bit of the term with the stem, 0 if there is none.
func (b *bag) termMask(stem string) uint32 {
	for i := range b.terms {
		if b.terms[i].stems[0] == stem {
			return 1 << i
		}
	}
	return 0
}

// weighConcepts assigns each concept its inverse document frequency over all scopes. Concepts that nobody mentioned count
// for the perfect match only.
func (b *bag) weighConcepts(scopes []*Index) {
	var turns int64
	for _, x := range scopes {
		turns += int64(len(x.rows) - x.removed)
	}
	for i := range b.concepts {
		a := &b.concepts[i]
		n := 0
		for _, x := range scopes {
			last := none
			for _, p := range x.mentions(a.concept) {
				if a.matches(p) && p.ordinal() != last {
					last = p.ordinal()
					n++
				}
			}
		}
		a.idf = idf(turns, n)
		b.conceptIDF += a.idf
	}
}

// mentions returns the documents that mention a concept.
func (x *Index) mentions(concept uint16) []posting {
	lists := x.terms.of(conceptTerm(concept))
	if lists == nil {
		return nil
	}
	return x.terms.all(&lists.turns)
}

// scoreConcepts scores every document that mentions a concept of b.
func (x *Index) scoreConcepts(s *scratch, b *bag) {
	for i := range b.concepts {
		a := &b.concepts[i]
		bit, worth := uint32(1)<<i, a.idf/b.conceptIDF
		for _, p := range x.mentions(a.concept) {
			if !a.matches(p) {
				continue
			}
			c := s.touch(p.ordinal())
			if c.concepts&bit == 0 {
				c.concepts |= bit
				c.concept += worth
			}
		}
	}
}
