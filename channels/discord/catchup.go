package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"familiar/channels"
)

// pageSize is how many messages one call reads, the most Discord gives.
const pageSize = 100

// catchUp reads in every known channel what was said since its cursor, through the same gate as what is said now. What
// is said meanwhile waits in line.
func (h *hearer) catchUp(ctx context.Context) {
	h.report(channels.Backfilling, "", "")
	// Who does not know itself would answer itself.
	if !h.insist(ctx, "learn who the persona is", func() error { _, err := h.self(ctx); return err }) ||
		!h.insist(ctx, "look up the rooms", func() error { return h.learnRooms(ctx) }) {
		return
	}
	h.readAll(ctx)
	h.recall(ctx)
	if ctx.Err() != nil {
		return
	}
	h.syncCommands(ctx)
	if err := errors.Join(h.forgetAnswers(ctx), h.forgetPlaces(ctx)); err != nil && ctx.Err() == nil {
		h.log.Warn("tidy up after Discord", "error", err)
	}
	h.connected()
}

// readAtOnce is how many channels are read at the same time.
const readAtOnce = 4

// readAll reads every channel with a cursor, and notes what was caught.
func (h *hearer) readAll(ctx context.Context) {
	var (
		reading sync.WaitGroup
		mu      sync.Mutex
		free    = make(chan struct{}, readAtOnce)
		caught  = make(map[string]bool)
	)
	for _, p := range h.places.heard(false) {
		free <- struct{}{}
		reading.Go(func() {
			defer func() { <-free }()
			h.readMissed(ctx, p, func(id string) {
				mu.Lock()
				defer mu.Unlock()
				caught[id] = true
			})
		})
	}
	reading.Wait()
	h.caught = caught
}

// learnRooms gives every room that is known, but not here, a cursor at its newest message.
func (h *hearer) learnRooms(ctx context.Context) error {
	rooms, err := h.host.Rooms(ctx)
	if err != nil {
		return fmt.Errorf("list Discord's rooms: %w", err)
	}
	for _, room := range rooms {
		id := target(room)
		if p, ok := h.places.get(id); (ok && p.After != "") || !isID(id) {
			continue
		}
		if err := h.learnRoom(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (h *hearer) learnRoom(ctx context.Context, id string) error {
	var w wireChannel
	err := h.rest.patiently(ctx, call{method: http.MethodGet, path: "/channels/" + id}, &w)
	if err == nil && !w.whole() {
		err = errNoParent
	}
	if err != nil {
		h.log.Info("a room of Discord is not read", "channel", id, "error", err)
		return ctx.Err()
	}
	h.places.learn(placeOf(w))
	newest := w.LastMessageID
	if newest == "" {
		newest = id // nothing was said since it was made
	}
	return h.places.begin(ctx, id, newest)
}

// readMissed hears what was said in p since its cursor, oldest first, and names each message to caught.
func (h *hearer) readMissed(ctx context.Context, p place, caught func(id string)) {
	for after := p.After; ctx.Err() == nil; {
		page, err := h.page(ctx, p.ID, after)
		if err != nil {
			h.unread(ctx, p, err)
			return
		}
		for _, m := range page {
			m.ChannelID, m.GuildID = p.ID, p.Guild
			h.said(ctx, p, m)
			caught(m.ID)
			after = m.ID
		}
		if len(page) < pageSize {
			return
		}
	}
}

// unread takes in why p cannot be read. One that was deleted is forgotten.
func (h *hearer) unread(ctx context.Context, p place, err error) {
	if ctx.Err() != nil {
		return
	}
	h.log.Info("a channel of Discord is not read", "channel", p.ID, "error", err)
	if refused, ok := errors.AsType[*apiError](err); ok && refused.Code == codeUnknownChannel {
		if err := h.places.drop(ctx, p.ID); err != nil {
			h.log.Warn("forget a channel of Discord", "channel", p.ID, "error", err)
		}
	}
}

// idle is after how long a channel in which nobody spoke is forgotten, unless something is kept of it: strangers come and
// go. What is said there later on while the persona is away is not read.
const idle = 30 * 24 * time.Hour

// forgetPlaces drops the cursors of channels that are idle, and what was said there last.
func (h *hearer) forgetPlaces(ctx context.Context) error {
	rooms, err := h.host.Rooms(ctx)
	if err != nil {
		return fmt.Errorf("list Discord's rooms: %w", err)
	}
	kept := make(map[string]bool)
	for _, room := range rooms {
		kept[target(room)] = true
	}
	if err := h.places.prune(ctx, kept, snowflake(h.host.Now().Add(-idle))); err != nil {
		return err
	}
	return h.attempts.prune(ctx, kept, h.host.Now().Add(-idle))
}

// page is the first messages after a cursor, oldest first.
func (c *Channel) page(ctx context.Context, channel, after string) ([]message, error) {
	var page []message
	err := c.rest.patiently(ctx, historyCall(channel, after), &page)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(page, func(a, b message) int {
		if a.ID == b.ID {
			return 0
		}
		if newer(a.ID, b.ID) {
			return 1
		}
		return -1
	})
	return page, nil
}

func historyCall(channel, after string) call {
	return call{method: http.MethodGet, path: fmt.Sprintf("/channels/%s/messages?after=%s&limit=%d", channel, after, pageSize)}
}
