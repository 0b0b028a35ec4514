package chatapi

import (
	"context"
	"sync"

	"familiar/channels"
)

const (
	// maxWaiting is how many requests may wait at a time, maxQueued how many of them in one room: they are answered one after
	// another.
	maxWaiting, maxQueued = 512, 4
)

// desk has the requests that wait for an answer.
type desk struct {
	mu      sync.Mutex
	waiting int
	rooms   map[channels.Room]*counter
	byID    map[string]*waiter
}

// counter is a room with requests.
type counter struct {
	turn    chan struct{} // holds a token while a request of the room is served
	queued  int
	serving *waiter
}

// waiter is a request that waits for the answer to one message. Its fields are guarded by desk.mu.
type waiter struct {
	id   string
	room channels.Room
	// ahead are earlier messages of the room that are not answered yet: what is previewed may be their answer.
	ahead []string
	// soFar is the newest preview. done reports that text is the whole answer, empty for none.
	soFar, text string
	done        bool
	// changed signals a change.
	changed chan struct{}
}

func newDesk() *desk {
	return &desk{rooms: make(map[channels.Room]*counter), byID: make(map[string]*waiter)}
}

// enter waits until a request may be served in a room. leave must be called afterwards.
func (d *desk) enter(ctx context.Context, room channels.Room) (leave func(), _ *apiError) {
	d.mu.Lock()
	at := d.rooms[room]
	if at == nil {
		at = &counter{turn: make(chan struct{}, 1)}
		d.rooms[room] = at
	}
	switch {
	case d.waiting >= maxWaiting:
		d.mu.Unlock()
		return nil, errBusy
	case at.queued >= maxQueued:
		d.mu.Unlock()
		return nil, errBusyRoom
	}
	d.waiting++
	at.queued++
	d.mu.Unlock()
	out := func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.waiting--
		if at.queued--; at.queued == 0 {
			delete(d.rooms, room)
		}
	}
	select {
	case at.turn <- struct{}{}:
		return func() { <-at.turn; out() }, nil
	case <-ctx.Done():
		out()
		return nil, errStopping
	}
}

// await begins to wait for the answer to a message. The caller has entered the room.
func (d *desk) await(p plan, room channels.Room) (w *waiter, end func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	w = &waiter{id: p.exchange.ID, room: room, ahead: p.ahead, changed: make(chan struct{}, 1)}
	d.byID[w.id], d.rooms[room].serving = w, w
	return w, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.byID, w.id)
		if at := d.rooms[room]; at != nil && at.serving == w {
			at.serving = nil
		}
	}
}

// state returns how far the answer is.
func (d *desk) state(w *waiter) (soFar, text string, done bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return w.soFar, w.text, w.done
}

// answer ends the wait for the answer to a message.
func (d *desk) answer(room channels.Room, id, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if w := d.byID[id]; w != nil && w.room == room {
		w.finish(text)
	}
	d.pass(room, id)
}

// noReply ends the wait for an answer that will not come.
func (d *desk) noReply(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if w := d.byID[id]; w != nil {
		w.finish("")
	}
	for room := range d.rooms {
		d.pass(room, id)
	}
}

// pass notes that a message is no longer ahead of what is waited for.
func (d *desk) pass(room channels.Room, id string) {
	at := d.rooms[room]
	if at == nil || at.serving == nil {
		return
	}
	for i, ahead := range at.serving.ahead {
		if ahead == id {
			at.serving.ahead = append(at.serving.ahead[:i:i], at.serving.ahead[i+1:]...)
			return
		}
	}
}

// preview shows the answer so far to the request that is served in a room.
func (d *desk) preview(room channels.Room, soFar string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := d.rooms[room]
	if at == nil || at.serving == nil || at.serving.done || len(at.serving.ahead) > 0 {
		return
	}
	at.serving.soFar = soFar
	at.serving.signal()
}

func (w *waiter) finish(text string) {
	w.text, w.done = text, true
	w.signal()
}

func (w *waiter) signal() {
	select {
	case w.changed <- struct{}{}:
	default:
	}
}
