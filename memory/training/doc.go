// Package training makes training data of what people and a persona said to each other: who agreed to it (consent.go), and the
// conversations of which every word comes from people who did.
package training

import "familiar/memory/internal/db"

// Store reads training data from a memory.
type Store struct{ db *db.DB }

// New returns the training data in d.
func New(d *db.DB) *Store { return &Store{db: d} }
