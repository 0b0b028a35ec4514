// Package fleet lets several processes answer people from one memory on a server. Each room belongs to one process at a time, and so
// does each connection to a network and the running of the jobs. What a process holds are rows in the database (leases). It loses
// all of them when the others have not heard of it for some three seconds, and from then on the database refuses what it writes. A memory
// in a file has one process, which holds everything: its Member is nil.
package fleet

import (
	"context"
	"fmt"
	"time"

	"familiar/memory/internal/db"
)

// MaxSkew is by how much a clock may differ from that of the server while others go by that one.
const MaxSkew = db.MaxSkew

var (
	// ErrGone reports that this process was cut off for so long that others have taken over what it did.
	ErrGone = db.ErrGone
	// ErrClock reports a clock that differs from that of the server by more than a minute, while others go by that one.
	ErrClock = db.ErrClock
	// ErrOtherCast reports processes that serve other personas from the same memory.
	ErrOtherCast = db.ErrOtherCast
)

// Store is the processes of one memory.
type Store struct{ db *db.DB }

// New returns the processes of an open database.
func New(d *db.DB) *Store { return &Store{d} }

// Process is one process that answers people.
type Process struct {
	// ID is higher than that of every earlier process.
	ID int64
	// Name says where it runs, Version which familiar it is, and Cast which personas it serves.
	Name, Version, Cast string
	// Channels are those to which it can send.
	Channels []string
	// Since is when it joined by the clock of the server, and Silent for how long it was not heard of.
	Since  time.Time
	Silent time.Duration
	// Leases is how many rooms, connections and jobs it holds.
	Leases int
}

// Processes lists the processes that answer from the memory, the oldest first. It is empty for a memory in a file.
func (s *Store) Processes(ctx context.Context) ([]Process, error) {
	members, err := s.db.Members(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the processes of the memory: %w", err)
	}
	all := make([]Process, len(members))
	for i, m := range members {
		all[i] = Process{
			ID: m.ID, Name: m.Name, Version: m.Version, Cast: m.Cast, Channels: splitChannels(m.Channels),
			Since: db.FromMillis(m.Since), Silent: m.Silent, Leases: m.Leases,
		}
	}
	return all, nil
}

// Joining is what a process tells the others about itself when it joins.
type Joining struct {
	// Name says where the process runs, for operators. Version is that of the program.
	Name, Version string
	// Cast names the personas that the process serves, so that no process answers for others. It is empty for a process that serves no
	// network.
	Cast string
}

// Join makes this process one of those that answer from the memory, until Member.Leave. It fails with ErrOtherCast if other personas
// are served from it, and with ErrClock if its clock is not that of the others. For a memory in a file it returns nil, and every method of a nil Member says that there is no other process.
func (s *Store) Join(ctx context.Context, as Joining) (*Member, error) {
	m := newMember(s.db)
	var err error
	m.place, err = s.db.Join(ctx, db.Process{Name: as.Name, Version: as.Version, Cast: as.Cast}, db.Listener{Note: m.take, Peers: m.regroup})
	if err != nil || m.place == nil {
		return nil, err
	}
	close(m.joined)
	return m, nil
}
