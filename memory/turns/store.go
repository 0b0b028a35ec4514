// Package turns records turns and sessions: everything a turn leaves in one transaction, the ends of sessions,
// episodes, relationships, mood and growth, proactive messages, and what explains an answer.
package turns

import "familiar/memory/internal/db"

// Store records turns and sessions.
type Store struct {
	db       *db.DB
	episodes episodeCache
	read     readCache
}

// New returns the turns recorded in d.
func New(d *db.DB) *Store { return &Store{db: d} }
