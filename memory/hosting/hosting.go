// Package hosting is about where a memory lies: it moves one to another database.
package hosting

import (
	"context"

	"familiar/memory/internal/db"
)

var (
	// ErrMoving reports a database into which a memory is being moved: it is not whole yet.
	ErrMoving = db.ErrMoving
	// ErrNotEmpty reports a database that already holds a memory, where one was to be moved to.
	ErrNotEmpty = db.ErrNotEmpty
)

// NotConnected reports whether an error says that the server of the memory could not be reached, or is starting or stopping.
func NotConnected(err error) bool { return db.NotConnected(err) }

// Moved counts what a pass of a Mover did.
type Moved struct {
	// Rows is how many rows the memory has.
	Rows int64
	// Copied is how many were new or different, and Removed how many were in the other database only.
	Copied, Removed int64
}

// Mover copies a memory into another database. It compares row by row and copies what differs, so it can be interrupted, and
// continued later with a new Mover: what was copied is not copied again.
type Mover struct{ m *db.Mover }

// Pass copies what differs now, and tells progress of each table. The memory may be in use meanwhile: the pass sees it at one point
// in time. A pass after which nothing was copied or removed has compared every row.
func (m *Mover) Pass(ctx context.Context, progress func(table string, rows int64)) (Moved, error) {
	done, err := m.m.Pass(ctx, progress)
	return Moved(done), err
}

// Finish checks that every reference leads somewhere, and makes the other database one that can be opened.
func (m *Mover) Finish() error { return m.m.Finish() }

// Close closes the other database.
func (m *Mover) Close() error { return m.m.Close() }

// Store is the database of a memory.
type Store struct{ db *db.DB }

// New returns the store on an open database.
func New(d *db.DB) *Store { return &Store{d} }

// MoveTo prepares copying the memory into the database at an address: the path of a file, or the URL of a server. It makes the tables
// there, and fails with ErrNotEmpty if there is another memory in it. Until Mover.Finish, opening that database fails with ErrMoving.
func (s *Store) MoveTo(ctx context.Context, address string) (*Mover, error) {
	m, err := db.NewMover(ctx, s.db, address)
	if err != nil {
		return nil, err
	}
	return &Mover{m}, nil
}
