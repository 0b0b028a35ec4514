package memory

import (
	"context"
	"fmt"

	"familiar/memory/belief"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/lifecycle"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/turns"
)

// What tests look at and nobody else needs.

// Revision returns how far each of persona's scopes has come, in the order asked for.
func (s *Store) Revision(ctx context.Context, persona string, audiences []model.Audience) (at []model.ScopeRevision, err error) {
	err = s.db.Read(ctx, "read the scopes of "+persona, func(tx *db.Tx) error {
		at, err = scope.Revisions(tx, persona, audiences)
		return err
	})
	return at, err
}

// ReplacedValues are the values that must no longer be taken for true in a place, oldest first.
func (s *Store) ReplacedValues(ctx context.Context, h scope.Visibility) (values []belief.Replaced, err error) {
	err = s.db.Read(ctx, "read replaced values", func(tx *db.Tx) error {
		at, err := scope.Revisions(tx, h.Persona(), h.Audiences())
		if err != nil {
			return err
		}
		b, err := s.Beliefs.Visible(tx, h, at)
		if err == nil {
			values = b.replaced
		}
		return err
	})
	return values, err
}

// Message is one message whatever room it was said in; ErrNotFound when there is none.
func (s *Store) Message(ctx context.Context, id int64) (m model.Message, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read message %d", id), func(tx *db.Tx) error {
		m, err = db.One(tx.QueryRow(log.MessageColumns+` WHERE m.id = ?`, id), log.ScanMessage)
		return err
	})
	return m, err
}

// LinkTwice is two runs of Link that have read the same before either writes.
func (s *Store) LinkTwice(ctx context.Context, persona string) (runs [2]lifecycle.LinkResult, err error) {
	batch, err := s.Lifecycle.linkable(ctx, persona)
	for i := range runs {
		if err == nil {
			err = s.db.Write(ctx, "join what is alike", func(tx *db.Tx) error {
				runs[i], err = lifecycle.link(tx, persona, int64(i+1), batch)
				return err
			})
		}
	}
	return runs, err
}

// Alike are the pairs of memories that Link joins, found in the index that recall keeps of their scope, or with nothing kept.
func (s *Store) Alike(ctx context.Context, persona string, kept bool) (pairs [][2]int64, err error) {
	s.Recall.index = recall.indexCache{languages: s.Recall.index.languages}
	err = s.db.Read(ctx, "look for what is alike", func(tx *db.Tx) error {
		memories, err := lifecycle.unlinkedMemories(tx, persona, 0)
		if err != nil {
			return err
		}
		for _, m := range memories {
			if kept {
				if _, err := s.Recall.reach(tx, scope.Of(persona, m.Audience)); err != nil {
					return err
				}
			}
		}
		found, err := s.Recall.AlikeAt(tx, memories)
		for _, p := range found {
			pairs = append(pairs, [2]int64{p.A, p.B})
		}
		return err
	})
	return pairs, err
}

// ReadingAnew does something as if nothing of what is believed had been read before.
func (s *Store) ReadingAnew(do func()) {
	kept := s.Beliefs.cache.rooms
	s.Beliefs.cache.rooms = nil
	do()
	s.Beliefs.cache.rooms = kept
}

// MergePeople are the statements that make two people one.
var MergePeople = turns.mergeStatements

// ClustersAnew is Clusters as if nothing had been looked at before.
func (s *Store) ClustersAnew(ctx context.Context, persona string) (clusters []lifecycle.Cluster, err error) {
	err = s.db.Read(ctx, "look for what is alike", func(tx *db.Tx) error {
		unlinked, err := s.Lifecycle.unlinked(tx, persona)
		if err != nil {
			return err
		}
		pairs, err := lifecycle.pairsByScope(tx, unlinked)
		if err != nil {
			return err
		}
		scopes, err := db.Collect[lifecycle.scopeToSumUp](tx.Query(`SELECT audience, ref FROM scopes WHERE persona = ? ORDER BY 1, 2`, persona))(
			func(row db.Scanner) (sc lifecycle.scopeToSumUp, err error) {
				sc.Persona = persona
				return sc, row.Scan(&sc.Audience.Kind, &sc.Audience.Ref)
			})
		for _, sc := range scopes {
			more, err := lifecycle.findClusters(tx, sc, pairs[sc.ScopeKey])
			if err != nil {
				return err
			}
			clusters = append(clusters, more...)
		}
		return err
	})
	return clusters, err
}
