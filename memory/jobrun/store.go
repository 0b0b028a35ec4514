// Package jobrun keeps the ledger of jobs: their runs, the people that a run has claimed, and how far each job has
// read.
package jobrun

import "familiar/memory/internal/db"

// Store is the ledger of job runs of one memory.
type Store struct {
	db *db.DB
}

// New returns the ledger of job runs kept in d.
func New(d *db.DB) *Store { return &Store{db: d} }
