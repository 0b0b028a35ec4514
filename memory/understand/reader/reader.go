// Package reader reads what a message is (a statement, a plan, a joke, a question …) and which facts it holds, in everyday
// wording. It was trained on the messages of package sentences: see fit.go. A text costs microseconds, and the weights are
// read where they lie in the binary.
package reader

import (
	"iter"
	"sync"

	"familiar/internal/recent"
	"familiar/memory/understand/sentences"
)

// Reading is what one passage of a text says. A passage is a message, or some sentences of a long one.
type Reading struct {
	// Start and End bound the passage in the text, in bytes.
	Start, End int
	// Class is one of sentences.Classes, Sure how likely it is the right one, 0–1.
	Class string
	Sure  float64
	// Facts are the facts that the author asserts, in the order of the text.
	Facts []Fact
}

// Fact is one fact as it is written.
type Fact struct {
	// Relation is one of sentences.Relations.
	Relation string
	// Start and End bound the value in the text, in bytes.
	Start, End int
	// SubjectStart and SubjectEnd bound the word for whom or what the fact is about. They are equal if it is about the
	// author.
	SubjectStart, SubjectEnd int
	// Denied reports that the fact is denied or has ended, Replaced that the value is the old or wrong one of a correction
	// or change.
	Denied, Replaced bool
	// Sure is how likely the relation is right and the value at least mostly, 0–1.
	Sure float64
}

// floor is the smallest probability of a fact that is returned.
const floor = 0.2

// detailed is the smallest probability of a fact whose subject and stance are told.
const detailed = 0.35

const (
	// keptTexts is how many texts are kept as they were read, keptBytes how long they are at most.
	keptTexts = 1000
	keptBytes = 2000
)

// Read returns what the text says, passage by passage. The result is shared: do not change it.
func Read(said string) []Reading { return read(said) }

// read keeps what it read: a message is read when it is told, and again when it may answer a question.
var read = recent.Texts(keptTexts, keptBytes, func(said string) []Reading { return trained().readAll(said) })

func (m *model) readAll(said string) (all []Reading) {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.tokens = tokenize(said, s.tokens[:0])
	for tokens := range passages(s.tokens) {
		all = append(all, m.read(newPassage(said, tokens), s))
	}
	return all
}

// passages yields the tokens of a text in runs of at most tokenLimit, which end with a sentence where they can.
func passages(all []token) iter.Seq[[]token] {
	return func(yield func([]token) bool) {
		for len(all) > 0 {
			end := min(len(all), tokenLimit)
			if end < len(all) {
				for i := end; i > tokenLimit/4; i-- {
					if all[i-1].shape == lineEnd {
						end = i
						break
					}
				}
			}
			if !yield(all[:end]) {
				return
			}
			all = all[end:]
		}
	}
}

// scratch is the working memory of one reading.
type scratch struct {
	tokens  []token
	f       []hash
	lattice lattice
}

var scratches = sync.Pool{New: func() any { return &scratch{f: make([]hash, 0, 1024)} }}

// passageText returns the text that a passage is, for the detection of its language.
func passageText(said string, tokens []token) string {
	return said[tokens[0].start:tokens[len(tokens)-1].end]
}

// read reads one passage.
func (m *model) read(p *passage, s *scratch) Reading {
	r := Reading{Start: p.tokens[0].start, End: p.tokens[len(p.tokens)-1].end}
	var classes [16]float32
	out := classes[:len(sentences.Classes)]
	p.class = m.classOf(p, s, out)
	r.Class, r.Sure = sentences.Classes[p.class], m.classSure.of(out[p.class])
	for _, v := range m.values(p, s) {
		f := Fact{Relation: relations[v.relation], Start: p.tokens[v.from].start, End: p.tokens[v.to-1].end, Sure: m.factSure.of(v.sure)}
		if f.Sure < floor {
			continue
		}
		if f.Sure >= detailed {
			m.detail(&f, p, v, s)
		}
		r.Facts = append(r.Facts, f)
	}
	return r
}

// detail tells how the fact is meant and whom it is about.
func (m *model) detail(f *Fact, p *passage, v found, s *scratch) {
	var scores [stances]float32
	switch m.stanceOf(p, v, s, scores[:]) {
	case denied:
		f.Denied = true
	case replaced:
		f.Replaced = true
	}
	if i := m.subjectOf(p, v, s); i >= 0 {
		f.SubjectStart, f.SubjectEnd = p.tokens[i].start, p.tokens[i].end
	}
}
