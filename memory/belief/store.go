// Package belief keeps what people claimed: beliefs with their evidence, revision by new claims, conflicts, and the
// open loops between a person and the persona.
package belief

import "familiar/memory/internal/db"

// Store holds the beliefs and open loops of one memory.
type Store struct {
	db    *db.DB
	cache beliefCache
}

// New returns the beliefs kept in d.
func New(d *db.DB) *Store { return &Store{db: d} }
