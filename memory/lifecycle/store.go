// Package lifecycle is what becomes of memories as time passes: decay, tiers and rules, clusters and their summaries, edges
// and hierarchy, inferences of jobs, and the queue of vectors.
package lifecycle

import (
	"familiar/memory/internal/db"
	"familiar/memory/recall"
)

// Store is what becomes of memories as time passes.
type Store struct {
	db     *db.DB
	recall *recall.Store
}

// New returns the lifecycle of the memories kept in d.
func New(d *db.DB, recall *recall.Store) *Store { return &Store{db: d, recall: recall} }
