package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"familiar/channels"
	"familiar/internal/sleep"
	"familiar/memory/internal/db"
)

// Member is this process as one of the fleet. Its methods are safe for concurrent use.
type Member struct {
	db    *db.DB
	place *db.Membership
	// joined is closed when place is set.
	joined chan struct{}
	wg     sync.WaitGroup

	mu     sync.Mutex
	leases map[string]*lease
	local  func(room channels.Room) bool
	// changed is closed, and replaced, when something may have become free.
	changed chan struct{}
	hear    func(Wake)
}

func newMember(d *db.DB) *Member {
	return &Member{db: d, joined: make(chan struct{}), leases: map[string]*lease{}, changed: make(chan struct{}), hear: func(Wake) {}}
}

// Wake is what other processes tell the one that answers in a room.
type Wake struct {
	// Room is where something waits. The zero value stands for all rooms: any may have become this process' own.
	Room channels.Room `json:"room,omitzero"`
	// Stop reports that somebody asked for silence, and Changed names the message that was changed or deleted. Both are for a reply
	// that is being made.
	Stop    bool   `json:"stop,omitzero"`
	Changed string `json:"changed,omitzero"`
	// Send reports that a message is queued for the room.
	Send bool `json:"send,omitzero"`
}

// note is what processes tell each other.
type note struct {
	Kind kind          `json:"kind"`
	Room channels.Room `json:"room,omitzero"`
	Wake *Wake         `json:"wake,omitzero"`
}

type kind string

const (
	wants kind = "wants" // the sender wants a room
	free  kind = "free"  // the sender gave up a lease
	wakes kind = "wake"  // something waits
)

// maxNote is the longest note in bytes. The server takes less than 8000.
const maxNote = 7000

// send tells the other processes.
func (m *Member) send(n note) {
	text, err := json.Marshal(n)
	if err != nil || len(text) > maxNote {
		return // the queues are looked through regularly
	}
	m.place.Tell(string(text))
}

// Tell wakes the process that answers in a room, if that is another one.
func (m *Member) Tell(w Wake) {
	if m != nil {
		m.send(note{Kind: wakes, Wake: &w})
	}
}

// Serve announces the channels to which this process can send, and has hear called with what the others tell. local reports the rooms
// that only this process can reach, and may be nil.
func (m *Member) Serve(local func(room channels.Room) bool, hear func(Wake), channels ...string) {
	if m == nil {
		return
	}
	m.mu.Lock()
	m.local, m.hear = local, hear
	m.mu.Unlock()
	m.Announce(channels...)
}

// Announce sets the channels to which this process can send; none are announced before it stops, so that others take over.
func (m *Member) Announce(channels ...string) {
	if m != nil {
		m.place.Announce(strings.Join(channels, " "))
	}
}

// Answers reports whether this process answers in a room, or should.
func (m *Member) Answers(room channels.Room) bool {
	if m == nil {
		return true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.leases[roomLease(room)]
	return l != nil && !l.wanted || m.local != nil && m.local(room) || m.prefers(room)
}

// Await waits until this process surely is one of the fleet. It fails with ErrGone if it no longer is.
func (m *Member) Await(ctx context.Context) error {
	if m == nil {
		return nil
	}
	select {
	case <-m.place.Lost(): // also if it was valid until now
		return ErrGone
	default:
	}
	select {
	case <-m.place.Lost():
		return ErrGone
	case <-m.place.Valid():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Sure reports whether this process surely is one of the fleet now.
func (m *Member) Sure() bool {
	if m == nil {
		return true
	}
	select {
	case <-m.place.Valid():
		return true
	default:
		return false
	}
}

// Skew returns how far the clock is ahead of that of the server, negative if it is behind.
func (m *Member) Skew() time.Duration {
	if m == nil {
		return 0
	}
	return m.place.Skew()
}

// Holds returns how many leases this process holds.
func (m *Member) Holds() int {
	if m == nil {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.leases)
}

// Peers returns how many processes answer from the memory, this one included.
func (m *Member) Peers() int {
	if m == nil {
		return 1
	}
	return len(m.place.Peers())
}

// Lost returns what is closed when this process is no longer one of the fleet, nil if it is alone.
func (m *Member) Lost() <-chan struct{} {
	if m == nil {
		return nil
	}
	return m.place.Lost()
}

// lookAgain is how often a process looks whether a lease that it wants is free, in case that it was not told.
const lookAgain = time.Second

// While runs do whenever this process holds a lease of that name, one process after the other, until ctx ends or do returns. The context
// of do ends when this process is no longer surely one of the fleet; then do is run again once it is, or by another process.
func (m *Member) While(ctx context.Context, name string, do func(ctx context.Context) error) error {
	if m == nil {
		return do(ctx)
	}
	for ctx.Err() == nil {
		changed := m.nextChange()
		held, err := m.hold(ctx, name, channels.Room{})
		switch {
		case err != nil && ctx.Err() == nil && !errors.Is(err, ErrGone):
			sleep.For(ctx, lookAgain)
		case err != nil:
			return err
		case !held:
			select {
			case <-changed:
			case <-time.After(lookAgain):
			case <-ctx.Done():
			}
		default:
			if err, over := m.runWhile(ctx, name, do); over {
				return err
			}
		}
	}
	return ctx.Err()
}

// Try runs do if no other process that lives holds a lease of that name. It reports whether it did. It takes some seconds if the
// holder was killed.
func (m *Member) Try(ctx context.Context, name string, do func() error) (done bool, err error) {
	if m == nil {
		return true, do()
	}
	held, err := m.outlive(ctx, name)
	if err != nil || !held {
		return false, err
	}
	defer m.release(name)
	return true, do()
}

// outlive takes a lease, unless its holder is heard of meanwhile.
func (m *Member) outlive(ctx context.Context, name string) (held bool, err error) {
	var heard time.Time
	for {
		if held, err = m.hold(ctx, name, channels.Room{}); err != nil || held {
			return held, err
		}
		last, err := m.db.Heard(ctx, name)
		switch {
		case err != nil:
			return false, fmt.Errorf("read who holds %q: %w", name, err)
		case heard.IsZero():
			heard = last
		case last.After(heard):
			return false, nil
		}
		if !sleep.For(ctx, watchEvery) {
			return false, ctx.Err()
		}
	}
}

// Take runs do once while this process holds a lease of that name, unless another one holds it, and reports whether it did. The context
// of do ends when this process is no longer surely one of the fleet.
func (m *Member) Take(ctx context.Context, name string, do func(ctx context.Context) error) (held bool, err error) {
	if m == nil {
		return true, do(ctx)
	}
	held, err = m.hold(ctx, name, channels.Room{})
	if err != nil || !held {
		return false, err
	}
	err, _ = m.runWhile(ctx, name, do)
	return true, err
}

// Taken returns what follows prefix in the names of the leases that some process holds, except those that this one holds in vain because
// it could not give them up.
func (m *Member) Taken(ctx context.Context, prefix string) ([]string, error) {
	if m == nil {
		return nil, nil
	}
	names, err := m.db.Leases(ctx, prefix)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var taken []string
	for _, name := range names {
		if l := m.leases[name]; l == nil || l.uses > 0 || l.changing != nil {
			taken = append(taken, strings.TrimPrefix(name, prefix))
		}
	}
	return taken, nil
}

// Changed returns what is closed when a lease may have become free. A note of it may be lost.
func (m *Member) Changed() <-chan struct{} {
	if m == nil {
		return nil
	}
	return m.nextChange()
}

// runWhile runs do while a lease is held. It reports whether do is over, and not only interrupted.
func (m *Member) runWhile(ctx context.Context, name string, do func(ctx context.Context) error) (err error, over bool) { //nolint:revive // the error is do's
	defer m.release(name)
	held, end := context.WithCancel(ctx)
	defer end()
	go m.watch(held, end)
	err = do(held)
	return err, ctx.Err() != nil || held.Err() == nil
}

// watch calls end when this process is no longer surely one of the fleet.
func (m *Member) watch(ctx context.Context, end context.CancelFunc) {
	for sleep.For(ctx, watchEvery) {
		if !m.Sure() {
			end()
			return
		}
	}
}

// watchEvery is how often it is looked whether this process is one of the fleet.
const watchEvery = 100 * time.Millisecond

// nextChange returns what is closed when something may have become free.
func (m *Member) nextChange() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.changed
}

// noteChange wakes those who wait for something to become free. The caller holds mu.
func (m *Member) noteChange() {
	close(m.changed)
	m.changed = make(chan struct{})
}

// take takes a note of another process.
func (m *Member) take(text string) {
	var n note
	if !m.hasJoined() || json.Unmarshal([]byte(text), &n) != nil {
		return // or the note is of another version
	}
	m.mu.Lock()
	hear := m.hear
	switch n.Kind {
	case wants:
		m.asked(n.Room)
		hear = nil
	case free:
		m.noteChange()
		n.Wake = &Wake{Room: n.Room, Send: true}
		if n.Room == (channels.Room{}) {
			hear = nil
		}
	case wakes:
	}
	m.mu.Unlock()
	if hear != nil && n.Wake != nil {
		hear(*n.Wake)
	}
}

func (m *Member) hasJoined() bool {
	select {
	case <-m.joined:
		return true
	default:
		return false
	}
}

// asked notes that another process wants a room. The caller holds mu.
func (m *Member) asked(room channels.Room) {
	name := roomLease(room)
	l := m.leases[name]
	if l == nil {
		return
	}
	l.wanted = true
	if l.uses == 0 && l.changing == nil {
		m.giveUp(name)
	}
}

// regroup is called when processes came or went, or notes may have been missed: rooms may be to give up or to take over.
func (m *Member) regroup() {
	if !m.hasJoined() {
		return
	}
	m.mu.Lock()
	var others []string
	for name, l := range m.leases {
		if l.uses == 0 && l.changing == nil && m.surrenders(l) {
			others = append(others, name)
		}
	}
	if slices.Sort(others); len(others) > 0 {
		m.giveUp(others...)
	}
	m.noteChange()
	hear := m.hear
	m.mu.Unlock()
	hear(Wake{})
}

// Leave gives up everything, so that the others take over at once. Nothing can be written afterwards.
func (m *Member) Leave(ctx context.Context) error {
	if m == nil {
		return nil
	}
	if err := m.place.Leave(ctx); err != nil && !errors.Is(err, ErrGone) {
		return fmt.Errorf("leave the processes of the memory, which will notice within seconds: %w", err)
	}
	m.wg.Wait()
	return nil
}
