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

// place is one channel of Discord: a direct one, one of a server, or a thread.
type place struct {
	ID string `json:"-"`
	// Parent is the channel a thread belongs to, empty for what is no thread.
	Parent string `json:"parent,omitempty"`
	// Guild is the server, empty for a direct channel.
	Guild string `json:"guild,omitempty"`
	Title string `json:"title,omitempty"`
	// After is the newest message that was dealt with, empty while none was heard.
	After string `json:"after"`
	// Unsure says that Discord could not be asked what it is. Nothing in it is heard until it can.
	Unsure bool `json:"unsure,omitempty"`
}

func (p place) room() channels.Room {
	if p.Parent != "" {
		return channels.Room{Channel: name, ID: p.Parent, Thread: p.ID}
	}
	return channels.Room{Channel: name, ID: p.ID}
}

func (p place) direct() bool { return p.Guild == "" }

// placeOf is the place w describes.
func placeOf(w wireChannel) place {
	p := place{ID: w.ID, Guild: w.GuildID, Title: w.Name}
	switch {
	case w.thread():
		p.Parent = w.ParentID
	case w.Type == typeDM:
		p.Guild, p.Title = "", ""
	}
	return p
}

// shelved begins the shelf's keys of places; what follows is the channel's id.
const shelved = "channel/"

// places are the channels that are known. Those in which something was heard are on the shelf, with the cursor from
// which what was missed is read. The first cursor of a channel is on disk before its first message is handed over;
// later ones follow in flush, so that the cursor may lag and never leads.
type places struct {
	shelf channels.StateStore
	mu    sync.Mutex
	known map[string]place
	// dirty are those whose cursor moved since it was written.
	dirty map[string]bool
}

func newPlaces(shelf channels.StateStore) *places {
	return &places{shelf: shelf, known: make(map[string]place), dirty: make(map[string]bool)}
}

// load reads what the shelf keeps.
func (ps *places) load(ctx context.Context) error {
	keys, err := ps.shelf.Keys(ctx, shelved)
	if err != nil {
		return fmt.Errorf("read Discord's cursors: %w", err)
	}
	for _, key := range keys {
		value, err := ps.shelf.Get(ctx, key)
		if errors.Is(err, channels.ErrNotFound) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read Discord's cursor %s: %w", key, err)
		}
		var p place
		if err := json.Unmarshal([]byte(value), &p); err != nil {
			return fmt.Errorf("read Discord's cursor %s: %w", key, err)
		}
		p.ID = strings.TrimPrefix(key, shelved)
		ps.restore(p)
	}
	return nil
}

// restore takes p as it was kept, unless more is known already.
func (ps *places) restore(p place) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if _, ok := ps.known[p.ID]; !ok {
		ps.known[p.ID] = p
	}
}

func (ps *places) get(id string) (place, bool) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p, ok := ps.known[id]
	return p, ok
}

// sure is a place of which it is known what it is.
func (ps *places) sure(id string) (place, bool) {
	p, ok := ps.get(id)
	return p, ok && !p.Unsure
}

// begun says that the place has a cursor.
func (ps *places) begun(id string) bool {
	p, _ := ps.get(id)
	return p.After != ""
}

// learn takes in what p is, and keeps its cursor.
func (ps *places) learn(p place) place {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p.After = ps.known[p.ID].After
	ps.known[p.ID] = p
	return p
}

// begin gives the place its first cursor, on disk. It does nothing when it has one.
func (ps *places) begin(ctx context.Context, id, after string) error {
	p, ok := ps.get(id)
	if !ok || p.After != "" {
		return nil
	}
	p.After = after
	if err := ps.put(ctx, p); err != nil {
		return err
	}
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p = ps.known[id] // which may be known better by now
	p.After = after
	ps.known[id] = p
	return nil
}

// move says that message was dealt with.
func (ps *places) move(id, message string) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if p := ps.known[id]; p.After != "" && newer(message, p.After) {
		p.After = message
		ps.known[id] = p
		ps.dirty[id] = true
	}
}

// heard are the places with a cursor, in the order of their ids; unsure are those of which it is not known what they are,
// without which the others are meant.
func (ps *places) heard(unsure bool) []place {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	var all []place
	for _, p := range ps.known {
		if p.After != "" && p.Unsure == unsure {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b place) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// flush writes the cursors that moved.
func (ps *places) flush(ctx context.Context) error {
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

// drop forgets a place.
func (ps *places) drop(ctx context.Context, id string) error {
	ps.mu.Lock()
	delete(ps.known, id)
	delete(ps.dirty, id)
	ps.mu.Unlock()
	return ps.shelf.Delete(ctx, shelved+id)
}

// prune forgets the places whose cursors are older than the message oldest, but for those that are kept.
func (ps *places) prune(ctx context.Context, kept map[string]bool, oldest string) error {
	for _, p := range slices.Concat(ps.heard(false), ps.heard(true)) {
		if kept[p.ID] || !newer(oldest, p.After) {
			continue
		}
		if err := ps.drop(ctx, p.ID); err != nil {
			return fmt.Errorf("forget Discord's cursor of channel %s: %w", p.ID, err)
		}
	}
	return nil
}

func (ps *places) takeDirty() []place {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	var moved []place
	for id := range ps.dirty {
		moved = append(moved, ps.known[id])
	}
	clear(ps.dirty)
	return moved
}

func (ps *places) put(ctx context.Context, p place) error {
	value, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("write Discord's cursor of channel %s: %w", p.ID, err)
	}
	if err := ps.shelf.Put(ctx, shelved+p.ID, string(value)); err != nil {
		return fmt.Errorf("keep Discord's cursor of channel %s: %w", p.ID, err)
	}
	return nil
}
