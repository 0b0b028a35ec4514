package talk

import (
	"math/rand/v2"
	"slices"
	"time"

	"familiar/memory/understand/reader"
	"familiar/memory/understand/sentences"
	"familiar/persona/evidence"
)

// crowd holds labelled messages that stand for the rest of what a person said.
type crowd []sentences.Sentence

const (
	// randomOthers is the largest number of messages that are added. They are not chosen by their words: those that share words with
	// the question without answering would teach that sharing words is a bad sign.
	randomOthers = 24
	// mayTell is how likely the question asks for a kind of fact for a message that tells one of this kind to be left out.
	mayTell = 0.02
	// lived is over how many days the messages are spread.
	lived = 60
)

// around returns the example with other messages before and after its lines. None of them tells what is asked for.
func (c crowd) around(x example, seed int) example {
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	asked := reader.Ask(x.asked)
	fits := func(m sentences.Sentence) bool {
		return !slices.ContainsFunc(m.Marks, func(k sentences.Mark) bool { return asked.AskedFor(k.Relation) > mayTell }) &&
			x.rules.scoreParts("", m.Text) != Quote
	}
	var added []int
	add := func(i int) {
		if fits(c[i]) && !slices.Contains(added, i) {
			added = append(added, i)
		}
	}
	for range 1 + r.IntN(randomOthers) {
		add(r.IntN(len(c)))
	}
	y := x
	y.made, y.life, y.lines, y.texts, y.gold = true, true, nil, nil, nil
	before := r.IntN(len(added) + 1)
	put := func(l evidence.Line, gold bool) {
		y.lines, y.texts, y.gold = append(y.lines, l), append(y.texts, l.Text), append(y.gold, gold)
	}
	day := talkDay
	for k, i := range added[:before] {
		put(evidence.Line{Text: c[i].Text, Own: true, At: day.AddDate(0, 0, -lived*(before-k)/before)}, false)
	}
	for i, l := range x.lines {
		put(l, x.gold[i])
	}
	for k, i := range added[before:] {
		put(evidence.Line{Text: c[i].Text, Own: true, At: day.Add(time.Hour).AddDate(0, 0, lived*k/len(added))}, false)
	}
	y.answers = evidence.Features(x.asked, languageOf(x.asked), y.lines)
	return y
}
