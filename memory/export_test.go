package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/lifecycle"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// Helpers that only tests need.

// Revision returns the revision of each of persona's scopes, in the order asked for.
func (s *Store) Revision(ctx context.Context, persona string, audiences []model.Audience) (at []model.ScopeRevision, err error) {
	err = s.db.Read(ctx, "read the scopes of "+persona, func(tx *db.Tx) error {
		at, err = scope.Revisions(tx, persona, audiences)
		return err
	})
	return at, err
}

// ReplacedValues returns the values that no longer hold in a place, oldest first.
func (s *Store) ReplacedValues(ctx context.Context, h scope.Visibility) (values []belief.Replacement, err error) {
	err = s.db.Read(ctx, "read replaced values", func(tx *db.Tx) error {
		at, err := scope.Revisions(tx, h.Persona(), h.Audiences())
		if err != nil {
			return err
		}
		b, err := s.Beliefs.Visible(tx, h, at)
		if err == nil {
			values = b.Replacements()
		}
		return err
	})
	return values, err
}

// Message returns one message in any room, ErrNotFound when there is none.
func (s *Store) Message(ctx context.Context, id int64) (m model.Message, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read message %d", id), func(tx *db.Tx) error {
		m, err = db.One(tx.QueryRow(log.SelectMessages+` WHERE m.id = ?`, id), log.ScanMessage)
		return err
	})
	return m, err
}

// Alike returns the pairs of memories that Link connects, found in the cached index of their scope or, with kept false,
// without a cache.
func (s *Store) Alike(ctx context.Context, persona string, kept bool) (pairs [][2]int64, err error) {
	fresh := newStore(s.db)
	memories, err := s.Entries.ListMemories(ctx, entry.MemoryFilter{Persona: persona, Limit: 10_000})
	if err != nil {
		return nil, err
	}
	memories = slices.DeleteFunc(memories, func(m model.Memory) bool { return m.Kind != "" })
	slices.SortFunc(memories, func(a, b model.Memory) int { return cmp.Compare(a.ID, b.ID) })
	for _, m := range memories {
		if kept {
			if _, err := fresh.Recall.Find(ctx, scope.NewVisibility(persona, m.Audience), recall.Query{Text: m.Text, Limit: 1}); err != nil {
				return nil, err
			}
		}
	}
	err = s.db.Read(ctx, "find similar memories", func(tx *db.Tx) error {
		found, err := fresh.Recall.SimilarIn(tx, memories)
		for _, p := range found {
			pairs = append(pairs, [2]int64{p.A, p.B})
		}
		return err
	})
	return pairs, err
}

// ReadingAnew runs do as if nothing had been read before.
func (s *Store) ReadingAnew(do func()) {
	kept := *s
	*s = *newStore(s.db)
	do()
	*s = kept
}

// ClustersAnew is Clusters as if nothing had been searched before: on a copy without cursors.
func (s *Store) ClustersAnew(ctx context.Context, dir, persona string) (clusters []lifecycle.Cluster, err error) {
	path := filepath.Join(dir, "copy.db")
	if err := s.db.Backup(ctx, path); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.Remove(path)) }()
	d, err := db.Open(ctx, path, db.Options{Now: s.db.Now, NoSync: true})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if err := d.Write(ctx, "forget earlier looks", func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE scopes SET loose = 1`)
		return err
	}); err != nil {
		return nil, err
	}
	return newStore(d).Lifecycle.Clusters(ctx, persona)
}

// Cold returns a store on the same database whose caches are empty. It must not be closed.
func Cold(s *Store) *Store { return newStore(s.db) }
