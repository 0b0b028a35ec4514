package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"familiar/internal/tokens"
	"familiar/memory/toolcall"
	"familiar/prompts"
)

// askFor is how long a question waits for its yes.
const askFor = 10 * time.Minute

// What a model is told of calls that need a yes.
const (
	toldAsked    = "Not done yet: the program asks them for a yes, with the exact call, below your answer. Do not ask yourself, and do not say that it is done."
	toldDeclined = "They said no: it was not done."
	toldExpired  = "They said yes too late: it was not done. Call it again if they still want it."
	toldUnknown  = "They said yes, but the program was interrupted: it is not known whether it was done. Say so, and do not do it again by yourself."
)

var (
	errOneQuestion = errors.New("they are being asked about another call: answer now")
	// errGone is for a yes after the gate was closed, or the program with the tool has ended.
	errGone = errors.New("it is not at hand any more, and was not done")
)

// canAsk reports whether the person can be asked about a call: by a tool of the registry, where calls are recorded.
func (r *Runner) canAsk(e *entry) bool {
	return r.log() != nil && !slices.Contains(r.voice.entries, e)
}

// ask notes that the person is to be asked about a call.
func (r *Runner) ask(ctx context.Context, c toolcall.Call) (d Done) {
	d.Tool = c.Tool
	switch err := toolcall.CheckInput(c.Arguments); {
	case r.question != nil:
		d.Err = r.refuse(ctx, c, errOneQuestion)
	case err != nil:
		d.Err = r.refuse(ctx, c, err)
	default:
		r.question = &toolcall.Question{Call: c, Day: r.today(), Input: c.Arguments, Expires: r.now().Add(askFor)}
		d.Text = toldAsked
	}
	return d
}

// Question returns the call that the person is to be asked about, nil for none.
func (r *Runner) Question() *toolcall.Question { return r.question }

// DropQuestion drops the question: the answer that tells of it was not completed.
func (r *Runner) DropQuestion() { r.question = nil }

// Asks reports whether a gate of the registry may ask a person.
func (r *Registry) Asks() bool {
	if r == nil || r.Log == nil {
		return false
	}
	if r.Programs {
		return true
	}
	confirms := func(rule Rule) bool { return rule.Gate == Confirm }
	for _, rules := range r.Rules.Places {
		if slices.ContainsFunc(rules, confirms) {
			return true
		}
	}
	return slices.ContainsFunc(r.Rules.Everywhere, confirms) || slices.ContainsFunc(r.Rules.Persona, confirms) ||
		slices.ContainsFunc(r.tools, func(e *entry) bool { return e.spec.Default == Confirm })
}

// Answered is a call that a person was asked about, and what came of it, as a model is told.
type Answered struct {
	Call int64
	// Outcome is what became of it.
	Outcome toolcall.Outcome
	// Round is the call with its result.
	Round prompts.Round
	// Text is the result without its quotation, "" if there is none.
	Text string
}

// Answer takes a person's answer to a question, in the turn that the offer is for: with a yes it makes the call, once, whatever
// happens. It fails if the answer cannot be recorded; then nothing was done.
func (o *Offer) Answer(ctx context.Context, q toolcall.Question, yes bool) (*Answered, error) {
	r := o.Runner(&VoiceTools{}, nil)
	e := o.find(q.Call.Tool)
	c := toolcall.Call{ID: q.Call.ID, At: r.now()}
	switch {
	case !yes:
	case e == nil || o.decide(e).Gate == Deny:
		yes, c.Reason = false, errGone.Error()
	default:
		c.Took, c.Tokens = r.reserve(e)
	}
	q, err := o.registry.Log.Answer(ctx, q.Call.ID, o.place.Turn, yes, c, r.today(), r.limits.Day)
	if err != nil {
		return nil, fmt.Errorf("record the answer about %s: %w", q.Call.Tool, err)
	}
	told := ""
	switch q.Call.Outcome {
	case toolcall.Running:
		told, q.Call.Outcome, err = r.carryOut(ctx, e, c.ID, json.RawMessage(q.Input))
	case toolcall.Declined:
		told = toldDeclined
	case toolcall.Expired:
		told = toldExpired
	case toolcall.Unknown:
		told = toldUnknown
	case toolcall.Refused:
		told = didNotWork(errors.New(q.Call.Reason))
	default: // the turn was taken before
		told = q.Result
	}
	call := prompts.Call{Name: q.Call.Tool, Arguments: q.Input}
	return &Answered{Call: q.Call.ID, Outcome: q.Call.Outcome, Round: prompts.Round{Calls: []prompts.Call{call}, Results: []string{told}}, Text: told}, err
}

// carryOut makes a call that the person agreed to, and returns what the model is told of it, and what became of it.
func (r *Runner) carryOut(ctx context.Context, e *entry, id int64, arguments json.RawMessage) (string, toolcall.Outcome, error) {
	started := r.now()
	told, used, failed := r.run(ctx, e, id, arguments)
	if failed != nil {
		told = didNotWork(failed)
	}
	c := toolcall.Call{ID: id, Took: r.now().Sub(started), Tokens: used + tokens.Estimate(told)}
	c.Outcome, c.Reason = outcomeOf(failed, e.spec.Changes)
	if c.Outcome == toolcall.Unknown {
		told = toldUnknown
	}
	settling, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleWithin)
	defer cancel()
	if err := r.log().Finish(settling, c, told); err != nil {
		return "", "", fmt.Errorf("record what became of %s: %w", e.spec.Name, err)
	}
	return told, c.Outcome, nil
}

// didNotWork words a mistake for a model.
func didNotWork(err error) string {
	return "That did not work: " + prompts.ToolNote(err.Error()) + "."
}
