// Package erase forgets: by hand, on expiry, after an edit or a deletion, and when a run of a job is reverted.
package erase

import (
	"familiar/memory/internal/db"
	"familiar/memory/log"
	"familiar/memory/turns"
)

// Store forgets and takes back.
type Store struct {
	db    *db.DB
	log   *log.Store
	turns *turns.Store
}

// New returns the erasure of what is kept in d.
func New(d *db.DB, log *log.Store, turns *turns.Store) *Store {
	return &Store{db: d, log: log, turns: turns}
}
