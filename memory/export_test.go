package memory

import (
	"context"
	"fmt"
)

// What tests look at and nobody else needs.

// Revision returns how far each of persona's scopes has come, in the order asked for.
func (s *Store) Revision(ctx context.Context, persona string, audiences []Audience) (at []ScopeRevision, err error) {
	err = s.read(ctx, "read the scopes of "+persona, func(tx *conn) error {
		at, err = tx.revisions(persona, audiences)
		return err
	})
	return at, err
}

// ReplacedValues are the values that must no longer be taken for true in a place, oldest first.
func (s *Store) ReplacedValues(ctx context.Context, h Hearing) (values []Replaced, err error) {
	err = s.read(ctx, "read replaced values", func(tx *conn) error {
		at, err := tx.revisions(h.persona, h.audiences)
		if err != nil {
			return err
		}
		b, err := s.believed(tx, h, at)
		if err == nil {
			values = b.replaced
		}
		return err
	})
	return values, err
}

// Message is one message whatever room it was said in; ErrNotFound when there is none.
func (s *Store) Message(ctx context.Context, id int64) (m Message, err error) {
	err = s.read(ctx, fmt.Sprintf("read message %d", id), func(tx *conn) error {
		m, err = one(tx.row(messageColumns+` WHERE m.id = ?`, id), scanMessage)
		return err
	})
	return m, err
}

// LinkTwice is two runs of Link that have read the same before either writes.
func (s *Store) LinkTwice(ctx context.Context, persona string) (runs [2]Linked, err error) {
	batch, err := s.linkable(ctx, persona)
	for i := range runs {
		if err == nil {
			err = s.write(ctx, "join what is alike", func(tx *conn) error {
				runs[i], err = tx.link(persona, int64(i+1), batch)
				return err
			})
		}
	}
	return runs, err
}

// Alike are the pairs of memories that Link joins, found in the index that recall keeps of their scope, or with nothing kept.
func (s *Store) Alike(ctx context.Context, persona string, kept bool) (pairs [][2]int64, err error) {
	s.words = indexCache{languages: s.words.languages}
	err = s.read(ctx, "look for what is alike", func(tx *conn) error {
		memories, err := tx.unlinkedMemories(persona, 0)
		if err != nil {
			return err
		}
		for _, m := range memories {
			if kept {
				if _, err := s.reach(tx, hearingOf(persona, m.Audience)); err != nil {
					return err
				}
			}
		}
		found, err := s.alikeAt(tx, memories)
		for _, p := range found {
			pairs = append(pairs, [2]int64{p.a, p.b})
		}
		return err
	})
	return pairs, err
}

// ReadingAnew does something as if nothing of what is believed had been read before.
func (s *Store) ReadingAnew(do func()) {
	kept := s.beliefs.rooms
	s.beliefs.rooms = nil
	do()
	s.beliefs.rooms = kept
}

// MergePeople are the statements that make two people one.
var MergePeople = mergePeople

// ClustersAnew is Clusters as if nothing had been looked at before.
func (s *Store) ClustersAnew(ctx context.Context, persona string) (clusters []Cluster, err error) {
	err = s.read(ctx, "look for what is alike", func(tx *conn) error {
		unlinked, err := s.unlinked(tx, persona)
		if err != nil {
			return err
		}
		pairs, err := tx.pairsByScope(unlinked)
		if err != nil {
			return err
		}
		scopes, err := collect[scopeToSumUp](tx.rows(`SELECT audience, ref FROM scopes WHERE persona = ? ORDER BY 1, 2`, persona))(
			func(row scanner) (sc scopeToSumUp, err error) {
				sc.persona = persona
				return sc, row.Scan(&sc.audience.Kind, &sc.audience.Ref)
			})
		for _, sc := range scopes {
			more, err := tx.clusters(sc, pairs[sc.scopeKey])
			if err != nil {
				return err
			}
			clusters = append(clusters, more...)
		}
		return err
	})
	return clusters, err
}
