package talk

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"familiar/memory/understand/reader"
	"familiar/memory/understand/sentences"
	"familiar/persona/evidence"
	"familiar/persona/words"
)

// crowd holds labelled messages that stand for the rest of what a person said.
type crowd struct {
	messages []sentences.Sentence
	// with holds the messages that have a word, by that word.
	with map[string][]int
}

func newCrowd(messages []sentences.Sentence) *crowd {
	c := &crowd{messages: messages, with: map[string][]int{}}
	for i, m := range messages {
		for w := range words.Content(m.Text) {
			c.with[w] = append(c.with[w], i)
		}
	}
	return c
}

const (
	// randomOthers and likeOthers are the most messages that are added at random, and for the words they share with the question.
	randomOthers, likeOthers = 16, 8
	// mayTell is how likely the question asks for a kind of fact for a message that tells one of this kind to be left out.
	mayTell = 0.02
	// lived is over how many days the messages are spread.
	lived = 60
)

// around returns the example with other messages before and after its lines. None of them tells what is asked for.
func (c *crowd) around(x example, seed int) example {
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	asked := reader.Ask(x.asked)
	fits := func(m sentences.Sentence) bool {
		return !slices.ContainsFunc(m.Marks, func(k sentences.Mark) bool { return asked.AskedFor(k.Relation) > mayTell }) &&
			x.rules.scoreParts("", m.Text) != Quote
	}
	var added []int
	add := func(i int) {
		if fits(c.messages[i]) && !slices.Contains(added, i) {
			added = append(added, i)
		}
	}
	for range 1 + r.IntN(randomOthers) {
		add(r.IntN(len(c.messages)))
	}
	most := len(added) + r.IntN(likeOthers+1)
	for _, i := range c.like(x.asked) {
		if len(added) < most {
			add(i)
		}
	}
	y := x
	y.made, y.life, y.lines, y.texts, y.gold = true, true, nil, nil, nil
	before := r.IntN(len(added) + 1)
	put := func(l evidence.Line, gold bool) {
		y.lines, y.texts, y.gold = append(y.lines, l), append(y.texts, l.Text), append(y.gold, gold)
	}
	day := talkDay
	for k, i := range added[:before] {
		put(evidence.Line{Text: c.messages[i].Text, Own: true, At: day.AddDate(0, 0, -lived*(before-k)/before)}, false)
	}
	for i, l := range x.lines {
		put(l, x.gold[i])
	}
	for k, i := range added[before:] {
		put(evidence.Line{Text: c.messages[i].Text, Own: true, At: day.Add(time.Hour).AddDate(0, 0, lived*k/len(added))}, false)
	}
	y.answers = evidence.Features(x.asked, languageOf(x.asked), y.lines)
	return y
}

// like returns the messages that share words with the question, those with the rarest first.
func (c *crowd) like(asked string) []int {
	score := map[int]float64{}
	for w := range words.Content(asked) {
		for _, i := range c.with[w] {
			score[i] += math.Log(float64(len(c.messages)) / float64(len(c.with[w])))
		}
	}
	var all []int
	for i := range score {
		all = append(all, i)
	}
	slices.SortFunc(all, func(a, b int) int { return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(a, b)) })
	return all
}
