// Package entry stores memories one by one: their rows, sources, entities and tags, how a message is annotated, how a
// memory decays, and the state of the embedder.
package entry

import "familiar/memory/internal/db"

// Store reads and writes memories.
type Store struct {
	db *db.DB
}

// New returns the Store of the memories in d.
func New(d *db.DB) *Store { return &Store{db: d} }
