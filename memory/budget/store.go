// Package budget keeps the ledger of model tokens: what was reserved and spent on each day, and the caps on it.
package budget

import "familiar/memory/internal/db"

// Store is the token budget of one memory.
type Store struct {
	db *db.DB
}

// New returns the token budget kept in d.
func New(d *db.DB) *Store { return &Store{db: d} }
