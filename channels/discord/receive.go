package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"familiar/channels"
	"familiar/internal/sleep"
)

const (
	// queueLength is how many events may wait; if the queue is full, the connection is not read.
	queueLength = 1024
	// The pauses before a message that was not stored is passed on again.
	firstRetry    = 50 * time.Millisecond
	maxRetryPause = 5 * time.Second
)

// event is one gateway event.
type event struct {
	kind string
	// name is the same when the event is redelivered after a resume.
	name string
	data json.RawMessage
}

// receiver passes messages to accept in order, and repeats each until it is stored.
type receiver struct {
	*shard
	accept channels.Accept
	events chan event
	// alreadyRead are the ids of messages read in the last catch-up: those sent meanwhile are in the queue as well.
	// Only process uses it.
	alreadyRead map[string]bool
	// pending holds events of channels that are not yet resolved. Only process uses it.
	pending pending
	// commandRuns tracks commands, which bypass the queue because they cannot wait.
	commandRuns sync.WaitGroup
}

func newReceiver(s *shard, accept channels.Accept) *receiver {
	return &receiver{
		shard: s, accept: accept, events: make(chan event, queueLength), alreadyRead: make(map[string]bool), pending: newPending(),
	}
}

// enqueue adds e to the queue. It blocks while the queue is full.
func (h *receiver) enqueue(ctx context.Context, e event) {
	if e.kind == "INTERACTION_CREATE" {
		h.commandRuns.Go(func() { h.onCommand(ctx, e) })
		return
	}
	select {
	case h.events <- e:
	case <-ctx.Done():
	}
}

// process handles queued events until ctx ends.
func (h *receiver) process(ctx context.Context) {
	defer h.commandRuns.Wait()
	for {
		select {
		case e := <-h.events:
			h.handle(ctx, e)
		case <-h.pending.retry:
			h.resolvePending(ctx)
		case <-ctx.Done():
			return
		}
	}
}

func (h *receiver) handle(ctx context.Context, e event) {
	switch e.kind {
	case "READY":
		h.catchUp(ctx)
	case "RESUMED":
		h.connected()
	case "GUILD_CREATE":
		decode(h, e, func(g guild) { h.learnChannels(ctx, g.channels()) })
	case "CHANNEL_CREATE", "CHANNEL_UPDATE", "THREAD_CREATE", "THREAD_UPDATE":
		decode(h, e, func(w wireChannel) { h.learnChannels(ctx, []wireChannel{w}) })
	case "MESSAGE_CREATE":
		decode(h, e, func(m message) { h.onMessage(ctx, e, m) })
	case "MESSAGE_UPDATE":
		decode(h, e, func(m message) { h.onEdit(ctx, e, m) })
	case "MESSAGE_DELETE", "MESSAGE_DELETE_BULK":
		decode(h, e, func(d deletion) { h.onDelete(ctx, e, d) })
	case "MESSAGE_REACTION_ADD", "MESSAGE_REACTION_REMOVE":
		decode(h, e, func(r reaction) { h.onReaction(ctx, e, r) })
	}
}

// decode parses the event's data and passes it to take. Parse errors are logged.
func decode[T any](h *receiver, e event, take func(T)) {
	var v T
	if err := json.Unmarshal(e.data, &v); err != nil {
		h.log.Error("parse a Discord event", "event", e.kind, "error", err)
		return
	}
	take(v)
}

// learnChannels stores what Discord reports about channels, and handles the events that waited for it.
func (h *receiver) learnChannels(ctx context.Context, all []wireChannel) {
	for _, w := range all {
		if w.complete() {
			h.chats.learn(chatOf(w))
		}
	}
	h.releaseKnown(ctx)
}

// onMessage handles a live message, unless the catch-up already read it.
func (h *receiver) onMessage(ctx context.Context, e event, m message) {
	if h.alreadyRead[m.ID] {
		return
	}
	if p, ok := h.resolve(ctx, e, m.ChannelID, m.GuildID); ok {
		h.receive(ctx, p, m)
		return
	}
	h.untilDone(ctx, "store a cursor", func() error { return h.startCursor(ctx, m.ChannelID, m) })
}

// receive handles a message, live or missed.
func (h *receiver) receive(ctx context.Context, p chat, m message) {
	m.GuildID = p.Guild
	if m.malformed {
		h.log.Error("parse a Discord message", "message", m.ID)
	}
	if p.direct() {
		h.rest.limits.reopen(p.ID) // somebody who writes may accept messages again
	}
	if self := h.identity.user(); m.Author.ID == self.ID || (m.contentWithheld() && !h.readsContent()) {
		// A reply is expected where the bot itself has written.
		if m.Author.ID == self.ID && !h.untilDone(ctx, "store a cursor", func() error { return h.startCursor(ctx, p.ID, m) }) {
			return
		}
	} else if !h.deliver(ctx, p, m, self) {
		return
	}
	h.chats.advance(p.ID, m.ID)
}

// deliver passes a message to accept until it is stored, and reports whether it is. The cursor is set first: after any
// failure the message is read again. Nothing is stored about a channel where only strangers have written.
func (h *receiver) deliver(ctx context.Context, p chat, m message, self user) bool {
	msg := convert(m, p, self, h.fetch(ctx, m, p, self))
	if !h.chats.hasCursor(p.ID) && h.host.Allows(ctx, msg) && !h.untilDone(ctx, "store a cursor", func() error { return h.startCursor(ctx, p.ID, m) }) {
		return false
	}
	return h.untilDone(ctx, "store a message", func() error {
		err := h.accept(ctx, msg)
		if err != nil { // the gate's lookup failed
			err = errors.Join(err, h.startCursor(ctx, p.ID, m))
		}
		return err
	})
}

// startCursor gives the channel with that id its first cursor, just before m.
func (h *receiver) startCursor(ctx context.Context, id string, m message) error {
	return h.chats.startCursor(ctx, id, before(m.ID))
}

// onEdit handles an edit. Discord sends the same event for added embeds and pins, with an unchanged edit time.
func (h *receiver) onEdit(ctx context.Context, e event, m message) {
	self := h.identity.user()
	if m.EditedAt == nil || m.malformed || m.Author.ID == "" || m.Author.ID == self.ID || (m.contentWithheld() && !h.readsContent()) {
		return
	}
	p, ok := h.resolve(ctx, e, m.ChannelID, m.GuildID)
	if !ok {
		return
	}
	m.GuildID = p.Guild
	msg := convertEdit(m, p, self)
	h.untilDone(ctx, "store an edit", func() error { return h.accept(ctx, msg) })
}

// onDelete handles deletions, one by one.
func (h *receiver) onDelete(ctx context.Context, e event, d deletion) {
	p, ok := h.resolve(ctx, e, d.ChannelID, d.GuildID)
	if !ok {
		return
	}
	if d.ID != "" {
		d.IDs = append(d.IDs, d.ID)
	}
	for _, id := range d.IDs {
		msg := convertDelete(id, p, h.host.Now())
		if !h.untilDone(ctx, "store a deletion", func() error { return h.accept(ctx, msg) }) {
			return
		}
	}
}

func (h *receiver) onReaction(ctx context.Context, e event, r reaction) {
	if r.UserID == h.identity.user().ID {
		return
	}
	p, ok := h.resolve(ctx, e, r.ChannelID, r.GuildID)
	if !ok {
		return
	}
	msg := convertReaction(r, e.name, e.kind == "MESSAGE_REACTION_ADD", p, h.host.Now())
	h.untilDone(ctx, "store a reaction", func() error { return h.accept(ctx, msg) })
}

// errNoParent reports a thread without a parent channel, which the gate cannot judge.
var errNoParent = errors.New("the parent channel of the thread is unknown")

// lookupChat returns what is known about a channel; an empty guild means a direct channel. For an unknown server
// channel it asks Discord: the channel may be a thread, which is judged by its parent channel.
func (h *receiver) lookupChat(ctx context.Context, id, guild string, ask func(context.Context, call, any) error) (chat, error) {
	if p, ok := h.chats.resolved(id); ok {
		return p, nil
	}
	if guild == "" {
		return h.chats.learn(chat{ID: id}), nil
	}
	var w wireChannel
	if err := ask(ctx, call{method: http.MethodGet, path: "/channels/" + id}, &w); err != nil {
		return chat{}, fmt.Errorf("ask Discord about channel %s: %w", id, err)
	}
	w.ID, w.GuildID = id, guild
	if !w.complete() {
		return chat{}, fmt.Errorf("ask Discord about channel %s: %w", id, errNoParent)
	}
	return h.chats.learn(chatOf(w)), nil
}

// untilDone repeats do until it succeeds, and reports whether it did; it fails only when ctx ends. After that it does
// nothing more: a later event must not move the cursor past a message that was not stored.
func (h *receiver) untilDone(ctx context.Context, what string, do func() error) bool {
	for pause := firstRetry; ; pause = min(2*pause, maxRetryPause) {
		if contextDone(ctx) {
			return false
		}
		err := do()
		if err == nil {
			return true
		}
		if ctx.Err() != nil {
			return false
		}
		h.log.Warn(what+" from Discord", "error", err, "retry_in", pause)
		if !sleep.For(ctx, pause) {
			return false
		}
	}
}
