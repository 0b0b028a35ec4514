package compare

import (
	"context"
	"slices"
	"strings"
	"time"

	"familiar/internal/tokens"
	"familiar/memory/lexical"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand"
	"familiar/persona/modelvoice"
	"familiar/persona/scene"
)

// whole is the persona as it is. It must be asked last: what is said to it is kept.
func (st *stage) whole(s Scenario) mind {
	return func(ctx context.Context, text string, at time.Time) (scene.Scene, scene.Reply, error) {
		st.ear.speakWith(st.furniture.Voice)
		return st.hear(ctx, s.Person, text, at)
	}
}

// forgetful has the running talk in front of it and nothing else: everybody is a stranger.
func (st *stage) forgetful(s Scenario) mind {
	return st.baseline(s, func(scene.Scene) recall.Result { return recall.Result{} })
}

// searching has in front of it all that was ever said, by whomever, the persona included, as it was said: first what is
// alike to what is said now, best first, then the newest, as much as the budget holds.
func (st *stage) searching(s Scenario, budget int) mind {
	bag := newBag(st.said, s.Card.Language)
	return st.baseline(s, func(scene scene.Scene) recall.Result {
		var said []string
		for _, line := range scene.Heard {
			said = append(said, line.Text)
		}
		return bag.recall(strings.Join(said, "\n"), budget)
	})
}

// baseline is a mind that remembers by recall alone and keeps nothing.
func (st *stage) baseline(s Scenario, recall func(scene.Scene) recall.Result) mind {
	var talk []scene.Line
	return func(ctx context.Context, text string, at time.Time) (scene.Scene, scene.Reply, error) {
		sc := scene.Scene{
			Card: s.Card, Now: at, Direct: true, Person: model.Person{ID: 1, Name: s.Person}, Address: s.Person,
			Recent: talk,
		}
		if text == "" {
			sc.Greeting = &scene.Greeting{First: true}
		} else {
			sc.Heard = []scene.Line{{
				PersonID: 1, Name: s.Person, Text: text, At: at, Heard: understand.Analyze(understand.Utterance{Text: text, At: at}),
			}}
		}
		sc.Recall = recall(sc)
		speech, err := st.furniture.Voice.Reply(ctx, sc, nil)
		talk = append(talk, sc.Heard...)
		talk = append(talk, scene.Line{Name: s.Card.Name, Self: true, Text: speech.Text, At: at})
		return sc, speech, err
	}
}

// bag is everything that was said, by its words.
type bag struct {
	said  []Said
	index *lexical.Index
}

func newBag(said []Said, language string) bag {
	b := bag{said: said, index: lexical.New(lexical.Named(language))}
	for _, line := range said {
		b.index.Add(lexical.Document{Text: line.Text, At: line.At.UnixMilli()})
	}
	return b
}

// recall is what the bag holds of a text, filled up with the newest to a number of tokens.
func (b bag) recall(text string, budget int) (found recall.Result) {
	taken := make(map[int]bool, len(b.said))
	take := func(n int) bool {
		line := b.said[n]
		if line.Text == "" {
			return true
		}
		cost := tokens.Estimate(line.Name+": "+line.Text) + lineFrame
		if taken[n] {
			return true
		}
		if found.Tokens+cost > budget {
			return false
		}
		taken[n] = true
		found.Tokens += cost
		found.Items = append(found.Items, recall.Item{Why: "matches", Lines: []model.SnippetLine{{
			MessageID: int64(n + 1), PersonID: author(line), Author: line.Name, At: line.At, Text: line.Text, Hit: true,
		}}})
		return true
	}
	for _, m := range lexical.Search([]*lexical.Index{b.index}, lexical.Query{Text: text, Limit: len(b.said)}) {
		if !take(m.Ordinal) {
			return found
		}
	}
	for n := len(b.said) - 1; n >= 0 && take(n); n-- {
	}
	return found
}

// author is who said a line: 0 for the persona, else somebody.
func author(line Said) int64 {
	if line.Self {
		return 0
	}
	return 1
}

// lineFrame is about what the mark, the date and the break of a line take.
const lineFrame = 9

// inFront is what a scene puts in front of a model: its notes and memories as lines, as many of the first as budget
// holds, and what they take; then what people said in the running talk before.
func inFront(s scene.Scene, budget int) (lines []string, spent int) {
	if s.Card == nil {
		return nil, 0 // nothing was asked of the voice
	}
	p := modelvoice.ReplyPrompt(s)
	last := len(p.Messages) - 1
	notes := quotedBlocks(p.Messages[last].Text, p.Fence)
	if len(s.Heard) > 0 {
		notes = notes[:len(notes)-1] // what is to be answered comes last
	}
	for _, line := range slices.Concat(notes...) {
		cost := tokens.Estimate(line) + 1
		if spent+cost > budget {
			break
		}
		spent += cost
		lines = append(lines, line)
	}
	for _, m := range p.Messages[:last] {
		lines = append(lines, slices.Concat(quotedBlocks(m.Text, p.Fence)...)...)
	}
	return lines, spent
}

// quotedBlocks are the lines between the marks of a fence.
func quotedBlocks(text, fence string) (blocks [][]string) {
	within := false
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case line == "<"+fence+">":
			within = true
			blocks = append(blocks, nil)
		case line == "</"+fence+">":
			within = false
		case within:
			blocks[len(blocks)-1] = append(blocks[len(blocks)-1], line)
		}
	}
	return blocks
}
