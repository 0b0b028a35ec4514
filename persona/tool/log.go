package tool

import (
	"context"
	"errors"
	"slices"
	"time"

	"familiar/memory/toolcall"
)

// log returns where calls are recorded, nil for nowhere.
func (k *Kit) log() *toolcall.Store {
	if k.desk == nil || k.desk.box == nil {
		return nil
	}
	return k.desk.box.Log
}

// now reads the clock; without one no time passes.
func (k *Kit) now() time.Time {
	if k.desk == nil || k.desk.box == nil || k.desk.box.Clock == nil {
		return time.Time{}
	}
	return k.desk.box.Clock()
}

// today returns the day that calls count for.
func (k *Kit) today() string {
	zone := k.desk.box.Zone
	if zone == nil {
		zone = time.UTC
	}
	return k.now().In(zone).Format(time.DateOnly)
}

// record returns a call of a tool as it is kept, nil for a tool that does not exist.
func (k *Kit) record(e *entry, arguments string) toolcall.Call {
	if k.log() == nil {
		return toolcall.Call{}
	}
	p := k.desk.place
	c := toolcall.Call{
		Persona: p.Persona, Person: p.Person.ID, Room: p.Room.ID, Turn: p.Turn, Arguments: arguments, Gate: string(Deny), At: k.now(),
	}
	if e != nil {
		c.Tool, c.Gate, c.Free = e.spec.Name, string(k.decide(e).Gate), slices.Contains(k.own.entries, e)
	}
	return c
}

// refuse records a call that is not made, and returns why.
func (k *Kit) refuse(ctx context.Context, c toolcall.Call, why error) error {
	if log := k.log(); log != nil {
		c.Outcome, c.Reason = toolcall.Refused, why.Error()
		if err := log.Record(ctx, c, k.today()); err != nil {
			return errNoLog
		}
	}
	return why
}

// begin records a call that is about to be made, and returns its number, or why it may not be made.
func (k *Kit) begin(ctx context.Context, e *entry, c toolcall.Call) (int64, error) {
	log := k.log()
	if log == nil {
		return 0, nil
	}
	if !c.Free {
		c.Took, c.Tokens = k.timeout(e), k.limits.Result
	}
	id, err := log.Begin(ctx, c, k.today(), k.limits.Day, e.spec.Changes)
	switch {
	case err == nil:
		return id, nil
	case errors.Is(err, toolcall.ErrDone), errors.Is(err, toolcall.ErrUnknown), errors.Is(err, toolcall.ErrCap):
		return 0, err
	}
	return 0, errNoLog
}

// outcomeOf returns how a call ended, and why.
func outcomeOf(failed error, changes bool) (toolcall.Outcome, string) {
	switch {
	case errors.Is(failed, errLeft) && changes:
		return toolcall.Unknown, failed.Error()
	case failed != nil:
		return toolcall.Failed, failed.Error()
	}
	return toolcall.Done, ""
}

// settleWithin bounds the recording of an outcome whose turn was interrupted.
const settleWithin = 10 * time.Second

// end records what became of a call of a tool that changes something, or of another.
func (k *Kit) end(ctx context.Context, c toolcall.Call, changes bool, failed error) error {
	log := k.log()
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
func (k *Kit) Called() bool { return k.calls > 0 }
