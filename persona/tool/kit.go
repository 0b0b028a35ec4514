package tool

import (
	"cmp"
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

// Why a call is not made. The texts are for the model.
var (
	errUnread   = errors.New("the call cannot be read: it needs the name of a tool and its arguments as a JSON object")
	errTooMany  = errors.New("there were too many calls: answer now")
	errRepeated = errors.New("you did that already")
	errDenied   = errors.New("that is not allowed here")
	errTimeout  = errors.New("it took too long")
	errLeft     = errors.New("it was broken off")
	errBusy     = errors.New("it is busy: go on without it")
	errBroken   = errors.New("it is broken: go on without it")
	errNoTime   = errors.New("there is no time left for calls: answer now")
	errNoLog    = errors.New("the call cannot be recorded: go on without it")
)

// Kit is the tools at hand for one answer, and what was called for it. It is for one goroutine.
type Kit struct {
	desk *Desk
	own  *Own
	// do makes the calls of the voice's own tools.
	do     func(ctx context.Context, tool string, u Use) (Result, error)
	limits Limits

	rounds, calls, shown int
	took                 time.Duration
	// repaired reports that the model was told of a mistake once.
	repaired bool
	made     map[string]bool
	// question is the call that the person is to be asked about, nil for none.
	question *toolcall.Question
}

// Kit returns the tools of the desk for one answer, with those that the voice brings; do makes the calls of the latter.
func (d *Desk) Kit(own *Own, do func(ctx context.Context, tool string, u Use) (Result, error)) *Kit {
	return &Kit{desk: d, own: own, do: do, limits: d.Limits(), made: make(map[string]bool)}
}

// MaxCalls is how many calls of one round are looked at.
func (k *Kit) MaxCalls() int { return k.limits.Calls + 1 } // one more shows that there were too many

// Done is what became of one call.
type Done struct {
	// Tool is the name of the tool, "" if the call names none.
	Tool string
	// Text is what the model is told.
	Text string
	// Err is why the call was not made or failed, nil if it was done.
	Err error
}

// Round makes the calls of one round. over reports that the model may call nothing more.
func (k *Kit) Round(ctx context.Context, calls []prompts.Call) (done []Done, over bool) {
	k.rounds++
	wrong := 0
	for _, c := range calls {
		d := k.call(ctx, c)
		if d.Err != nil {
			wrong++
			d.Text = didNotWork(d.Err)
		}
		k.shown += tokens.Estimate(d.Text)
		done = append(done, d)
	}
	all := wrong == len(calls)
	over = k.question != nil || k.rounds >= k.limits.Rounds || k.calls >= k.limits.Calls || k.shown >= k.limits.Tokens || all && k.repaired
	k.repaired = k.repaired || wrong > 0
	return done, over
}

// call makes one call.
func (k *Kit) call(ctx context.Context, c prompts.Call) (d Done) {
	if k.calls++; k.calls > k.limits.Calls || k.shown >= k.limits.Tokens {
		return Done{Err: errTooMany}
	}
	e := findEntry(k.entries(), c.Name)
	switch {
	case e == nil && strings.TrimSpace(c.Name) == "":
		return Done{Err: k.refuse(ctx, k.record(nil, c.Arguments), errUnread)}
	case e == nil:
		return Done{Err: k.refuse(ctx, k.record(nil, c.Arguments), fmt.Errorf("there is no tool %q", c.Name))}
	}
	d.Tool = e.spec.Name
	entry := k.record(e, c.Arguments)
	arguments, err := k.check(e, c.Arguments)
	if err != nil {
		d.Err = k.refuse(ctx, entry, err)
		return d
	}
	entry.Arguments = string(arguments)
	if k.decide(e).Gate == Confirm {
		return k.ask(ctx, entry)
	}
	if entry.ID, err = k.begin(ctx, e, entry); err != nil {
		d.Err = err
		return d
	}
	started := k.now()
	var used int
	d.Text, used, d.Err = k.run(ctx, e, arguments)
	entry.Took, entry.Tokens = k.now().Sub(started), used+tokens.Estimate(d.Text)
	k.took += entry.Took
	k.made[e.spec.Name+" "+string(arguments)] = d.Err == nil
	if err := k.end(ctx, entry, e.spec.Changes, d.Err); err != nil && d.Err == nil && !e.spec.Changes {
		d.Text, d.Err = "", err
	}
	return d
}

// check returns the arguments of a call that may be made.
func (k *Kit) check(e *entry, written string) (json.RawMessage, error) {
	if gate := k.decide(e).Gate; gate == Deny || gate == Confirm && !k.canAsk(e) {
		return nil, errDenied
	}
	read, err := e.schema()
	if err != nil {
		return nil, errBroken
	}
	arguments, err := read.arguments(written)
	switch {
	case err != nil:
		return nil, err
	case k.made[e.spec.Name+" "+string(arguments)]:
		return nil, errRepeated
	case k.limits.Time > 0 && k.took >= k.limits.Time:
		return nil, errNoTime
	}
	return arguments, nil
}

// entries returns the tools that may be named: those that are denied too, so that the model learns why.
func (k *Kit) entries() []*entry {
	if k.desk.plain() {
		return k.own.entries
	}
	return slices.Concat(k.own.entries, k.desk.box.entries())
}

// decide returns the gate of a tool.
func (k *Kit) decide(e *entry) Decision {
	if k.desk.plain() {
		return Decision{Allow, WhyDefault}
	}
	return k.desk.decide(e)
}

// run calls a tool within its limits and returns its result as the model sees it.
func (k *Kit) run(ctx context.Context, e *entry, arguments json.RawMessage) (text string, used int, err error) {
	u := Use{Arguments: arguments, Tokens: min(k.limits.Result, max(k.limits.Tokens-k.shown, 0))}
	if k.desk != nil {
		u.Place = k.desk.place
	}
	if slices.Contains(k.own.entries, e) {
		result, err := k.do(ctx, e.spec.Name, u)
		return result.Text, 0, err // the voice words and bounds it itself
	}
	result, err := e.call(ctx, u, k.timeout(e))
	if err != nil {
		return "", result.Tokens, err
	}
	return result.shown(e.spec.Name, u.Tokens), result.Tokens, nil
}

// timeout returns how long a call of a tool may take: no longer than what is left for the answer.
func (k *Kit) timeout(e *entry) time.Duration {
	most := cmp.Or(e.spec.Timeout, k.limits.Timeout)
	if k.limits.Time > 0 {
		most = min(most, max(k.limits.Time-k.took, time.Second))
	}
	return most
}

// longestResult is how much of a result is looked at, in bytes: more than any prompt has room for.
const longestResult = 256 << 10

// shown returns a result as the model sees it, within most tokens.
func (r Result) shown(name string, most int) string {
	switch {
	case strings.TrimSpace(r.Text) == "":
		return "Done."
	case r.Own:
		return prompts.ToolNote(r.Text)
	case r.Source != "":
		name += ", " + r.Source
	}
	return prompts.ToolResult(name, r.Text[:min(len(r.Text), longestResult)], most)
}

// call makes one call in its own goroutine, so that a tool that does not heed ctx holds up nobody. The goroutine keeps its
// slot until the tool returns.
func (e *entry) call(ctx context.Context, u Use, timeout time.Duration) (Result, error) {
	select {
	case e.slots <- struct{}{}:
	default:
		return Result{}, errBusy
	}
	running, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	type outcome struct {
		result Result
		err    error
	}
	back := make(chan outcome, 1)
	go func() {
		defer func() { <-e.slots }()
		result, err := e.safely(running, u)
		back <- outcome{result, err}
	}()
	o := outcome{err: errLeft}
	select {
	case o = <-back:
	case <-running.Done():
		select {
		case o = <-back: // it ended at the same moment
		default:
		}
	}
	if o.err != nil && running.Err() != nil { // it gave up, wherever it was
		return Result{}, errors.Join(errLeft, cmp.Or(ctx.Err(), errTimeout))
	}
	return o.result, o.err
}

// safely calls the tool and turns a panic into an error.
func (e *entry) safely(ctx context.Context, u Use) (r Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errBroken
		}
	}()
	return e.tool.Call(ctx, u)
}
