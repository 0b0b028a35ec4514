package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"familiar/internal/tokens"
	"familiar/memory/toolcall"
	"familiar/prompts"
)

// Why a call is not made. The texts are for the model.
var (
	errUnread    = errors.New("the call cannot be read: it needs the name of a tool and its arguments as a JSON object")
	errTooMany   = errors.New("there were too many calls: answer now")
	errRepeated  = errors.New("you did that already")
	errDenied    = errors.New("that is not allowed here")
	errTimeout   = errors.New("it took too long")
	errAbandoned = errors.New("it was broken off")
	errBusy      = errors.New("it is busy: go on without it")
	errBroken    = errors.New("it is broken: go on without it")
	errNoTime    = errors.New("there is no time left for calls: answer now")
	errNoLog     = errors.New("the call cannot be recorded: go on without it")
)

// Runner makes the calls of one answer. It is for one goroutine.
type Runner struct {
	offer *Offer
	voice *VoiceTools
	// do makes the calls of the voice's own tools.
	do     func(ctx context.Context, tool string, u Use) (Result, error)
	limits Limits

	// parent is the call of the delegate tool that the calls are made within, 0 for none.
	parent int64

	rounds, calls, shown int
	took                 time.Duration
	// repaired reports that the model was told of a mistake once.
	repaired bool
	made     map[string]bool
	// question is the call that the person is to be asked about, nil for none.
	question *toolcall.Question
}

// Runner returns what makes the calls of one answer: of what is offered here, and of those that the voice brings; do makes the calls
// of the latter.
func (o *Offer) Runner(voice *VoiceTools, do func(ctx context.Context, tool string, u Use) (Result, error)) *Runner {
	return &Runner{offer: o, voice: voice, do: do, limits: o.Limits(), made: make(map[string]bool)}
}

// MaxCalls is how many calls of one round are looked at.
func (r *Runner) MaxCalls() int { return r.limits.Calls + 1 } // one more shows that there were too many

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
func (r *Runner) Round(ctx context.Context, calls []prompts.Call) (done []Done, over bool) {
	r.rounds++
	wrong := 0
	for _, c := range calls {
		d := r.call(ctx, c)
		if d.Err != nil {
			wrong++
			d.Text = didNotWork(d.Err)
		}
		r.shown += tokens.Estimate(d.Text)
		done = append(done, d)
	}
	all := wrong == len(calls)
	over = r.question != nil || r.rounds >= r.limits.Rounds || r.calls >= r.limits.Calls || r.shown >= r.limits.Tokens || all && r.repaired
	r.repaired = r.repaired || wrong > 0
	return done, over
}

// call makes one call.
func (r *Runner) call(ctx context.Context, c prompts.Call) (d Done) {
	if r.calls++; r.calls > r.limits.Calls || r.shown >= r.limits.Tokens {
		return Done{Err: errTooMany}
	}
	c = named(c)
	e := findEntry(r.entries(), c.Name)
	switch {
	case e == nil && strings.TrimSpace(c.Name) == "":
		return Done{Err: r.refuse(ctx, r.record(nil, c.Arguments), errUnread)}
	case e == nil:
		return Done{Err: r.refuse(ctx, r.record(nil, c.Arguments), fmt.Errorf("there is no tool %q", c.Name))}
	}
	d.Tool = e.spec.Name
	entry := r.record(e, c.Arguments)
	arguments, err := r.check(e, c.Arguments)
	if err != nil {
		d.Err = r.refuse(ctx, entry, err)
		return d
	}
	entry.Arguments = string(arguments)
	if r.decide(e).Gate == Confirm {
		return r.ask(ctx, entry)
	}
	if entry.ID, err = r.begin(ctx, e, entry); err != nil {
		d.Err = err
		return d
	}
	started := r.now()
	var used int
	d.Text, used, d.Err = r.run(ctx, e, entry.ID, arguments)
	entry.Took, entry.Tokens = r.now().Sub(started), used+tokens.Estimate(d.Text)
	r.took += entry.Took
	r.made[e.spec.Name+" "+string(arguments)] = d.Err == nil
	if err := r.end(ctx, entry, e.spec.Changes, d.Err); err != nil && d.Err == nil && !e.spec.Changes {
		d.Text, d.Err = "", err
	}
	return d
}

// check returns the arguments of a call that may be made.
func (r *Runner) check(e *entry, written string) (json.RawMessage, error) {
	if gate := r.decide(e).Gate; gate == Deny || gate == Confirm && !r.canAsk(e) {
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
	case r.made[e.spec.Name+" "+string(arguments)]:
		return nil, errRepeated
	case r.limits.Time > 0 && r.took >= r.limits.Time:
		return nil, errNoTime
	}
	return arguments, nil
}

// entries returns the tools that may be named: those that are denied too, so that the model learns why.
func (r *Runner) entries() []*entry {
	if r.offer.plain() {
		return r.voice.entries
	}
	return slices.Concat(r.voice.entries, r.offer.entries())
}

// decide returns the gate of a tool.
func (r *Runner) decide(e *entry) Decision {
	if r.offer.plain() {
		return Decision{Allow, WhyDefault}
	}
	return r.offer.decide(e)
}

// run makes a call, which the log has as id, within its limits, and returns the result as the model sees it and what models used.
func (r *Runner) run(ctx context.Context, e *entry, id int64, arguments json.RawMessage) (text string, used int, err error) {
	u := Use{Arguments: arguments, Tokens: min(r.limits.Result, max(r.limits.Tokens-r.shown, 0))}
	if r.offer != nil {
		u.Place = r.offer.place
	}
	if slices.Contains(r.voice.entries, e) {
		result, err := r.do(ctx, e.spec.Name, u)
		return result.Text, 0, err // the voice words and bounds it itself
	}
	var helper atomic.Pointer[Runner]
	calls, timeout := r.limits.Calls-r.calls-1, r.timeout(e) // read now: a tool that is given up may ask for its helper while r goes on
	u.Helper = func(wanted int) *Runner {
		helper.Store(r.helper(id, min(wanted, calls), timeout))
		return helper.Load()
	}
	result, err := e.call(ctx, u, timeout)
	h := helper.Load()
	if errors.Is(err, errAbandoned) { // it may still run: all that it may take counts
		if h != nil {
			r.calls += h.limits.Calls
		}
		return "", e.spec.Tokens, err
	}
	if h != nil {
		r.calls += h.calls
	}
	if err != nil {
		return "", result.Tokens, err
	}
	return result.shown(e.spec.Name, u.Tokens), result.Tokens, nil
}

// timeout returns how long a call of a tool may take: no longer than what is left for the answer.
func (r *Runner) timeout(e *entry) time.Duration {
	limit := cmp.Or(e.spec.Timeout, r.limits.Timeout)
	if r.limits.Time > 0 {
		limit = min(limit, max(r.limits.Time-r.took, time.Second))
	}
	return limit
}

// longestResult is how much of a result is looked at, in bytes: more than any prompt has room for.
const longestResult = 256 << 10

// shown returns a result as the model sees it, within a limit of tokens.
func (r Result) shown(name string, limit int) string {
	switch {
	case strings.TrimSpace(r.Text) == "":
		return "Done."
	case r.ProgramText:
		return prompts.ToolNote(r.Text)
	case r.Source != "":
		name += ", " + r.Source
	}
	return prompts.ToolResult(name, r.Text[:min(len(r.Text), longestResult)], limit)
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
	o := outcome{err: errAbandoned}
	select {
	case o = <-back:
	case <-running.Done():
		select {
		case o = <-back: // it ended at the same moment
		default:
		}
	}
	if o.err != nil && running.Err() != nil { // it gave up, wherever it was
		return Result{}, errors.Join(errAbandoned, cmp.Or(ctx.Err(), errTimeout))
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

// helper returns what makes the calls of a helper within the call with this number: at most so many, of tools that are allowed here
// without asking and change nothing, within the time. Each is recorded as made within the call, and held to the same limits of a
// day. It reads nothing of r that changes, since the tool may ask for it from another goroutine.
func (r *Runner) helper(within int64, calls int, timeout time.Duration) *Runner {
	l := r.limits
	l.Calls, l.Time = max(calls, 0), timeout
	offer := &Offer{helper: true}
	if r.offer != nil {
		offer.registry, offer.place = r.offer.registry, r.offer.place
	}
	return &Runner{offer: offer, voice: &VoiceTools{}, parent: within, limits: l, made: make(map[string]bool)}
}

// Tools returns what a helper is offered, nothing if it may make no call.
func (r *Runner) Tools() []prompts.Tool {
	if r.limits.Calls == 0 {
		return nil
	}
	offered, _ := r.offer.Tools(r.voice)
	return offered
}
