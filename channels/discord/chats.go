package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"familiar/channels"
)

// chat is one Discord channel: a direct channel, a server channel or a thread.
type chat struct {
	ID string `json:"-"`
	// Parent is the channel a thread belongs to, empty for other channels.
	Parent string `json:"parent,omitempty"`
	// Guild is the server, empty for a direct channel.
	Guild string `json:"guild,omitempty"`
	Title string `json:"title,omitempty"`
	// Cursor is the newest handled message, empty if there is none. The JSON keys are stored and must not change.
	Cursor string `json:"after"`
	// Unresolved reports that Discord could not be asked what the channel is. Its messages wait until it can.
	Unresolved bool `json:"unsure,omitempty"`
}

func (p chat) room() channels.Room {
	if p.Parent != "" {
		return channels.Room{Channel: name, ID: p.Parent, Thread: p.ID}
	}
	return channels.Room{Channel: name, ID: p.ID}
}

func (p chat) direct() bool { return p.Guild == "" }

// chatOf returns the chat described by w.
func chatOf(w wireChannel) chat {
	p := chat{ID: w.ID, Guild: w.GuildID, Title: w.Name}
	switch {
	case w.isThread():
		p.Parent = w.ParentID
	case w.Type == typeDM:
		p.Guild, p.Title = "", ""
	}
	return p
}

// chatPrefix starts the state store keys of chats, followed by the channel's id.
const chatPrefix = "channel/"

// chats holds the known channels. Those with received messages are in the state store, with a cursor for reading missed
// messages. The first cursor of a channel is on disk before its first message is passed on; later ones are written by
// flush. A stored cursor may lag behind but is never ahead.
//
// All shards know all chats that were stored when they began. owns reports whether a chat's server belongs to the shard, which
// reads, writes and prunes only its own.
type chats struct {
	store channels.StateStore
	owns  func(guild string) bool
	mu    sync.Mutex
	known map[string]chat
	// dirty are the chats whose cursor moved since the last write.
	dirty map[string]bool
}

func newChats(store channels.StateStore, owns func(guild string) bool) *chats {
	return &chats{store: store, owns: owns, known: make(map[string]chat), dirty: make(map[string]bool)}
}

// load reads the state store, and forgets what was known.
func (ps *chats) load(ctx context.Context) error {
	ps.mu.Lock()
	clear(ps.known)
	clear(ps.dirty)
	ps.mu.Unlock()
	keys, err := ps.store.Keys(ctx, chatPrefix)
	if err != nil {
		return fmt.Errorf("read the Discord cursors: %w", err)
	}
	for _, key := range keys {
		value, err := ps.store.Get(ctx, key)
		if errors.Is(err, channels.ErrNotFound) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read the Discord cursor %s: %w", key, err)
		}
		var p chat
		if err := json.Unmarshal([]byte(value), &p); err != nil {
			return fmt.Errorf("read the Discord cursor %s: %w", key, err)
		}
		p.ID = strings.TrimPrefix(key, chatPrefix)
		ps.restore(p)
	}
	return nil
}

// restore adds a stored chat, unless more is already known about it.
func (ps *chats) restore(p chat) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if _, ok := ps.known[p.ID]; !ok {
		ps.known[p.ID] = p
	}
}

func (ps *chats) get(id string) (chat, bool) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p, ok := ps.known[id]
	return p, ok
}

// resolved returns a chat if it is known and resolved.
func (ps *chats) resolved(id string) (chat, bool) {
	p, ok := ps.get(id)
	return p, ok && !p.Unresolved
}

// hasCursor reports whether the chat has a cursor.
func (ps *chats) hasCursor(id string) bool {
	p, _ := ps.get(id)
	return p.Cursor != ""
}

// learn stores the facts about p and keeps its cursor.
func (ps *chats) learn(p chat) chat {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p.Cursor = ps.known[p.ID].Cursor
	ps.known[p.ID] = p
	return p
}

// startCursor gives the chat its first cursor, on disk. It does nothing if there is one.
func (ps *chats) startCursor(ctx context.Context, id, after string) error {
	p, ok := ps.get(id)
	if !ok || p.Cursor != "" {
		return nil
	}
	p.Cursor = after
	if err := ps.put(ctx, p); err != nil {
		return err
	}
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p = ps.known[id] // it may have changed meanwhile
	p.Cursor = after
	ps.known[id] = p
	return nil
}

// advance notes that message was handled.
func (ps *chats) advance(id, message string) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if p := ps.known[id]; p.Cursor != "" && newer(message, p.Cursor) {
		p.Cursor = message
		ps.known[id] = p
		ps.dirty[id] = true
	}
}

// list returns the shard's chats with a cursor, sorted by id: the unresolved ones or the others.
func (ps *chats) list(unsure bool) []chat {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	var all []chat
	for _, p := range ps.known {
		if p.Cursor != "" && p.Unresolved == unsure && ps.owns(p.Guild) {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b chat) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// flush writes the cursors that moved.
func (ps *chats) flush(ctx context.Context) error {
	var failed error
	for _, p := range ps.takeDirty() {
		if err := ps.put(ctx, p); err != nil {
			failed = err
			ps.mu.Lock()
			ps.dirty[p.ID] = true
			ps.mu.Unlock()
		}
	}
	return failed
}

// drop deletes a chat.
func (ps *chats) drop(ctx context.Context, id string) error {
	ps.mu.Lock()
	delete(ps.known, id)
	delete(ps.dirty, id)
	ps.mu.Unlock()
	return ps.store.Delete(ctx, chatPrefix+id)
}

// prune deletes the shard's chats whose cursors are older than the message oldest, except those listed in kept.
func (ps *chats) prune(ctx context.Context, kept map[string]bool, oldest string) error {
	for _, p := range slices.Concat(ps.list(false), ps.list(true)) {
		if kept[p.ID] || !newer(oldest, p.Cursor) {
			continue
		}
		if err := ps.drop(ctx, p.ID); err != nil {
			return fmt.Errorf("delete the Discord cursor of channel %s: %w", p.ID, err)
		}
	}
	return nil
}

func (ps *chats) takeDirty() []chat {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	var moved []chat
	for id := range ps.dirty {
		moved = append(moved, ps.known[id])
	}
	clear(ps.dirty)
	return moved
}

func (ps *chats) put(ctx context.Context, p chat) error {
	value, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("encode the Discord cursor of channel %s: %w", p.ID, err)
	}
	if err := ps.store.Put(ctx, chatPrefix+p.ID, string(value)); err != nil {
		return fmt.Errorf("store the Discord cursor of channel %s: %w", p.ID, err)
	}
	return nil
}
