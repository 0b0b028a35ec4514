// Package recall finds memories for some words: it indexes each scope, ranks what matches, packs the best into a budget of
// tokens and explains its choice.
package recall

import (
	"familiar/memory/belief"
	"familiar/memory/internal/db"
)

// Store finds what is remembered of some words. It keeps an index of each scope and the running talk of each room in
// memory; both can be lost at any time and are built from the database again.
type Store struct {
	db      *db.DB
	beliefs *belief.Store
	index   indexCache
	recent  recentCache
}

// New returns the recall of what is kept in d.
func New(d *db.DB, beliefs *belief.Store) *Store { return &Store{db: d, beliefs: beliefs} }
