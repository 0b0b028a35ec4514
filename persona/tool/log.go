package tool

import (
	"context"
	"errors"
	"slices"
	"time"

	"familiar/memory/toolcall"
)

// log returns where calls are recorded, nil for nowhere.
func (r *Runner) log() *toolcall.Store {
	if r.offer == nil || r.offer.registry == nil {
		return nil
	}
	return r.offer.registry.Log
}

// now reads the clock; without one no time passes.
func (r *Runner) now() time.Time {
	if r.offer == nil || r.offer.registry == nil || r.offer.registry.Clock == nil {
		return time.Time{}
	}
	return r.offer.registry.Clock()
}

// today returns the day that calls count for.
func (r *Runner) today() string {
	zone := r.offer.registry.Zone
	if zone == nil {
		zone = time.UTC
	}
	return r.now().In(zone).Format(time.DateOnly)
}

// record returns a call of a tool as it is kept, nil for a tool that does not exist.
func (r *Runner) record(e *entry, arguments string) toolcall.Call {
	if r.log() == nil {
		return toolcall.Call{}
	}
	p := r.offer.place
	c := toolcall.Call{
		Persona: p.Persona, Person: p.Person.ID, Room: p.Room.ID, Turn: p.Turn, Arguments: arguments, Gate: string(Deny), At: r.now(), Parent: r.parent,
	}
	if e != nil {
		c.Tool, c.Gate, c.Free = e.spec.Name, string(r.decide(e).Gate), slices.Contains(r.voice.entries, e)
	}
	return c
}

// refuse records a call that is not made, and returns why.
func (r *Runner) refuse(ctx context.Context, c toolcall.Call, why error) error {
	if log := r.log(); log != nil {
		c.Outcome, c.Reason = toolcall.Refused, why.Error()
		if err := log.Record(ctx, c, r.today()); err != nil {
			return errNoLog
		}
	}
	return why
}

// begin records a call that is about to be made, and returns its number, or why it may not be made.
func (r *Runner) begin(ctx context.Context, e *entry, c toolcall.Call) (int64, error) {
	log := r.log()
	if log == nil {
		return 0, nil
	}
	if !c.Free {
		c.Took, c.Tokens = r.reserve(e)
	}
	id, err := log.Begin(ctx, c, r.today(), r.limits.Day, e.spec.Changes)
	switch {
	case err == nil:
		return id, nil
	case errors.Is(err, toolcall.ErrDone), errors.Is(err, toolcall.ErrUnknown), errors.Is(err, toolcall.ErrCap):
		return 0, err
	}
	return 0, errNoLog
}

// reserve returns the most that a call of a tool may take.
func (r *Runner) reserve(e *entry) (time.Duration, int) {
	return r.timeout(e), r.limits.Result + e.spec.Tokens
}

// outcomeOf returns how a call ended, and why.
func outcomeOf(failed error, changes bool) (toolcall.Outcome, string) {
	switch {
	case errors.Is(failed, errAbandoned) && changes:
		return toolcall.Unknown, failed.Error()
	case failed != nil:
		return toolcall.Failed, failed.Error()
	}
	return toolcall.Done, ""
}

// settleWithin bounds the recording of an outcome whose turn was interrupted.
const settleWithin = 10 * time.Second

// end records what became of a call of a tool that changes something, or of another.
func (r *Runner) end(ctx context.Context, c toolcall.Call, changes bool, failed error) error {
	log := r.log()
	if log == nil {
		return nil
	}
	c.Outcome, c.Reason = outcomeOf(failed, changes)
	settling, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleWithin)
	defer cancel()
	if err := log.End(settling, c); err != nil {
		return errNoLog
	}
	return nil
}

// Called reports whether anything was called or refused.
func (r *Runner) Called() bool { return r.calls > 0 }
