package jobs

import (
	"context"
	"fmt"
	"slices"
	"time"

	"familiar/memory/belief"
	"familiar/memory/understand"
	"familiar/persona/mind"
)

const pursuing = "goals"

// GoalsResult is the result of a run of GoalsOnce.
type GoalsResult struct {
	// Set counts new goals, Heard messages about a goal, Reached goals that were reached or evolved into another.
	Set     int `json:"set"`
	Heard   int `json:"heard"`
	Reached int `json:"reached"`
	// Rejected counts goals proposed by a model that the messages do not prove.
	Rejected int `json:"rejected,omitempty"`
	modelUse
}

// String describes the result for the ledger.
func (p GoalsResult) String() string {
	words := "no news of goals"
	if p.Set+p.Heard+p.Reached+p.Rejected > 0 {
		words = fmt.Sprintf("%d goals set, %d messages about them, %d reached or changed", p.Set, p.Heard, p.Reached)
	}
	if p.Rejected > 0 {
		words += fmt.Sprintf("; rejected %d", p.Rejected)
	}
	return words + p.modelUse.String()
}

// GoalsOnce follows people's goals through the messages since the last run, in each scope separately: new goals, steps,
// goals reached and goals that evolved. A model may find goals that no wording rule finds, but only in the person's own
// words. Everything it stores carries run.
func (n Deps) GoalsOnce(ctx context.Context, run int64, _ time.Time) (done GoalsResult, err error) {
	model := n.asker(&done.modelUse)
	noted, err := n.forEachNews(ctx, pursuing, run, func(ctx context.Context, f *scopeReader, said []belief.BacklogItem) error {
		return f.pursue(ctx, said, f.propose(ctx, model, said, &done))
	})
	done.Set, done.Heard, done.Reached = noted.Opened, noted.Added, noted.Closed
	return done, err
}

// goalReader tracks the goals of one person while their messages are read.
type goalReader struct {
	*scopeReader
	loops []int64
	goals []mind.Goal
}

// pursue reads what one person said. found holds, by memory, the goals that a model found.
func (f *scopeReader) pursue(ctx context.Context, said []belief.BacklogItem, proposed map[int64][]understand.Goal) error {
	known, err := f.Store.Beliefs.TrackedLoopsInScope(ctx, f.Card.Key, f.audience, said[0].AuthorID, belief.LoopGoal)
	if err != nil {
		return err
	}
	p := goalReader{scopeReader: f}
	for _, g := range known {
		p.add(g.ID, mind.Goal{Text: g.Text, Touched: g.Last, Mentions: g.Mentions, Steps: g.Steps})
	}
	zone, err := f.zoneOf(ctx, said[0].AuthorID)
	if err != nil {
		return err
	}
	for _, m := range said {
		reading := m.Analysis(zone, f.Card.WithoutFacts)
		stated := reading.Goals
		if len(stated) == 0 {
			stated = proposed[m.ID]
		}
		for _, g := range stated {
			p.states(m, g)
		}
		if len(stated) == 0 && len(p.goals) > 0 {
			p.hears(m, reading)
		}
	}
	return nil
}

func (p *goalReader) add(loop int64, g mind.Goal) {
	p.loops, p.goals = append(p.loops, loop), append(p.goals, g)
}

func (p *goalReader) remove(i int) {
	p.loops, p.goals = slices.Delete(p.loops, i, i+1), slices.Delete(p.goals, i, i+1)
}

// states records a goal stated by a message: a known one, one that evolved from another, or a new one.
func (p *goalReader) states(m belief.BacklogItem, g understand.Goal) {
	message := m.Sources[0]
	if i := slices.IndexFunc(p.goals, func(k mind.Goal) bool { return mind.SameGoal(k.Text, g.Text) }); i >= 0 {
		p.goals[i].Touched = m.Created
		p.hear(p.loops[i], message, belief.MentionNew)
		return
	}
	note := belief.LoopMention{Kind: belief.LoopGoal, Text: g.Text, Message: message}
	if g.Span != nil {
		note.DueFrom, note.DueUntil = g.Span.From, g.Span.Until
	}
	if i := slices.IndexFunc(p.goals, func(k mind.Goal) bool { return mind.Evolves(k.Text, g.Text) }); i >= 0 {
		note.EvolvedFrom = p.loops[i]
		p.remove(i)
	}
	p.add(p.open(note), mind.Goal{Text: g.Text, Touched: m.Created, Mentions: 1})
}

// hears records what a message means for the known goals.
func (p *goalReader) hears(m belief.BacklogItem, r understand.Analysis) {
	i, how := mind.Toward(p.goals, m.Text, r, mind.AskedAbout(p.goals, m.Before))
	if i < 0 {
		return
	}
	p.goals[i].Touched = m.Created
	p.hear(p.loops[i], m.Sources[0], string(how))
	if how == mind.GoalReached {
		p.remove(i)
	}
}
