package modelvoice

import (
	"context"

	"familiar/memory/budget"
	"familiar/persona/scene"
)

// Informer words what a person is told about a cap: that little is left of it or, with out, that it is used up, for this
// day or this month. It returns "" where nothing should be said.
type Informer interface {
	CapNotice(s scene.Scene, out, monthly bool) string
}

// lowShare is the share of a cap at which little is left.
const lowShare = 0.1

// Informing returns voice with a line below a reply when little is left of a cap that bounds its person, and another
// below the first reply that another voice gave because the cap is used up. Each is said once per person and day, or
// month.
func Informing(voice scene.Voice, meter Meter, words Informer) scene.Voice {
	return informing{voice, meter, words}
}

type informing struct {
	scene.Voice
	meter Meter
	words Informer
}

// notice is something a person is told about a cap.
type notice struct{ out, monthly bool }

// key returns what the store keeps about a notice given on day.
func (n notice) key(day string) (kind, period string) {
	kind, period = "low", day
	if n.out {
		kind = "out"
	}
	if n.monthly {
		return kind + " month", day[:len("2006-01")]
	}
	return kind + " day", period
}

// Reply implements scene.Voice. A reply is never lost over a notice.
func (i informing) Reply(ctx context.Context, s scene.Scene, show func(soFar string)) (scene.Reply, error) {
	reply, err := i.Voice.Reply(ctx, s, show)
	unasked := s.Greeting != nil && s.Greeting.Proactive
	if err != nil || reply.Text == "" || unasked || s.Person.ID == 0 || i.meter.Caps == (budget.Caps{}) {
		return reply, err
	}
	day := i.meter.today()
	n, ok := i.due(ctx, s, day, reply)
	if !ok {
		return reply, nil
	}
	line := i.words.CapNotice(s, n.out, n.monthly)
	if line == "" || ctx.Err() != nil { // an interrupted turn is taken again: it is said then
		return reply, nil //nolint:nilerr // the reply is complete
	}
	kind, period := n.key(day)
	if first, failed := i.meter.Store.Budget.Notice(ctx, s.Person.ID, kind, period); failed == nil && first {
		reply.Text += "\n\n" + line
		if show != nil {
			show(reply.Text)
		}
	}
	return reply, nil
}

// due returns what the person should be told now, if anything.
func (i informing) due(ctx context.Context, s scene.Scene, day string, reply scene.Reply) (notice, bool) {
	person := s.Person.ID
	switch kindOf(reply.Fault) {
	case overCap:
		return i.untold(ctx, person, day, notice{out: true})
	case overMonthCap:
		return i.untold(ctx, person, day, notice{out: true, monthly: true})
	}
	if reply.Fault != "" {
		return notice{}, false
	}
	uses, err := i.meter.Store.Budget.Standing(ctx, i.meter.Caps, day, person, s.Room)
	if err != nil {
		return notice{}, false
	}
	for _, u := range uses {
		if u.Cap <= 0 || float64(u.Left()) > lowShare*float64(u.Cap) {
			continue
		}
		if _, untold := i.untold(ctx, person, day, notice{out: true, monthly: u.Monthly}); !untold {
			continue // it was used up already
		}
		if n, ok := i.untold(ctx, person, day, notice{monthly: u.Monthly}); ok {
			return n, true
		}
	}
	return notice{}, false
}

// untold returns n and whether the person has not been told it yet.
func (i informing) untold(ctx context.Context, person int64, day string, n notice) (notice, bool) {
	kind, period := n.key(day)
	told, err := i.meter.Store.Budget.Noticed(ctx, person, kind, period)
	return n, err == nil && !told
}
