package memory

import (
	"context"
	"database/sql"
	"errors"
)

// ScopeRevision says how far a scope has come. A scope nothing was ever written to has 0 and 0.
type ScopeRevision struct {
	Audience Audience
	// Revision grows when something was added to the scope.
	Revision int64
	// Epoch grows when something in the scope was changed or removed.
	Epoch int64
}

// bump notes in the running transaction that something was added to a scope of persona.
func (c *conn) bump(persona string, a Audience) error {
	_, err := c.exec(`INSERT INTO scopes (persona, audience, ref, revision) VALUES (?, ?, ?, 1)
		ON CONFLICT (persona, audience, ref) DO UPDATE SET revision = scopes.revision + 1`,
		persona, a.Kind, a.Ref)
	return err
}

// bumpEpoch notes in the running transaction that something in a scope of persona was changed or removed.
func (c *conn) bumpEpoch(persona string, a Audience) error {
	_, err := c.exec(`INSERT INTO scopes (persona, audience, ref, epoch) VALUES (?, ?, ?, 1)
		ON CONFLICT (persona, audience, ref) DO UPDATE SET epoch = scopes.epoch + 1`,
		persona, a.Kind, a.Ref)
	return err
}

// Revision returns how far each of persona's scopes has come, in the order asked for.
func (s *Store) Revision(ctx context.Context, persona string, audiences []Audience) ([]ScopeRevision, error) {
	out := make([]ScopeRevision, len(audiences))
	err := s.read(ctx, "read the scopes of "+persona, func(tx *conn) error {
		for i, a := range audiences {
			out[i] = ScopeRevision{Audience: a}
			err := tx.row(`SELECT revision, epoch FROM scopes WHERE persona = ? AND audience = ? AND ref = ?`,
				persona, a.Kind, a.Ref).Scan(&out[i].Revision, &out[i].Epoch)
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
