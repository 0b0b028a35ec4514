package compare

import (
	"context"
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

// whole returns the persona as it is. It must be asked last, because it stores what is said to it.
func (st *stage) whole(s Scenario) mind {
	return func(ctx context.Context, text string, at time.Time) (scene.Scene, scene.Reply, error) {
		st.Ear.SpeakWith(st.Voice)
		return st.hear(ctx, s.Person, text, at)
	}
}

// forgetful returns a mind whose context is only the current conversation, so everybody is a stranger.
func (st *stage) forgetful(s Scenario) mind {
	return st.baseline(s, func(scene.Scene) recall.Result { return recall.Result{} })
}

// searching returns a mind whose context holds verbatim messages of everybody, including the persona: first those
// similar to the current message, best first, then the newest, up to the budget.
func (st *stage) searching(s Scenario, budget int) mind {
	bag := newBag(st.said, s.Card.Language)
	return st.baseline(s, func(scene scene.Scene) recall.Result {
		var said []string
		for _, line := range scene.Incoming {
			said = append(said, line.Text)
		}
		return bag.recall(strings.Join(said, "\n"), budget)
	})
}

// baseline returns a mind that uses only recall and stores nothing.
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
			sc.Incoming = []scene.Line{{
				PersonID: 1, Name: s.Person, Text: text, At: at, Parsed: understand.Analyze(understand.Utterance{Text: text, At: at}),
			}}
		}
		sc.Recall = recall(sc)
		speech, err := st.Voice.Reply(ctx, sc, nil)
		talk = append(talk, sc.Incoming...)
		talk = append(talk, scene.Line{Name: s.Card.Name, Self: true, Text: speech.Text, At: at})
		return sc, speech, err
	}
}

// bag indexes everything that was said by its words.
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

// recall returns the messages that match a text, then the newest, up to budget tokens.
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

// author returns the author id of a line: 0 for the persona, 1 for a person.
func author(line Said) int64 {
	if line.Self {
		return 0
	}
	return 1
}

// lineFrame is the approximate number of tokens for the mark, the date and the line break of a line.
const lineFrame = 9

// inFront returns what a scene puts into a model's context: as many of its first notes and memories as budget holds, as
// lines, and the tokens they take; then what people said earlier in the current conversation.
func inFront(s scene.Scene, budget int) (lines []string, spent int) {
	if s.Card == nil {
		return nil, 0 // the voice was not called
	}
	p := modelvoice.ReplyPrompt(s)
	for _, n := range p.Notes {
		line := n.Text
		cost := tokens.Estimate(line) + 1
		if spent+cost > budget {
			break
		}
		spent += cost
		lines = append(lines, line)
	}
	for _, l := range s.Recent {
		if !l.Self {
			lines = append(lines, l.Name+": "+l.Text)
		}
	}
	return lines, spent
}
