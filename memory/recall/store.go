// Package recall finds memories for a query. It indexes each scope, ranks what matches, packs the best into a token
// budget and explains the ranking.
package recall

import (
	"cmp"

	"familiar/memory/belief"
	"familiar/memory/internal/db"
)

// Store finds memories. It caches an index per scope and the recent talk per room; both caches can be dropped at any
// time and are rebuilt from the database.
type Store struct {
	db *db.DB
	// indexBudget is how many bytes the indexes of all scopes may take together.
	indexBudget int64
	beliefs     *belief.Store
	index       indexCache
	recent      recentCache
}

// New returns the recall of the memories in d.
func New(d *db.DB, beliefs *belief.Store) *Store {
	s := &Store{db: d, beliefs: beliefs, indexBudget: cmp.Or(d.IndexBytes, DefaultIndexBudget())}
	s.index.maxWords = s.indexBudget / vocabularyShare
	return s
}
