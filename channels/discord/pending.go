package discord

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"
)

const (
	// maxPending is how many events of one channel wait in memory. Beyond that only messages survive, which are read
	// again from the channel's cursor.
	maxPending = 256
	// The pauses before Discord is asked about channels again.
	firstResolvePause = time.Second
	maxResolvePause   = 2 * time.Minute
)

// pending holds events of unresolved channels: a thread is judged by its parent channel, and would be judged wrongly as
// a channel of its own. The events are handled in order once Discord has answered; until then the channel's cursor
// stays before them.
type pending struct {
	// events are in order, by channel id.
	events map[string][]event
	// retry fires when it is time to ask again; pause is the last wait.
	retry <-chan time.Time
	pause time.Duration
}

func newPending() pending { return pending{events: make(map[string][]event)} }

// resolve returns the channel in which e happened. It returns false while the channel is unresolved; e is then handled
// later.
func (h *receiver) resolve(ctx context.Context, e event, id, guild string) (chat, bool) {
	if _, waits := h.pending.events[id]; waits {
		h.releaseKnown(ctx) // a command may have resolved it
	}
	if held, waits := h.pending.events[id]; waits {
		if len(held) < maxPending {
			h.pending.events[id] = append(held, e)
		}
		return chat{}, false
	}
	p, err := h.lookupChat(ctx, id, guild, h.rest.do)
	if err == nil {
		return p, true
	}
	if !contextDone(ctx) && !h.dropIfGone(ctx, id, err) {
		h.log.Warn("postpone the events of a Discord channel", "channel", id, "error", err)
		h.addPending(chat{ID: id, Guild: guild, Unresolved: true}, e)
	}
	return chat{}, false
}

// addPending queues events of an unresolved channel until it is resolved.
func (h *receiver) addPending(p chat, events ...event) {
	h.chats.restore(p)
	h.pending.events[p.ID] = events
	h.pending.pause = firstResolvePause
	h.pending.retry = time.After(firstResolvePause)
}

// resumeUnresolved asks about the channels an earlier process could not resolve.
func (h *receiver) resumeUnresolved(ctx context.Context) {
	for _, p := range h.chats.list(true) {
		if _, waits := h.pending.events[p.ID]; !waits {
			h.addPending(p)
		}
	}
	if len(h.pending.events) > 0 {
		h.resolvePending(ctx)
	}
}

// resolvePending asks Discord about the channels with pending events.
func (h *receiver) resolvePending(ctx context.Context) {
	for _, id := range slices.Sorted(maps.Keys(h.pending.events)) {
		p, _ := h.chats.get(id)
		if _, err := h.lookupChat(ctx, id, p.Guild, h.rest.do); err != nil && !contextDone(ctx) && !h.dropIfGone(ctx, id, err) {
			h.log.Debug("ask again", "error", err)
		}
	}
	h.releaseKnown(ctx)
	h.pending.retry = nil
	if len(h.pending.events) > 0 {
		h.pending.pause = min(2*h.pending.pause, maxResolvePause)
		h.pending.retry = time.After(h.pending.pause + h.host.Jitter(h.pending.pause/4))
	}
}

// releaseKnown handles the pending events of resolved channels: first the messages, with their present text, then the
// rest.
func (h *receiver) releaseKnown(ctx context.Context) {
	for _, id := range slices.Sorted(maps.Keys(h.pending.events)) {
		p, known := h.chats.resolved(id)
		held, waits := h.pending.events[id] // handling these events may have released it
		if !known || !waits || contextDone(ctx) {
			continue
		}
		delete(h.pending.events, id)
		if p.Cursor != "" {
			h.readMissed(ctx, p, func(message string) { h.alreadyRead[message] = true })
		}
		for _, e := range held {
			h.handle(ctx, e)
		}
	}
}

// dropIfGone reports whether the channel no longer exists, and if so deletes it and its pending events.
func (h *receiver) dropIfGone(ctx context.Context, id string, err error) bool {
	refused, ok := errors.AsType[*apiError](err)
	if !ok || refused.Code != codeUnknownChannel {
		return false
	}
	h.log.Info("a Discord channel was deleted before its events were handled", "channel", id)
	delete(h.pending.events, id)
	if err := h.chats.drop(ctx, id); err != nil {
		h.log.Warn("forget a Discord channel", "channel", id, "error", err)
	}
	return true
}
