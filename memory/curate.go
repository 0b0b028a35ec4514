package memory

import (
	"context"
	"fmt"
	"time"
)

// Pin keeps a memory in mind whatever is asked, and from fading; unpinned it lasts as long as one recalled just then.
// ErrNotFound when there is none.
func (s *Store) Pin(ctx context.Context, id int64, pinned bool) (Memory, error) {
	return s.curate(ctx, "pin", id, func(tx *conn, m placed) error {
		_, err := tx.exec(`UPDATE memories SET pinned = ?, forget_at = CASE WHEN ? = 1 THEN NULL
			ELSE ? + CAST(lasts * strength AS INTEGER) END WHERE id = ?`, pinned, pinned, tx.nowMS(), id)
		if err != nil {
			return err
		}
		return tx.changed([]placed{m})
	})
}

// MoveTier puts a memory into a tier, where it lasts as long as one recalled just then. ErrNotFound when there is none.
func (s *Store) MoveTier(ctx context.Context, id int64, to func(Tier) Tier) (Memory, error) {
	return s.curate(ctx, "move", id, func(tx *conn, m placed) error {
		var from Tier
		if err := tx.row(`SELECT tier FROM memories WHERE id = ?`, id).Scan(&from); err != nil {
			return err
		}
		return tx.moveTo(to(from), []placed{m}, tx.now)
	})
}

// Expire sets when a memory goes, the zero time for never: from then on it is not found, its words do not stand beside what
// is, and Decay or the operator's gc removes it. What sums it up goes at once, to be made again without it. The message it
// was said in stays on record, and so does what is believed of it, until they are forgotten. ErrNotFound when there is none.
func (s *Store) Expire(ctx context.Context, id int64, at time.Time) (Memory, error) {
	return s.curate(ctx, "set the end of", id, func(tx *conn, m placed) error {
		if !at.IsZero() {
			if err := tx.dropSummariesOf(id); err != nil {
				return err
			}
		}
		if _, err := tx.exec(`UPDATE memories SET expires_at = ? WHERE id = ?`, nullMS(at), id); err != nil {
			return err
		}
		return tx.advanceEach([]placed{m}, ScopeRevision{Epoch: 1, Loose: 1})
	})
}

// dropSummariesOf removes what jobs made of a memory.
func (c *conn) dropSummariesOf(id int64) error {
	summaries, err := collect[placed](c.rows(placedColumns+`m.origin = 'inferred' AND m.id IN
		(SELECT from_id FROM memory_edges WHERE kind = 'contains' AND to_id = ?)`, id))(scanPlaced)
	if err != nil || len(summaries) == 0 {
		return err
	}
	_, err = c.drop(summaries)
	return err
}

// curate changes one memory and returns it as it is then.
func (s *Store) curate(ctx context.Context, act string, id int64, change func(tx *conn, m placed) error) (m Memory, err error) {
	err = s.write(ctx, fmt.Sprintf("%s memory %d", act, id), func(tx *conn) error {
		at, err := tx.placedMemory(id)
		if err != nil {
			return err
		}
		if err := change(tx, at); err != nil {
			return err
		}
		m, err = tx.memory(id)
		return err
	})
	return m, err
}

// History are the versions of a memory, the oldest first: what it replaced, itself, and what replaced it. ErrNotFound when
// there is none.
func (s *Store) History(ctx context.Context, id int64) (versions []Memory, err error) {
	err = s.read(ctx, fmt.Sprintf("read the versions of memory %d", id), func(tx *conn) error {
		versions = nil
		m, err := tx.memory(id)
		if err != nil {
			return err
		}
		for m.Supersedes != 0 {
			if m, err = tx.memory(m.Supersedes); err != nil {
				return err
			}
		}
		for versions = append(versions, m); m.SupersededBy != 0; versions = append(versions, m) {
			if m, err = tx.memory(m.SupersededBy); err != nil {
				return err
			}
		}
		return nil
	})
	return versions, err
}
