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
	// parked is what waits for Discord to say where it happened. Only listen uses it.
	parked parked
	// asides are commands, which cannot wait in line.
	asides sync.WaitGroup
}

func newHearer(c *Channel, accept channels.Accept) *hearer {
	return &hearer{
		Channel: c, accept: accept, events: make(chan event, queueLength), caught: make(map[string]bool), parked: newParked(),
	}
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
		case <-h.parked.again:
			h.askAgain(ctx)
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
		decode(h, e, func(g guild) { h.learn(ctx, g.places()) })
	case "CHANNEL_CREATE", "CHANNEL_UPDATE", "THREAD_CREATE", "THREAD_UPDATE":
		decode(h, e, func(w wireChannel) { h.learn(ctx, []wireChannel{w}) })
	case "MESSAGE_CREATE":
		decode(h, e, func(m message) { h.told(ctx, e, m) })
	case "MESSAGE_UPDATE":
		decode(h, e, func(m message) { h.edited(ctx, e, m) })
	case "MESSAGE_DELETE", "MESSAGE_DELETE_BULK":
		decode(h, e, func(d deletion) { h.deleted(ctx, e, d) })
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

// learn takes in what Discord tells of channels, and hears what waited for that.
func (h *hearer) learn(ctx context.Context, all []wireChannel) {
	for _, w := range all {
		if w.whole() {
			h.places.learn(placeOf(w))
		}
	}
	h.releaseKnown(ctx)
}

// told hears a message as it is said, unless it was read while catching up.
func (h *hearer) told(ctx context.Context, e event, m message) {
	if h.caught[m.ID] {
		return
	}
	if p, ok := h.where(ctx, e, m.ChannelID, m.GuildID); ok {
		h.said(ctx, p, m)
		return
	}
	h.insist(ctx, "keep a cursor", func() error { return h.begin(ctx, m.ChannelID, m) })
}

// said hears a message, live or missed.
func (h *hearer) said(ctx context.Context, p place, m message) {
	m.GuildID = p.Guild
	if m.unreadable {
		h.log.Error("understand a message of Discord", "message", m.ID)
	}
	if p.direct() {
		h.rest.limits.forgive(p.ID) // who writes may take messages again
	}
	if self := h.identity.user(); m.Author.ID == self.ID || (m.withheld() && !h.hearsAll()) {
		// Where it speaks itself it will be answered.
		if m.Author.ID == self.ID && !h.insist(ctx, "keep a cursor", func() error { return h.begin(ctx, p.ID, m) }) {
			return
		}
	} else if !h.keep(ctx, p, m, self) {
		return
	}
	h.places.move(p.ID, m.ID)
}

// keep hands a message over until it is kept, and says whether it is. The cursor is set before that: whatever happens
// then, the message is read again. Nothing is noted of a place in which only strangers have spoken.
func (h *hearer) keep(ctx context.Context, p place, m message, self user) bool {
	heard := convert(m, p, self, h.fetch(ctx, m, p, self))
	if !h.places.begun(p.ID) && h.host.Allows(ctx, heard) && !h.insist(ctx, "keep a cursor", func() error { return h.begin(ctx, p.ID, m) }) {
		return false
	}
	return h.insist(ctx, "keep a message", func() error {
		err := h.accept(ctx, heard)
		if err != nil { // nobody could find out whether it was a stranger's
			err = errors.Join(err, h.begin(ctx, p.ID, m))
		}
		return err
	})
}

// begin gives the place with that id its first cursor, just before m.
func (h *hearer) begin(ctx context.Context, id string, m message) error {
	return h.places.begin(ctx, id, before(m.ID))
}

// edited hears an edit. Discord tells the same of embeds it adds and pins: they have no new time of edit.
func (h *hearer) edited(ctx context.Context, e event, m message) {
	self := h.identity.user()
	if m.Edited == nil || m.unreadable || m.Author.ID == "" || m.Author.ID == self.ID || (m.withheld() && !h.hearsAll()) {
		return
	}
	p, ok := h.where(ctx, e, m.ChannelID, m.GuildID)
	if !ok {
		return
	}
	m.GuildID = p.Guild
	heard := convertEdit(m, p, self)
	h.insist(ctx, "keep an edit", func() error { return h.accept(ctx, heard) })
}

// deleted hears what was taken back, one by one.
func (h *hearer) deleted(ctx context.Context, e event, d deletion) {
	p, ok := h.where(ctx, e, d.ChannelID, d.GuildID)
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
	p, ok := h.where(ctx, e, r.ChannelID, r.GuildID)
	if !ok {
		return
	}
	heard := convertReaction(r, e.name, e.kind == "MESSAGE_REACTION_ADD", p, h.host.Now())
	h.insist(ctx, "keep a reaction", func() error { return h.accept(ctx, heard) })
}

// errNoParent is a thread that cannot be judged.
var errNoParent = errors.New("it does not say to which channel the thread belongs")

// place is what is known of a channel, which is direct when guild is empty. Discord is asked about one of a server that
// is not known: it may be a thread, which is judged by the channel it belongs to.
func (h *hearer) place(ctx context.Context, id, guild string, ask func(context.Context, call, any) error) (place, error) {
	if p, ok := h.places.sure(id); ok {
		return p, nil
	}
	if guild == "" {
		return h.places.learn(place{ID: id}), nil
	}
	var w wireChannel
	if err := ask(ctx, call{method: http.MethodGet, path: "/channels/" + id}, &w); err != nil {
		return place{}, fmt.Errorf("ask Discord what channel %s is: %w", id, err)
	}
	w.ID, w.GuildID = id, guild
	if !w.whole() {
		return place{}, fmt.Errorf("ask Discord what channel %s is: %w", id, errNoParent)
	}
	return h.places.learn(placeOf(w)), nil
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
