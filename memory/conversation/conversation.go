// Package conversation reads what was said in the rooms of a persona, with what became of each message: for operators, never for
// what is said in a room. It changes nothing.
package conversation

import (
	"familiar/memory/internal/db"
)

// Store reads the conversations of one memory.
type Store struct{ db *db.DB }

// New returns the conversations in d.
func New(d *db.DB) *Store { return &Store{db: d} }
