package reader

import (
	_ "embed"
	"slices"
	"sync"

	"familiar/internal/recent"
	"familiar/memory/understand/sentences"
)

// Question is what a question asks for.
type Question struct {
	// Kinds holds for each of sentences.AskedKinds how likely it is asked for, 0–1.
	Kinds []float32
	// OfAsker, OfPersona, OfOther and OfNobody are how likely the question is about each, 0–1.
	OfAsker, OfPersona, OfOther, OfNobody float32
	// Recalls is how likely the text asks for something that was told at all, and is neither a statement nor a question about
	// the world, 0–1.
	Recalls float32
}

// The labels of whom a question is about.
const (
	ofAsker = iota
	ofPersona
	ofOther
	ofNobody
	whoms
)

//go:embed questions.bin
var embeddedQuestions string

// asker holds the weights by which questions are read.
type asker struct{ kind, whom, recalls weights }

var trainedAsker = sync.OnceValue(func() *asker {
	a := new(asker)
	if _, err := openTables(embeddedQuestions, 0, &a.kind, &a.whom, &a.recalls); err != nil {
		panic("reader: questions: " + err.Error())
	}
	return a
})

// Ask returns what a question asks for. Of a long text it reads the end. The result is shared: do not change it.
func Ask(said string) Question { return ask(said) }

// ask keeps what it read: with every question, the lines that may answer it are tested for being questions themselves.
var ask = recent.Texts(keptTexts, keptBytes, func(said string) Question { return trainedAsker().read(said) })

func (a *asker) read(said string) Question {
	q := Question{Kinds: make([]float32, len(sentences.AskedKinds))}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.tokens = tokenize(said, s.tokens[:0])
	if len(s.tokens) == 0 {
		return q
	}
	p := newPassage(said, s.tokens[max(0, len(s.tokens)-tokenLimit):])
	var whom [whoms]float32
	s.f = p.wholeFeatures(askedKind, s.f[:0])
	a.kind.add(s.f, q.Kinds)
	softmax(q.Kinds)
	s.f = p.wholeFeatures(whomKind, s.f[:0])
	a.whom.add(s.f, whom[:])
	softmax(whom[:])
	var recalls [2]float32
	s.f = p.wholeFeatures(recallsKind, s.f[:0])
	a.recalls.add(s.f, recalls[:])
	softmax(recalls[:])
	q.Recalls = recalls[1]
	q.OfAsker, q.OfPersona, q.OfOther, q.OfNobody = whom[ofAsker], whom[ofPersona], whom[ofOther], whom[ofNobody]
	return q
}

// AskedFor returns how likely the question asks for a kind, 0–1.
func (q Question) AskedFor(kind string) float64 {
	i := slices.Index(sentences.AskedKinds, kind)
	if i < 0 || len(q.Kinds) == 0 {
		return 0
	}
	return float64(q.Kinds[i])
}

// Likeliest returns the kind that is likeliest asked for, "" for an empty question.
func (q Question) Likeliest() string {
	if len(q.Kinds) == 0 {
		return ""
	}
	return sentences.AskedKinds[likeliest(q.Kinds)]
}
