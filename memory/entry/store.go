// Package entry keeps memories one by one: their rows, tags, vectors' state and how fast they decay.
package entry

import "familiar/memory/internal/db"

// Store is the memories themselves, row by row.
type Store struct {
	db *db.DB
}

// New returns the memories kept in d.
func New(d *db.DB) *Store { return &Store{db: d} }
