// Package jobs has the background work of a persona, such as reflecting and dreaming. Each job is a function XOnce that
// reads only what is new. It works without a model and uses one for better wording if there is one. It gets the ID of
// its run in the ledger, with which it claims the people it works on. Texts that a job writes are stored only by
// lifecycle.Infer, which checks them against the record.
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
	"familiar/persona"
	"familiar/persona/modelvoice"
	"familiar/persona/proof"
	"familiar/prompts"
	"familiar/prompts/answer"
)

// Deps are the dependencies of the jobs: the card, the store, the model (nil without one) and the settings of its
// engine.
type Deps struct {
	persona.Parts
}

// The reasons for which a model's text is rejected, in addition to those of the store.
const (
	rejectedInvented   lifecycle.Rejection = "invented source"
	rejectedUngrounded lifecycle.Rejection = "unsupported names"
	rejectedUnsaid     lifecycle.Rejection = "not said in its lines"
	rejectedUnfit      lifecycle.Rejection = "unfit wording"
)

// modelUse counts the model calls of a run and their failures.
type modelUse struct {
	// Calls counts the calls to the model, Faults those without a useful answer, which the plain wording replaced.
	Calls  int `json:"calls,omitempty"`
	Faults int `json:"faults,omitempty"`
}

// faultsInARow is how many consecutive faults end the use of the model in a run, since it seems to be down.
const faultsInARow = 3

// asker calls the model as long as it answers.
type asker struct {
	Deps
	*modelUse
	inARow int
	down   bool
}

func (n Deps) asker(count *modelUse) *asker {
	return &asker{Deps: n, modelUse: count, down: n.Model == nil}
}

// ask calls the model and passes the answer to read. It reports whether that succeeded. A fault is logged, and the
// plain wording is used: no job waits for a model to come back.
func (a *asker) ask(ctx context.Context, p prompts.Prompt, read func(text string) error) bool {
	if a.down {
		return false
	}
	_, err := modelvoice.Ask(ctx, counted{a.Model, &a.Calls}, p, read)
	if err == nil {
		a.inARow = 0
		return true
	}
	a.Faults++
	a.inARow++
	a.down = a.inARow == faultsInARow || modelvoice.IsPersistent(err)
	a.Log.Warn("the model gave no usable answer; plain wording is used", "prompt", p.Name, "asked again", !a.down, "error", err)
	return false
}

// check asks the model which of some statements the lines say. It reports whether the model answered.
func (a *asker) check(ctx context.Context, lines []prompts.Numbered, statements []string) (said []bool, ok bool) {
	if len(statements) == 0 {
		return nil, true
	}
	p := prompts.Check(prompts.CheckInput{Name: a.Card.Name, Lines: lines, Statements: statements, Budget: a.Settings.Filing()})
	ok = a.ask(ctx, p, func(text string) (err error) {
		said, err = prompts.ParseCheck(text, len(statements))
		return err
	})
	return said, ok
}

// counted counts the calls to a model.
type counted struct {
	modelvoice.Model
	calls *int
}

// Generate implements modelvoice.Model.
func (c counted) Generate(ctx context.Context, p prompts.Prompt, stream func(string)) (prompts.Answer, error) {
	*c.calls++
	return c.Model.Generate(ctx, p, stream)
}

// scopeResult is what a job derives from one scope: inferences about a number of people or places.
type scopeResult struct {
	found []lifecycle.Inference
	of    int
}

// forEachScope runs a job over each scope with something new and stores the results. It returns how many people or
// places they are about.
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
			if found[i].Kind.Recallable() { // inferences have no vector and are never compared
				found[i].Near = n.EmbedQuery(ctx, found[i].Text)
			}
		}
	}
	kept, err := n.Store.Lifecycle.Infer(ctx, n.Card.Key, run, found, read...)
	made.Add(kept)
	return err
}

// zoneOf returns a person's timezone.
func (n Deps) zoneOf(ctx context.Context, person int64) (*time.Location, error) {
	p, err := n.Store.Log.Person(ctx, person)
	if errors.Is(err, memory.ErrNotFound) {
		return n.zone(), nil // merged with another person meanwhile
	}
	return p.Location(n.zone()), err
}

func (n Deps) zone() *time.Location {
	if n.Settings.Zone == nil {
		return time.UTC
	}
	return n.Settings.Zone
}

// numbered returns memories as a prompt quotes them.
func numbered(said []model.Memory, zone *time.Location) []prompts.Numbered {
	lines := make([]prompts.Numbered, len(said))
	for i, m := range said {
		lines[i] = prompts.Numbered{Number: i + 1, Entry: prompts.Entry{Name: m.Author, Text: m.Text, At: m.Created.In(zone)}}
	}
	return lines
}

// evidence checks a model's text against the messages it was shown.
type evidence struct {
	// said are the messages in the order of the prompt's numbers, self is the persona's name.
	said        []model.Memory
	self, fence string
	// longest is how many characters the text may have.
	longest int
}

// prove returns a model's text with the messages it rests on, or the reason why it is rejected. Its numbers must refer
// to lines that were shown, and every name and number in it must occur in those lines: a model may add wording but no
// facts.
func (p evidence) prove(w prompts.Statement) (text string, sources []int64, names []string, why lifecycle.Rejection) {
	text, err := answer.Clean(w.Text, answer.Options{Fence: p.fence, Name: p.self})
	if err != nil && !errors.Is(err, answer.ErrEmpty) {
		return "", nil, nil, rejectedUnfit
	}
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > p.longest {
		return "", nil, nil, lifecycle.RejectedLong
	}
	known := []string{p.self}
	for _, number := range w.From {
		if number < 1 || number > len(p.said) {
			return "", nil, nil, rejectedInvented
		}
		m := p.said[number-1]
		sources = append(sources, m.Sources...)
		known = append(known, m.Author, m.Text, m.Created.Format("2006 1 2 Monday January"))
	}
	if len(sources) == 0 {
		return "", nil, nil, lifecycle.RejectedSourced
	}
	if len(proof.NewRecord(known...).Lacks(text)) > 0 {
		return "", nil, nil, rejectedUngrounded
	}
	return text, sources, proof.Names(text), ""
}
