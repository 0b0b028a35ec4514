// Package transfer exports a memory, imports an export, and ingests documents.
package transfer

import "familiar/memory/internal/db"

// Store exports and imports one memory.
type Store struct {
	db *db.DB
}

// New returns the exports and imports of d.
func New(d *db.DB) *Store { return &Store{db: d} }
