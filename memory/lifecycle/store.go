// Package lifecycle changes memories as time passes: decay, tiers and rules, edges, clusters with their summaries, the
// hierarchy, the inferences of jobs, and the embedding backlog. Each job has one method.
package lifecycle

import (
	"familiar/memory/internal/db"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// Store runs the lifecycle of memories.
type Store struct {
	db     *db.DB
	recall *recall.Store
}

// New returns the lifecycle of the memories in d. It finds similar memories with recall.
func New(d *db.DB, recall *recall.Store) *Store { return &Store{db: d, recall: recall} }

// SetRates changes how fast the memories of a persona fade; sectors without a rate have the default. Recall uses the new
// rates at once. When a memory is forgotten follows from the rates at the time it was stored.
func (s *Store) SetRates(persona string, r model.Rates) error { return s.db.SetRates(persona, r) }
