// Package erase removes what must not be kept: it forgets memories, expires messages, follows edits and deletions,
// reverts job runs and prunes old data.
package erase

import (
	"familiar/memory/internal/db"
	"familiar/memory/log"
	"familiar/memory/turns"
)

// Store forgets, expires, reverts and prunes.
type Store struct {
	db    *db.DB
	log   *log.Store
	turns *turns.Store
}

// New returns the eraser of the data in d.
func New(d *db.DB, log *log.Store, turns *turns.Store) *Store {
	return &Store{db: d, log: log, turns: turns}
}
