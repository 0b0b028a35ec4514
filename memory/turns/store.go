// Package turns records turns and sessions: one transaction for everything a turn leaves, the ends of sessions with what
// they leave, relationships, mood and growth, and what explains an answer.
package turns

import "familiar/memory/internal/db"

// Store records turns and sessions.
type Store struct {
	db *db.DB
}

// New returns the turns kept in d.
func New(d *db.DB) *Store { return &Store{db: d} }
