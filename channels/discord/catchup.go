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

// pageSize is the number of messages per call, Discord's maximum.
const pageSize = 100

// catchUp reads the messages in every known channel of the shard since its cursor and handles them like live messages. Live
// events wait in the queue meanwhile.
func (h *receiver) catchUp(ctx context.Context) {
	h.report(channels.Backfilling, "", "")
	// Without knowing its own account the bot would answer itself.
	if !h.untilDone(ctx, "look up the bot's account", func() error { _, err := h.self(ctx); return err }) ||
		!h.untilDone(ctx, "look up the rooms", func() error { return h.startUnreadRooms(ctx) }) {
		return
	}
	h.readAll(ctx)
	h.resumeUnresolved(ctx)
	if ctx.Err() != nil {
		return
	}
	if h.first() {
		h.syncCommands(ctx)
	}
	if err := h.prune(ctx); err != nil && ctx.Err() == nil {
		h.log.Warn("delete old Discord state", "error", err)
	}
	h.connected()
}

// readConcurrency is how many channels are read at the same time.
const readConcurrency = 4

// readAll reads every channel that has a cursor, and records the messages read.
func (h *receiver) readAll(ctx context.Context) {
	var (
		reading sync.WaitGroup
		mu      sync.Mutex
		free    = make(chan struct{}, readConcurrency)
		caught  = make(map[string]bool)
	)
	for _, p := range h.chats.list(false) {
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
	h.alreadyRead = caught
}

// startUnreadRooms gives every stored room of the shard without a cursor one at its newest message.
func (h *receiver) startUnreadRooms(ctx context.Context) error {
	rooms, err := h.host.Rooms(ctx)
	if err != nil {
		return fmt.Errorf("list the Discord rooms: %w", err)
	}
	for _, room := range rooms {
		id := target(room)
		p, known := h.chats.get(id)
		if p.Cursor != "" || !isID(id) || known && !h.chats.owns(p.Guild) {
			continue
		}
		if err := h.startUnreadRoom(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (h *receiver) startUnreadRoom(ctx context.Context, id string) error {
	var w wireChannel
	err := h.rest.doRetrying(ctx, call{method: http.MethodGet, path: "/channels/" + id}, &w)
	if err == nil && !w.complete() {
		err = errNoParent
	}
	if err != nil {
		h.log.Info("cannot read a Discord room", "channel", id, "error", err)
		return ctx.Err()
	}
	if p := h.chats.learn(chatOf(w)); !h.chats.owns(p.Guild) {
		return nil
	}
	newest := w.LastMessageID
	if newest == "" {
		newest = id // no message since the channel was created
	}
	return h.chats.startCursor(ctx, id, newest)
}

// readMissed handles the messages in p since its cursor, oldest first, and passes each id to caught.
func (h *receiver) readMissed(ctx context.Context, p chat, caught func(id string)) {
	for after := p.Cursor; ctx.Err() == nil; {
		page, err := h.page(ctx, p.ID, after)
		if err != nil {
			h.readFailed(ctx, p, err)
			return
		}
		for _, m := range page {
			m.ChannelID, m.GuildID = p.ID, p.Guild
			h.receive(ctx, p, m)
			caught(m.ID)
			after = m.ID
		}
		if len(page) < pageSize {
			return
		}
	}
}

// readFailed handles an error while reading p. A deleted channel is forgotten.
func (h *receiver) readFailed(ctx context.Context, p chat, err error) {
	if ctx.Err() != nil {
		return
	}
	h.log.Info("cannot read a Discord channel", "channel", p.ID, "error", err)
	if refused, ok := errors.AsType[*apiError](err); ok && refused.Code == codeUnknownChannel {
		if err := h.chats.drop(ctx, p.ID); err != nil {
			h.log.Warn("forget a Discord channel", "channel", p.ID, "error", err)
		}
	}
}

// idleAfter is when a channel without messages is forgotten, unless the store knows its room: strangers come and go.
// Messages sent there later, while the bot is offline, are not read.
const idleAfter = 30 * 24 * time.Hour

// prune deletes the cursors of the shard's idle channels, which no other knows as well. The first shard deletes what is left of sends.
func (h *receiver) prune(ctx context.Context) error {
	rooms, err := h.host.Rooms(ctx)
	if err != nil {
		return fmt.Errorf("list the Discord rooms: %w", err)
	}
	kept := make(map[string]bool)
	for _, room := range rooms {
		kept[target(room)] = true
	}
	if err := h.chats.prune(ctx, kept, snowflake(h.host.Now().Add(-idleAfter))); err != nil {
		return err
	}
	if !h.first() {
		return nil
	}
	return errors.Join(h.pruneReplies(ctx), h.attempts.prune(ctx, kept, h.host.Now().Add(-idleAfter)))
}

// page returns the first messages after a cursor, oldest first.
func (c *Channel) page(ctx context.Context, channel, after string) ([]message, error) {
	var page []message
	err := c.rest.doRetrying(ctx, historyCall(channel, after), &page)
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
