package lifecycle

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// Pin puts a memory into every context and keeps it from fading. An unpinned memory starts to fade from now. It fails
// with ErrNotFound when there is no such memory.
func (s *Store) Pin(ctx context.Context, id int64, pinned bool) (model.Memory, error) {
	return s.curate(ctx, "pin", id, func(tx *db.Tx, m scope.MemoryRef) error {
		if err := journal(tx, pinnedChanged, `(?)`, []any{id}); err != nil {
			return err
		}
		_, err := tx.Exec(`UPDATE memories SET pinned = ?, forget_at = CASE WHEN ? = 1 THEN NULL
			ELSE ? + CAST(lasts * strength AS INTEGER) END WHERE id = ?`, pinned, pinned, tx.NowMillis(), id)
		if err != nil {
			return err
		}
		return scope.MarkChanged(tx, []scope.MemoryRef{m})
	})
}

// MoveTier puts a memory into the tier that `to` returns for its current one. It starts to fade from now. It fails with
// ErrNotFound when there is no such memory.
func (s *Store) MoveTier(ctx context.Context, id int64, to func(model.Tier) model.Tier) (model.Memory, error) {
	return s.curate(ctx, "move", id, func(tx *db.Tx, m scope.MemoryRef) error {
		var from model.Tier
		if err := tx.QueryRow(`SELECT tier FROM memories WHERE id = ?`, id).Scan(&from); err != nil {
			return err
		}
		return moveTo(tx, to(from), []scope.MemoryRef{m}, tx.Now)
	})
}

// Expire sets when a memory ends, the zero time for never. From then on recall does not find it or show its words, and
// Decay or the operator's gc removes it. Summaries of it go at once and are remade without it. Its message and the
// beliefs from it stay until they are forgotten. It fails with ErrNotFound when there is no such memory.
func (s *Store) Expire(ctx context.Context, id int64, at time.Time) (model.Memory, error) {
	return s.curate(ctx, "set the end of", id, func(tx *db.Tx, m scope.MemoryRef) error {
		if !at.IsZero() {
			if err := dropSummariesOf(tx, id); err != nil {
				return err
			}
		}
		if err := journal(tx, expiresChanged, `(?)`, []any{id}); err != nil {
			return err
		}
		if _, err := tx.Exec(`UPDATE memories SET expires_at = ? WHERE id = ?`, db.NullMillis(at), id); err != nil {
			return err
		}
		return AdvanceEach(tx, []scope.MemoryRef{m}, model.ScopeRevision{Epoch: 1, Unclustered: 1})
	})
}

// dropSummariesOf removes the summaries of a memory.
func dropSummariesOf(tx *db.Tx, id int64) error {
	summaries, err := db.Collect[scope.MemoryRef](tx.Query(scope.SelectMemoryRefs+`m.origin = 'inferred' AND m.id IN
		(SELECT from_id FROM memory_edges WHERE kind = 'contains' AND to_id = ?)`, id))(scope.ScanMemoryRef)
	if err != nil || len(summaries) == 0 {
		return err
	}
	_, err = Drop(tx, summaries)
	return err
}

// curate changes one memory and returns it.
func (s *Store) curate(ctx context.Context, act string, id int64, change func(tx *db.Tx, m scope.MemoryRef) error) (m model.Memory, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("%s memory %d", act, id), func(tx *db.Tx) error {
		at, err := entry.Locate(tx, id)
		if err != nil {
			return err
		}
		if err := change(tx, at); err != nil {
			return err
		}
		m, err = entry.Memory(tx, id)
		return err
	})
	return m, err
}

// History returns the versions of a memory, oldest first: those it superseded, itself, and those that superseded it. It
// fails with ErrNotFound when there is no such memory.
func (s *Store) History(ctx context.Context, id int64) ([]model.Memory, error) {
	return s.Versions(ctx, id, math.MaxInt)
}

// Versions is History of at most so many versions before a memory and after it.
func (s *Store) Versions(ctx context.Context, id int64, most int) (versions []model.Memory, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read the versions of memory %d", id), func(tx *db.Tx) error {
		is, err := entry.Memory(tx, id)
		if err != nil {
			return err
		}
		older, err := follow(tx, is, most, func(m model.Memory) int64 { return m.Supersedes })
		if err != nil {
			return err
		}
		newer, err := follow(tx, is, most, func(m model.Memory) int64 { return m.SupersededBy })
		slices.Reverse(older)
		versions = slices.Concat(older, []model.Memory{is}, newer)
		return err
	})
	return versions, err
}

// follow returns the memories that follow one after the other, most of them at most.
func follow(tx *db.Tx, m model.Memory, most int, next func(model.Memory) int64) (all []model.Memory, err error) {
	for id := next(m); id != 0 && len(all) < most; id = next(m) {
		if m, err = entry.Memory(tx, id); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}
