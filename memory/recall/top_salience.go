package recall

import (
	"cmp"
	"context"
	"slices"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// salientThreshold is the salience from which a memory is listed first: statements that matter, not questions or small
// talk.
const salientThreshold = 0.5

// topBySalience returns the memories visible in h that meet a condition, salient ones first, newest first within both
// groups. It reads each audience from its newest memory on and no further than limit, so that old talk costs nothing.
func topBySalience(tx *db.Tx, h scope.Visibility, condition string, args []any, limit int) (memories []model.Memory, err error) {
	for _, salience := range []string{` AND m.salience >= ?`, ` AND m.salience < ?`} {
		more, err := newestMatching(tx, h, condition+salience, append(slices.Clone(args), salientThreshold), limit-len(memories))
		if err != nil {
			return nil, err
		}
		if memories = append(memories, more...); len(memories) >= limit {
			break
		}
	}
	return memories, nil
}

// newestMatching returns the newest memories visible in h that meet a condition, without superseded versions and
// expired ones.
func newestMatching(tx *db.Tx, h scope.Visibility, condition string, args []any, limit int) (memories []model.Memory, err error) {
	for _, a := range h.Audiences() {
		clause, ref := scope.MemoryCondition(a)
		some, err := db.Collect[model.Memory](tx.Query(entry.MemoryColumns+` WHERE m.persona = ? AND `+clause+` AND m.superseded_by IS NULL
			AND (m.expires_at IS NULL OR m.expires_at > ?) AND `+condition+` ORDER BY m.id DESC LIMIT ? + 0`,
			slices.Concat([]any{h.Persona()}, ref, []any{tx.NowMillis()}, args, []any{limit})...))(entry.ScanMemory)
		if err != nil {
			return nil, err
		}
		memories = append(memories, some...)
	}
	return Newest(memories, limit), nil
}

// Newest returns the newest of memories, at most limit, newest first. It sorts memories in place.
func Newest(memories []model.Memory, limit int) []model.Memory {
	slices.SortFunc(memories, func(a, b model.Memory) int { return cmp.Compare(b.ID, a.ID) })
	return memories[:min(limit, len(memories))]
}

// MemoriesFor lists the memories visible in h that can be recalled, salient ones first, newest first within both
// groups; 20 when limit is 0. Superseded versions are left out.
func (s *Store) MemoriesFor(ctx context.Context, h scope.Visibility, limit int) (memories []model.Memory, err error) {
	err = s.db.Read(ctx, "list the memories of a room", func(tx *db.Tx) error {
		memories, err = topBySalience(tx, h, scope.RecallableKinds, nil, db.LimitOr(limit, 20))
		return err
	})
	return memories, err
}

// Newest lists the newest memories visible in h that can be recalled, newest first; 20 when limit is 0. With sectors it
// lists only these. Superseded versions are left out.
func (s *Store) Newest(ctx context.Context, h scope.Visibility, limit int, sectors ...model.Sector) (memories []model.Memory, err error) {
	where := db.Conditions{}
	where.And(scope.RecallableKinds)
	if len(sectors) > 0 {
		in, args := db.Placeholders(sectors)
		where.And("m.sector IN "+in, args...)
	}
	err = s.db.Read(ctx, "list the newest memories of a room", func(tx *db.Tx) error {
		memories, err = newestMatching(tx, h, where.String(), where.Args, db.LimitOr(limit, 20))
		return err
	})
	return memories, err
}
