package reader

import (
	"math/rand/v2"
	"slices"

	"familiar/memory/understand/sentences"
)

// Labelled are the messages of one author. Whose English, the language of most, is left out in turn to learn how the reader
// does on authors it has not seen; of other languages there are too few authors for that.
type Labelled struct {
	English  bool
	Messages []sentences.Sentence
}

// relations are those that values are told apart by; the label after the last means none.
var relations = sentences.Relations

// example is a labelled passage.
type example struct {
	*passage
	fold  int
	right int // the class
	gold  []labelled
}

// labelled is a marked value in tokens.
type labelled struct {
	bracket
	relation, stance int
	// subject is the token that names whom it is about, -1 for the author.
	subject int
}

// folds is into how many parts the messages are cut: each is read by a model of the others, so that a later step learns
// from the mistakes of an earlier one as they will be.
const folds = 4

// Epochs per task.
const (
	classEpochs   = 10
	boundEpochs   = 10
	kindEpochs    = 12
	stanceEpochs  = 10
	subjectEpochs = 8
)

// Fit returns the weights of a reader that has learnt from the messages. The same messages give the same bytes.
func Fit(authors []Labelled) []byte {
	var all []example
	for n, a := range authors {
		for i, s := range a.Messages {
			fold := n % folds
			if !a.English {
				fold = i % folds
			}
			if e, ok := newExample(s, fold); ok {
				all = append(all, e)
			}
		}
	}
	return fit(all).encode()
}

func fit(all []example) *model {
	s := new(scratch)
	m := new(model)
	var sure []float32
	var right []bool
	var out [16]float32
	classes := out[:len(sentences.Classes)]
	inFolds(all, func(rest []example) *model { return &model{class: fitClass(rest)} }, func(part *model, e *example) {
		clear(classes)
		e.class = part.classOf(e.passage, s, classes)
		sure, right = append(sure, classes[e.class]), append(right, e.class == e.right)
	})
	m.class, m.classSure = fitClass(all), calibrated(sure, right)
	brackets := map[*passage][]bracket{}
	inFolds(all, func(rest []example) *model { return fitBounds(rest) }, func(part *model, e *example) {
		brackets[e.passage] = e.withGold(part.fill(e.passage, s))
	})
	b := fitBounds(all)
	m.bound, m.next = b.bound, b.next
	sure, right = nil, nil
	inFolds(all, func(rest []example) *model { return &model{kind: fitKinds(rest, brackets)} }, func(part *model, e *example) {
		for _, v := range part.choose(e.passage, brackets[e.passage], s) {
			sure, right = append(sure, v.sure), append(right, e.finds(v))
		}
	})
	m.kind, m.factSure = fitKinds(all, brackets), calibrated(sure, right)
	m.stance, m.subject = fitStance(all), fitSubject(all)
	return m
}

// inFolds hands each example to a model of the other folds.
func inFolds(all []example, fit func([]example) *model, use func(*model, *example)) {
	for fold := range folds {
		var rest []example
		for _, e := range all {
			if e.fold != fold {
				rest = append(rest, e)
			}
		}
		if len(rest) == 0 {
			continue
		}
		part := fit(rest)
		for i := range all {
			if all[i].fold == fold {
				use(part, &all[i])
			}
		}
	}
}

// newExample returns a labelled message, and false if it is too long.
func newExample(s sentences.Sentence, fold int) (example, bool) {
	tokens := tokenize(s.Text, nil)
	if len(tokens) > tokenLimit || len(tokens) == 0 {
		return example{}, false
	}
	e := example{passage: newPassage(s.Text, tokens), fold: fold, right: slices.Index(sentences.Classes, s.Class)}
	for _, m := range s.Marks {
		l := labelled{bracket: within(tokens, m.Start, m.End), relation: slices.Index(relations, m.Relation), subject: -1}
		switch {
		case m.Denied:
			l.stance = denied
		case m.Replaced:
			l.stance = replaced
		}
		if m.Subject != "" {
			l.subject = e.named(m.Subject, l.bracket)
		}
		e.gold = append(e.gold, l)
	}
	return e, true
}

// within returns the tokens that touch the bytes [start, end).
func within(tokens []token, start, end int) bracket {
	b := bracket{from: -1}
	for i, t := range tokens {
		if t.start < end && t.end > start {
			if b.from < 0 {
				b.from = i
			}
			b.to = i + 1
		}
	}
	return b
}

// named returns the last token of the subject, where it stands nearest to the bracket, or that before its first hyphen.
func (e *example) named(subject string, b bracket) int {
	words := tokenize(subject, nil)
	for i := range words {
		if i > 0 && subject[words[i].start:words[i].end] == "-" {
			words = words[:i]
			break
		}
	}
	want := make([]string, len(words))
	for i, w := range words {
		want[i] = plain(subject[w.start:w.end])
	}
	best, nearest := -1, 1000
	for i := 0; i+len(want) <= len(e.tokens); i++ {
		same := true
		for k, w := range want {
			same = same && plain(e.said[e.tokens[i+k].start:e.tokens[i+k].end]) == w
		}
		if far := max(b.from-i, i-b.from); same && far < nearest {
			best, nearest = i+len(want)-1, far
		}
	}
	return best
}

// withGold returns the likely brackets, and the marked ones that are not among them.
func (e *example) withGold(l *lattice) []bracket {
	all := l.brackets()
	for _, g := range e.gold {
		if !slices.ContainsFunc(all, func(b bracket) bool { return b.from == g.from && b.to == g.to }) {
			all = append(all, bracket{g.from, g.to, max(bracketFloor, float32(l.probability(g.from, g.to)))})
		}
	}
	return all
}

// finds reports whether the value has the relation of a marked value that it touches.
func (e *example) finds(v found) bool {
	return slices.ContainsFunc(e.gold, func(g labelled) bool { return g.relation == v.relation && g.from < v.to && v.from < g.to })
}

// labelOf returns the relation of the marked value that the bracket is, or at least half is, and whether it is that value.
func (e *example) labelOf(b bracket) (relation int, exact bool) {
	for _, g := range e.gold {
		if g.from == b.from && g.to == b.to {
			return g.relation, true
		}
	}
	for _, g := range e.gold {
		if common := min(g.to, b.to) - max(g.from, b.from); 2*common >= max(g.to, b.to)-min(g.from, b.from) {
			return g.relation, false
		}
	}
	return len(relations), true
}

func fitClass(all []example) *dense {
	d := newDense(len(sentences.Classes), 5, 0.18, func(use func([]hash)) {
		for i := range all {
			use(all[i].classFeatures(nil))
		}
	})
	var ds []decision
	for i := range all {
		ds = append(ds, decision{d.rows(all[i].classFeatures(nil)), all[i].right, 1})
	}
	d.learn(ds, classEpochs)
	return d
}

// inexactWeight is how much a bracket counts that is only about a marked value.
const inexactWeight = 0.4

func fitKinds(all []example, brackets map[*passage][]bracket) *dense {
	d := newDense(len(relations)+1, 6, 0.27, func(use func([]hash)) {
		for i := range all {
			for _, b := range brackets[all[i].passage] {
				use(all[i].typeFeatures(b, nil))
			}
		}
	})
	var ds []decision
	for i := range all {
		for _, b := range brackets[all[i].passage] {
			relation, exact := all[i].labelOf(b)
			weight := float32(1)
			if !exact {
				weight = inexactWeight
			}
			ds = append(ds, decision{d.rows(all[i].typeFeatures(b, nil)), relation, weight})
		}
	}
	d.learn(ds, kindEpochs)
	return d
}

func fitStance(all []example) *dense {
	each := func(use func(features []hash, stance int)) {
		for i := range all {
			for _, g := range all[i].gold {
				use(all[i].stanceFeatures(g.bracket, g.relation, nil), g.stance)
			}
		}
	}
	d := newDense(stances, 4, 0.14, func(use func([]hash)) { each(func(f []hash, _ int) { use(f) }) })
	var ds []decision
	each(func(f []hash, stance int) { ds = append(ds, decision{d.rows(f), stance, 1}) })
	d.learn(ds, stanceEpochs)
	return d
}

func fitSubject(all []example) *dense {
	d := newDense(1, 5, 0.13, func(use func([]hash)) {
		for i := range all {
			all[i].subjects(func(_ labelled, options [][]hash, _ int) {
				for _, f := range options {
					use(f)
				}
			})
		}
	})
	var cs []choice
	for i := range all {
		all[i].subjects(func(_ labelled, options [][]hash, right int) {
			c := choice{right: right}
			for _, f := range options {
				c.rows = append(c.rows, d.rows(f))
			}
			cs = append(cs, c)
		})
	}
	d.choose(cs, subjectEpochs)
	return d
}

// subjects hands over whom each marked value may be about, and who it is.
func (e *example) subjects(use func(g labelled, options [][]hash, right int)) {
	for _, g := range e.gold {
		var options [][]hash
		right := -1
		for i := -1; i < len(e.tokens); i++ {
			if i >= 0 && !e.mayBeSubject(i, g.bracket) {
				continue
			}
			if i == g.subject {
				right = len(options)
			}
			options = append(options, e.subjectFeatures(i, g.bracket, g.relation, nil))
		}
		if right >= 0 {
			use(g, options, right)
		}
	}
}

// fitBounds fits the conditional random field.
func fitBounds(all []example) *model {
	d := newDense(bounds, 8, 0.17, func(use func([]hash)) {
		for i := range all {
			for k := range all[i].tokens {
				use(all[i].boundFeatures(k, nil))
			}
		}
	})
	m := &model{bound: d}
	rows := make([][][]int32, len(all))
	for i := range all {
		for k := range all[i].tokens {
			rows[i] = append(rows[i], d.rows(all[i].boundFeatures(k, nil)))
		}
	}
	r := rand.New(rand.NewPCG(2, 1))
	var sums [bounds][bounds]float32
	var l lattice
	d.inEpochs(boundEpochs, len(all), r, func(n int) {
		used := make([][]int32, len(rows[n]))
		for k := range used {
			used[k] = shown(rows[n][k], nil, r)
		}
		m.learnBounds(d, &l, all[n].labels(), used, &sums)
	})
	return m
}
