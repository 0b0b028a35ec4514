package discord

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"familiar/channels"
)

const (
	// queueLength is how many events wait to be heard before the connection is read no further.
	queueLength = 1024
	// The pauses before a message that was not kept is handed over again.
	firstAgain = 50 * time.Millisecond
	lastAgain  = 5 * time.Second
)

// event is one thing the gateway told.
type event struct {
	kind string
	// name is the same when the event is told again after a resume.
	name string
	data json.RawMessage
}

// hearer hands what is heard to accept, in order, each until it is kept.
type hearer struct {
	*Channel
	accept channels.Accept
	events chan event
	// caught are the messages read in the last catching up: those said meanwhile are in line too. Only listen uses it.
	caught map[string]bool
	// asides are commands, which cannot wait in line.
	asides sync.WaitGroup
}

// put lines e up. It waits while the line is full.
func (h *hearer) put(ctx context.Context, e event) {
	if e.kind == "INTERACTION_CREATE" {
		h.asides.Go(func() { h.asked(ctx, e) })
		return
	}
	select {
	case h.events <- e:
	case <-ctx.Done():
	}
}

// listen takes what is lined up until ctx ends.
func (h *hearer) listen(ctx context.Context) {
	defer h.asides.Wait()
	for {
		select {
		case e := <-h.events:
			h.hear(ctx, e)
		case <-ctx.Done():
			return
		}
	}
}

func (h *hearer) hear(ctx context.Context, e event) {
	switch e.kind {
	case "READY":
		h.catchUp(ctx)
	case "RESUMED":
		h.connected()
	case "GUILD_CREATE":
		decode(h, e, h.learnGuild)
	case "CHANNEL_CREATE", "CHANNEL_UPDATE", "THREAD_CREATE", "THREAD_UPDATE":
		decode(h, e, func(w wireChannel) { h.places.learn(placeOf(w)) })
	case "MESSAGE_CREATE":
		decode(h, e, func(m message) {
			if !h.caught[m.ID] {
				h.said(ctx, m)
			}
		})
	case "MESSAGE_UPDATE":
		decode(h, e, func(m message) { h.edited(ctx, m) })
	case "MESSAGE_DELETE", "MESSAGE_DELETE_BULK":
		decode(h, e, func(d deletion) { h.deleted(ctx, d) })
	case "MESSAGE_REACTION_ADD", "MESSAGE_REACTION_REMOVE":
		decode(h, e, func(r reaction) { h.reacted(ctx, e, r) })
	}
}

// decode reads the event's data and hands it to take. What cannot be read is told to the operator.
func decode[T any](h *hearer, e event, take func(T)) {
	var v T
	if err := json.Unmarshal(e.data, &v); err != nil {
		h.log.Error("understand an event of Discord", "event", e.kind, "error", err)
		return
	}
	take(v)
}

func (h *hearer) learnGuild(g guild) {
	for _, all := range [][]wireChannel{g.Channels, g.Threads} {
		for _, w := range all {
			w.GuildID = g.ID
			h.places.learn(placeOf(w))
		}
	}
}

// said hears a message, live or missed.
func (h *hearer) said(ctx context.Context, m message) {
	p, ok := h.place(ctx, m.ChannelID, m.GuildID)
	if !ok {
		return
	}
	m.GuildID = p.Guild
	if p.direct() {
		h.rest.limits.forgive(p.ID) // who writes may take messages again
	}
	// The cursor is set before the message is handed over: whatever happens then, it is read again.
	if !h.insist(ctx, "keep a cursor", func() error { return h.places.begin(ctx, p.ID, before(m.ID)) }) {
		return
	}
	self := h.identity.user()
	if m.Author.ID != self.ID && (h.hearsAll() || !m.withheld()) {
		heard := convert(m, p, self, h.fetch(ctx, m, p, self))
		if !h.insist(ctx, "keep a message", func() error { return h.accept(ctx, heard) }) {
			return
		}
	}
	h.places.move(p.ID, m.ID)
}

// edited hears an edit. Discord tells the same of embeds it adds and pins: they have no new time of edit.
func (h *hearer) edited(ctx context.Context, m message) {
	self := h.identity.user()
	if m.Edited == nil || m.Author.ID == "" || m.Author.ID == self.ID || (m.withheld() && !h.hearsAll()) {
		return
	}
	p, ok := h.place(ctx, m.ChannelID, m.GuildID)
	if !ok {
		return
	}
	m.GuildID = p.Guild
	heard := convertEdit(m, p, self)
	h.insist(ctx, "keep an edit", func() error { return h.accept(ctx, heard) })
}

// deleted hears what was taken back, one by one.
func (h *hearer) deleted(ctx context.Context, d deletion) {
	p, ok := h.place(ctx, d.ChannelID, d.GuildID)
	if !ok {
		return
	}
	if d.ID != "" {
		d.IDs = append(d.IDs, d.ID)
	}
	for _, id := range d.IDs {
		heard := convertDelete(id, p, h.host.Now())
		if !h.insist(ctx, "keep a deletion", func() error { return h.accept(ctx, heard) }) {
			return
		}
	}
}

func (h *hearer) reacted(ctx context.Context, e event, r reaction) {
	if r.UserID == h.identity.user().ID {
		return
	}
	p, ok := h.place(ctx, r.ChannelID, r.GuildID)
	if !ok {
		return
	}
	heard := convertReaction(r, e.name, e.kind == "MESSAGE_REACTION_ADD", p, h.host.Now())
	h.insist(ctx, "keep a reaction", func() error { return h.accept(ctx, heard) })
}

// place is what is known of a channel, which is direct when guild is empty. Discord is asked about one of a server that
// is not known: it may be a thread. It is false when ctx ended.
func (h *hearer) place(ctx context.Context, id, guild string) (place, bool) {
	if p, ok := h.places.get(id); ok {
		return p, true
	}
	if guild == "" {
		return h.places.learn(place{ID: id}), true
	}
	w := wireChannel{}
	err := h.rest.patiently(ctx, call{method: http.MethodGet, path: "/channels/" + id}, &w)
	if ctx.Err() != nil {
		return place{}, false
	}
	if err != nil {
		h.log.Warn("ask Discord about a channel", "channel", id, "error", err)
		w.Type = 0
	}
	w.ID, w.GuildID = id, guild
	return h.places.learn(placeOf(w)), true
}

// insist does what must be done until it is done, and says whether it is: not when ctx ended. After that it does nothing
// more: a cursor moved by what came later would leave behind what was not kept.
func (h *hearer) insist(ctx context.Context, what string, do func() error) bool {
	for pause := firstAgain; ; pause = min(2*pause, lastAgain) {
		if over(ctx) {
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
		if !sleep(ctx, pause) {
			return false
		}
	}
}
