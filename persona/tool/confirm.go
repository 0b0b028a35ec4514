package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
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

var errOneQuestion = errors.New("they are being asked about another call: answer now")

// canAsk reports whether the person can be asked about a call: by a tool of the box, where calls are recorded.
func (k *Kit) canAsk(e *entry) bool {
	return k.log() != nil && !slices.Contains(k.own.entries, e)
}

// ask notes that the person is to be asked about a call.
func (k *Kit) ask(ctx context.Context, c toolcall.Call) (d Done) {
	d.Tool = c.Tool
	switch err := toolcall.CheckInput(c.Arguments); {
	case k.question != nil:
		d.Err = k.refuse(ctx, c, errOneQuestion)
	case err != nil:
		d.Err = k.refuse(ctx, c, err)
	default:
		k.question = &toolcall.Question{Call: c, Day: k.today(), Input: c.Arguments, Expires: k.now().Add(askFor)}
		d.Text = toldAsked
	}
	return d
}

// Question returns the call that the person is to be asked about, nil for none.
func (k *Kit) Question() *toolcall.Question { return k.question }

// DropQuestion drops the question: the answer that tells of it was not completed.
func (k *Kit) DropQuestion() { k.question = nil }

// Asks reports whether a gate of the box may ask a person.
func (b *Box) Asks() bool {
	if b == nil || b.Log == nil {
		return false
	}
	confirms := func(r Rule) bool { return r.Gate == Confirm }
	for _, rules := range b.Rules.Places {
		if slices.ContainsFunc(rules, confirms) {
			return true
		}
	}
	return slices.ContainsFunc(b.Rules.Everywhere, confirms) || slices.ContainsFunc(b.Rules.Persona, confirms) ||
		slices.ContainsFunc(b.tools, func(e *entry) bool { return e.spec.Default == Confirm })
}

// Answered is a call that a person was asked about, and what came of it, as a model is told.
type Answered struct {
	Call int64
	// Round is the call with its result.
	Round prompts.Round
	// Text is the result without its quotation, "" if there is none.
	Text string
}

// Answer takes a person's answer to a question, in the turn that the desk is for: with a yes it makes the call, once, whatever
// happens. It fails if the answer cannot be recorded; then nothing was done.
func (d *Desk) Answer(ctx context.Context, q toolcall.Question, yes bool) (*Answered, error) {
	k := d.Kit(&Own{}, nil)
	at := slices.IndexFunc(d.box.tools, func(e *entry) bool { return e.spec.Name == q.Call.Tool })
	if at < 0 || d.decide(d.box.tools[at]).Gate == Deny {
		yes = false // the gate was closed meanwhile
	}
	c := toolcall.Call{ID: q.Call.ID, At: k.now(), Tokens: k.limits.Result}
	if yes {
		c.Took = k.timeout(d.box.tools[at])
	}
	q, err := d.box.Log.Answer(ctx, q.Call.ID, d.place.Turn, yes, c, k.today(), k.limits.Day)
	if err != nil {
		return nil, fmt.Errorf("record the answer about %s: %w", q.Call.Tool, err)
	}
	told := ""
	switch q.Call.Outcome {
	case toolcall.Running:
		told, err = k.carryOut(ctx, d.box.tools[at], c.ID, json.RawMessage(q.Input))
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
	return &Answered{Call: q.Call.ID, Round: prompts.Round{Calls: []prompts.Call{call}, Results: []string{told}}, Text: told}, err
}

// carryOut makes a call that the person agreed to, and returns what the model is told of it.
func (k *Kit) carryOut(ctx context.Context, e *entry, id int64, arguments json.RawMessage) (string, error) {
	started := k.now()
	told, used, failed := k.run(ctx, e, arguments)
	if failed != nil {
		told = didNotWork(failed)
	}
	c := toolcall.Call{ID: id, Took: k.now().Sub(started), Tokens: used + tokens.Estimate(told)}
	c.Outcome, c.Reason = outcomeOf(failed, e.spec.Changes)
	if c.Outcome == toolcall.Unknown {
		told = toldUnknown
	}
	settling, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleWithin)
	defer cancel()
	if err := k.log().Finish(settling, c, told); err != nil {
		return "", fmt.Errorf("record what became of %s: %w", e.spec.Name, err)
	}
	return told, nil
}

// didNotWork words a mistake for a model.
func didNotWork(err error) string {
	return "That did not work: " + prompts.ToolNote(err.Error()) + "."
}

// Plainly words the arguments of a call for the person who is asked about it: a line each, in the order of their names. What is
// longer than most characters is cut, with how much is missing.
func Plainly(input string, most int) string {
	var given map[string]any
	if err := json.Unmarshal([]byte(input), &given); err != nil {
		return input
	}
	names := make([]string, 0, len(given))
	for name := range given {
		names = append(names, name)
	}
	slices.Sort(names)
	var lines []string
	for _, name := range names {
		text, ok := given[name].(string)
		if !ok {
			plain, err := json.Marshal(given[name])
			if err != nil {
				continue
			}
			text = string(plain)
		}
		if runes := []rune(text); len(runes) > most {
			text = fmt.Sprintf("%s … (+%d)", string(runes[:most]), len(runes)-most)
		}
		lines = append(lines, name+": "+text)
	}
	return strings.Join(lines, "\n")
}
