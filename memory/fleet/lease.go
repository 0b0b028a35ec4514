package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"familiar/channels"
	"familiar/memory/internal/db"
)

// roomLease is the name of a room's lease. It tells nobody which room that is.
func roomLease(room channels.Room) string {
	sum := sha256.Sum256([]byte(room.Channel + "\x00" + room.ID + "\x00" + room.Thread))
	return "room " + hex.EncodeToString(sum[:16])
}

// lease is one that this process holds, or is about to take or to give up.
type lease struct {
	room channels.Room // of a room's lease
	// uses counts who needs it now. wanted reports that another process asked for it.
	uses   int
	wanted bool
	// changing is open while the database is being told, nil otherwise.
	changing chan struct{}
}

// Hold takes the room for this process, unless another one holds it, and keeps it at least until release is called. It waits while
// this process is not surely one of the fleet. A process that wants a room that another one holds asks for it, and is told when it
// is free.
func (m *Member) Hold(ctx context.Context, room channels.Room) (release func(), held bool, err error) {
	if m == nil {
		return func() {}, true, nil
	}
	name := roomLease(room)
	held, err = m.hold(ctx, name, room)
	if err == nil && !held {
		m.send(note{Kind: wants, Room: room})
	}
	return func() { m.release(name) }, held, err
}

// hold takes a lease, or uses it once more.
func (m *Member) hold(ctx context.Context, name string, room channels.Room) (bool, error) {
	if err := m.Await(ctx); err != nil {
		return false, err
	}
	for {
		m.mu.Lock()
		l := m.leases[name]
		switch {
		case l == nil:
			l = &lease{room: room, changing: make(chan struct{})}
			m.leases[name] = l
			m.mu.Unlock()
			return m.claim(ctx, name, l)
		case l.changing == nil:
			l.uses++
			m.mu.Unlock()
			return true, nil
		}
		changing := l.changing
		m.mu.Unlock()
		select {
		case <-changing:
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// claim takes a lease in the database if nobody holds it.
func (m *Member) claim(ctx context.Context, name string, l *lease) (bool, error) {
	var holder int64
	err := m.db.Write(ctx, "take a lease", func(tx *db.Tx) (err error) {
		holder, err = tx.Claim(name, m.place.ID())
		return err
	})
	m.mu.Lock()
	defer m.mu.Unlock()
	close(l.changing)
	if l.changing = nil; err != nil || holder != m.place.ID() {
		delete(m.leases, name)
		return false, err
	}
	l.uses = 1
	return true, nil
}

// release ends a use of a lease. A lease that nobody uses is kept, because its room is likely to talk again, unless another process
// should have it.
func (m *Member) release(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.leases[name]
	if l.uses--; l.uses == 0 && m.surrenders(l) {
		m.giveUp(name)
	}
}

// surrenders reports whether an unused lease should be given up. The caller holds mu.
func (m *Member) surrenders(l *lease) bool {
	return l.wanted || l.room == (channels.Room{}) || !m.prefers(l.room)
}

// giveUp frees unused leases, and tells the others. The caller holds mu.
func (m *Member) giveUp(names ...string) {
	freed := make([]*lease, len(names))
	for i, name := range names {
		freed[i] = m.leases[name]
		freed[i].changing = make(chan struct{})
	}
	m.wg.Go(func() {
		err := m.db.Write(context.Background(), "give up leases", func(tx *db.Tx) error { return tx.Unclaim(m.place.ID(), names...) })
		m.mu.Lock()
		defer m.mu.Unlock()
		for i, name := range names {
			close(freed[i].changing)
			if freed[i].changing = nil; err != nil {
				continue // it is still held, and given up after its next use
			}
			delete(m.leases, name)
			m.send(note{Kind: free, Room: freed[i].room})
		}
	})
}

// prefers reports whether this process is the one of the fleet that should have a room. Each room prefers one of the processes that can
// send to it, by the highest hash of both: a process that comes or goes changes only its own share. The caller holds mu.
func (m *Member) prefers(room channels.Room) bool {
	var best int64
	var highest uint64
	for _, p := range m.place.Peers() {
		if !slices.Contains(splitChannels(p.Channels), room.Channel) {
			continue
		}
		if h := weight(p.ID, room); best == 0 || h > highest {
			best, highest = p.ID, h
		}
	}
	return best == m.place.ID()
}

func weight(process int64, room channels.Room) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%s\x00%s\x00%s", strconv.FormatInt(process, 10), room.Channel, room.ID, room.Thread)
	sum := h.Sum64() // similar texts have similar sums: mix them (the finalizer of MurmurHash3)
	sum ^= sum >> 33
	sum *= 0xff51afd7ed558ccd
	sum ^= sum >> 33
	sum *= 0xc4ceb9fe1a85ec53
	return sum ^ sum>>33
}

func splitChannels(joined string) []string { return strings.Fields(joined) }
