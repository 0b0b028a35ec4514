// Package hosting is about where a memory lies: which process answers people from it, and moving it to another database.
package hosting

import (
	"context"

	"familiar/memory/internal/db"
)

var (
	// ErrServed reports that another process answers people from this memory.
	ErrServed = db.ErrServed
	// ErrMoving reports a database into which a memory is being moved: it is not whole yet.
	ErrMoving = db.ErrMoving
	// ErrNotEmpty reports a database that already holds a memory, where one was to be moved to.
	ErrNotEmpty = db.ErrNotEmpty
)

// Mover copies a memory into another database; see db.Mover.
type Mover = db.Mover

// Moved counts what a pass of a Mover did.
type Moved = db.Moved

// Store is the database of a memory.
type Store struct{ db *db.DB }

// New returns the store on an open database.
func New(d *db.DB) *Store { return &Store{d} }

// Serve makes this process the one that answers people from the memory, until it is closed. On a server it fails with ErrServed if
// there is one already; for a file the lock of its home decides.
func (s *Store) Serve(ctx context.Context) error { return s.db.Serve(ctx) }

// MoveTo prepares copying the memory into the database at an address: the path of a file, or the URL of a server. It makes the tables
// there, and fails with ErrNotEmpty if there is another memory in it. Until Mover.Finish, opening that database fails with ErrMoving.
func (s *Store) MoveTo(ctx context.Context, address string) (*Mover, error) {
	return db.NewMover(ctx, s.db, address)
}
