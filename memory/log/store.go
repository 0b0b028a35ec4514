// Package log is the conversation log: inbox, outbox, rooms, people and their accounts, pairing and allow-lists, and
// the key-value state that channels need after a restart.
package log

import "familiar/memory/internal/db"

// Store is the conversation log of one memory.
type Store struct {
	db *db.DB
}

// New returns the conversation log kept in d.
func New(d *db.DB) *Store { return &Store{db: d} }
