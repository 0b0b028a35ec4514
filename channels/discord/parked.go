package discord

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"
)

const (
	// parkedAtMost is how many events of one place wait in memory. Of any more only what was said is heard, which is read
	// behind the place's cursor.
	parkedAtMost = 256
	// The pauses before Discord is asked again what places are.
	firstAsk = time.Second
	lastAsk  = 2 * time.Minute
)

// parked are the events of places of which it is not known what they are: a thread is judged by the channel it belongs
// to, and taken for a channel it would be judged wrongly. They are heard in order once Discord has said; a place's cursor
// stays before them until then.
type parked struct {
	// events are in order, by the place's id.
	events map[string][]event
	// again comes when it is time to ask, pause after the time before.
	again <-chan time.Time
	pause time.Duration
}

func newParked() parked { return parked{events: make(map[string][]event)} }

// where is the place in which e happened. It is false while that is not known: e is heard later.
func (h *hearer) where(ctx context.Context, e event, id, guild string) (place, bool) {
	if _, waits := h.parked.events[id]; waits {
		h.releaseKnown(ctx) // a command may have made it known
	}
	if held, waits := h.parked.events[id]; waits {
		if len(held) < parkedAtMost {
			h.parked.events[id] = append(held, e)
		}
		return place{}, false
	}
	p, err := h.place(ctx, id, guild, h.rest.do)
	if err == nil {
		return p, true
	}
	if !over(ctx) && !h.lost(ctx, id, err) {
		h.log.Warn("hear what happens in a channel of Discord later", "channel", id, "error", err)
		h.park(place{ID: id, Guild: guild, Unsure: true}, e)
	}
	return place{}, false
}

// park lets what happens in a place wait, until it is asked what it is.
func (h *hearer) park(p place, events ...event) {
	h.places.restore(p)
	h.parked.events[p.ID] = events
	h.parked.pause = firstAsk
	h.parked.again = time.After(firstAsk)
}

// recall asks about the places of which another process could not learn what they are.
func (h *hearer) recall(ctx context.Context) {
	for _, p := range h.places.heard(true) {
		if _, waits := h.parked.events[p.ID]; !waits {
			h.park(p)
		}
	}
	if len(h.parked.events) > 0 {
		h.askAgain(ctx)
	}
}

// askAgain asks what the places are in which something waits to be heard.
func (h *hearer) askAgain(ctx context.Context) {
	for _, id := range slices.Sorted(maps.Keys(h.parked.events)) {
		p, _ := h.places.get(id)
		if _, err := h.place(ctx, id, p.Guild, h.rest.do); err != nil && !over(ctx) && !h.lost(ctx, id, err) {
			h.log.Debug("ask again", "error", err)
		}
	}
	h.releaseKnown(ctx)
	h.parked.again = nil
	if len(h.parked.events) > 0 {
		h.parked.pause = min(2*h.parked.pause, lastAsk)
		h.parked.again = time.After(h.parked.pause + h.host.Jitter(h.parked.pause/4))
	}
}

// releaseKnown hears what waited for places that are known now: first what was said there, as it reads by now, then the
// rest.
func (h *hearer) releaseKnown(ctx context.Context) {
	for _, id := range slices.Sorted(maps.Keys(h.parked.events)) {
		p, known := h.places.sure(id)
		held, waits := h.parked.events[id] // what is heard here may have released it
		if !known || !waits || over(ctx) {
			continue
		}
		delete(h.parked.events, id)
		if p.After != "" {
			h.readMissed(ctx, p, func(message string) { h.caught[message] = true })
		}
		for _, e := range held {
			h.hear(ctx, e)
		}
	}
}

// lost says that the place is gone, and forgets it with what waited there.
func (h *hearer) lost(ctx context.Context, id string, err error) bool {
	refused, ok := errors.AsType[*apiError](err)
	if !ok || refused.Code != codeUnknownChannel {
		return false
	}
	h.log.Info("a channel of Discord is gone before it was heard", "channel", id)
	delete(h.parked.events, id)
	if err := h.places.drop(ctx, id); err != nil {
		h.log.Warn("forget a channel of Discord", "channel", id, "error", err)
	}
	return true
}
