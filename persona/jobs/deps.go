// Package jobs is what a persona does between conversations with what it remembers: it reflects and it dreams. Each job is
// one function, XOnce, that reads only what is new, works without a model and, with one, lets it find better words. It is
// given a run of the ledger that is at work, by which it claims the people it works on. What a job puts into words is kept
// by memory.Store.Infer alone, which holds it against the record.
package jobs

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"familiar/memory"
	"familiar/memory/jobrun"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/persona"
	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// Deps is what the jobs work with: the card, the store, the model that finds the words (nil without one) and the settings
// of its engine.
type Deps struct {
	persona.Parts
}

// What a model's words are rejected for, beside what the store rejects.
const (
	rejectedInvented   lifecycle.Rejection = "invented source"
	rejectedUngrounded lifecycle.Rejection = "names nobody told"
)

// modelUse is how often the model was asked in a run, and how it failed.
type modelUse struct {
	// Calls are the questions to the model, Faults those it gave no answer of use to: the plain voice found the words then.
	Calls  int `json:"calls,omitempty"`
	Faults int `json:"faults,omitempty"`
}

// faultsInARow is how many faults in a row end the asking for a run: the model is taken for down.
const faultsInARow = 3

// asker asks the model as long as it answers.
type asker struct {
	Deps
	*modelUse
	inARow int
	down   bool
}

func (n Deps) asker(count *modelUse) *asker {
	return &asker{Deps: n, modelUse: count, down: n.Model == nil}
}

// ask lets the model answer and read take the answer, and says that it did. A fault is logged and left to the plain voice:
// nothing waits for a model to come back.
func (a *asker) ask(ctx context.Context, p prompts.Prompt, read func(text string) error) bool {
	if a.down {
		return false
	}
	a.Calls++
	answer, err := a.Model.Generate(ctx, p, nil)
	if err == nil {
		err = read(answer.Text)
	}
	if err == nil {
		a.inARow = 0
		return true
	}
	a.Faults++
	a.inARow++
	a.down = a.inARow == faultsInARow || modelvoice.IsPersistent(err)
	a.Log.Warn("the plain voice finds the words a model did not", "prompt", p.Name, "asked again", !a.down, "error", err)
	return false
}

// scopeResult is what a job makes of one scope: inferences, of so many people or places.
type scopeResult struct {
	found []lifecycle.Inference
	of    int
}

// forEachScope lets a job make what it makes of each scope with something new, and keeps it. It returns of how many people or
// places that is.
func (n Deps) forEachScope(
	ctx context.Context, job string, run int64, made *lifecycle.InferResult, think func(context.Context, scope) (scopeResult, error),
) (of int, err error) {
	err = n.forEachBacklog(ctx, job, run, func(some []scope) error {
		thoughts, err := parallel(ctx, some, think)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		var found []lifecycle.Inference
		var read []jobrun.Cursor
		for i, t := range thoughts {
			of += t.of
			found, read = append(found, t.found...), append(read, some[i].mark(job))
		}
		return n.keep(ctx, run, made, found, read)
	})
	return of, err
}

func (n Deps) keep(ctx context.Context, run int64, made *lifecycle.InferResult, found []lifecycle.Inference, read []jobrun.Cursor) error {
	if n.EmbedQuery != nil {
		for i := range found {
			if found[i].Kind.Recallable() { // what others mean is never compared: it has no vector
				found[i].Near = n.EmbedQuery(ctx, found[i].Text)
			}
		}
	}
	kept, err := n.Store.Lifecycle.Infer(ctx, n.Card.Key, run, found, read...)
	made.Add(kept)
	return err
}

// zoneOf returns the clock someone lives by.
func (n Deps) zoneOf(ctx context.Context, person int64) (*time.Location, error) {
	p, err := n.Store.Log.Person(ctx, person)
	if errors.Is(err, memory.ErrNotFound) {
		return n.zone(), nil // met under another name meanwhile
	}
	return p.Location(n.zone()), err
}

func (n Deps) zone() *time.Location {
	if n.Settings.Zone == nil {
		return time.UTC
	}
	return n.Settings.Zone
}

// numbered returns what was said as a prompt quotes it.
func numbered(said []model.Memory, zone *time.Location) []prompts.Numbered {
	lines := make([]prompts.Numbered, len(said))
	for i, m := range said {
		lines[i] = prompts.Numbered{Number: i + 1, Entry: prompts.Entry{Name: m.Author, Text: m.Text, At: m.Created.In(zone)}}
	}
	return lines
}

// proof is what a model's words are held against.
type proof struct {
	// said is what the prompt numbered, self the persona's name.
	said        []model.Memory
	self, fence string
	// longest is how many characters the words may have.
	longest int
}

// prove returns what a model worded, with the messages it rests on; or why it is rejected. The numbers must be of lines
// that were shown, and whoever or whatever is named must stand in those lines: a model adds words to what was said, and
// nothing else.
func (p proof) prove(w prompts.Statement) (text string, sources []int64, names []string, why lifecycle.Rejection) {
	text = strings.Join(strings.Fields(prompts.CleanReply(w.Text, p.fence, p.self)), " ")
	if utf8.RuneCountInString(text) > p.longest {
		return "", nil, nil, lifecycle.RejectedLong
	}
	known := p.self
	for _, number := range w.From {
		if number < 1 || number > len(p.said) {
			return "", nil, nil, rejectedInvented
		}
		m := p.said[number-1]
		sources = append(sources, m.Sources...)
		known += "\n" + m.Author + "\n" + m.Text
	}
	if len(sources) == 0 {
		return "", nil, nil, lifecycle.RejectedSourced
	}
	known = strings.ToLower(known)
	for _, name := range understand.Analyze(understand.Utterance{Text: text}).Entities {
		if !strings.Contains(known, strings.ToLower(name)) {
			return "", nil, nil, rejectedUngrounded
		}
		names = append(names, name)
	}
	return text, sources, names, ""
}
