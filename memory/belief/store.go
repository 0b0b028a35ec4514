// Package belief keeps what people claimed: beliefs with their evidence, how new claims revise them, conflicts, and what is
// still open between a person and the persona.
package belief

import "familiar/memory/internal/db"

// Store is what is believed in one memory.
type Store struct {
	db    *db.DB
	cache beliefCache
}

// New returns the beliefs kept in d.
func New(d *db.DB) *Store { return &Store{db: d} }
