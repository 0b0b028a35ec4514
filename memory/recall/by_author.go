package recall

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// ByAuthor lists what a person said themselves and may be heard in h: salient memories first, newest first within both
// groups; 20 when limit is 0. Outdated values are left out or marked, as in packed context. Standing instructions and
// dormant memories are left out.
func (s *Store) ByAuthor(ctx context.Context, h scope.Visibility, person int64, limit int) (memories []model.Memory, err error) {
	err = s.db.Read(ctx, "list what a person said", func(tx *db.Tx) error {
		believed, err := s.visibleBeliefs(tx, h)
		if err != nil {
			return err
		}
		memories, err = topBySalience(tx, h, `m.author_id = ? AND m.origin = 'said' AND m.instruction = 0 AND m.tier <> 'dormant'`,
			[]any{person}, db.LimitOr(limit, 20))
		markOutdated(memories, believed.Marker)
		return err
	})
	return memories, err
}

// SaidBetween lists what a person said themselves from one time up to another and may be heard in h, newest first, at most
// limit.
func (s *Store) SaidBetween(ctx context.Context, h scope.Visibility, person int64, from, until time.Time, limit int) (memories []model.Memory, err error) {
	err = s.db.Read(ctx, "list what a person said in a time", func(tx *db.Tx) error {
		memories, err = newestMatching(tx, h, `m.author_id = ? AND m.origin = 'said' AND m.created_at >= ? AND m.created_at < ?`,
			[]any{person, db.Millis(from), db.Millis(until)}, limit)
		return err
	})
	return memories, err
}

// OwnMemories lists what a person said themselves and what was concluded about them, as far as it can be recalled and may be heard in
// h, newest first; 20 when limit is 0. before selects ids below it, for the next page, 0 for the first.
func (s *Store) OwnMemories(ctx context.Context, h scope.Visibility, person, before int64, limit int) (memories []model.Memory, err error) {
	if before == 0 {
		before = math.MaxInt64
	}
	err = s.db.Read(ctx, fmt.Sprintf("list the memories of person %d", person), func(tx *db.Tx) error {
		// It begins with what is theirs: in a group, that may be little of what was said.
		seen, args := h.Where("+m") // the sign keeps SQLite from the indexes of audiences
		memories, err = db.Collect[model.Memory](tx.Query(entry.MemoryColumns+` WHERE m.id IN (SELECT id FROM memories WHERE author_id = ?1 AND origin = 'said'
				UNION SELECT memory_id FROM memory_about WHERE person_id = ?1) AND m.id < ?2 AND m.persona = ?3 AND m.superseded_by IS NULL
			AND (m.expires_at IS NULL OR m.expires_at > ?4) AND `+scope.RecallableKinds+` AND `+seen+` ORDER BY m.id DESC LIMIT ? + 0`,
			slices.Concat([]any{person, before, h.Persona(), tx.NowMillis()}, args, []any{db.LimitOr(limit, 20)})...))(entry.ScanMemory)
		return err
	})
	return memories, err
}

// visibleBeliefs returns what is believed now and may be heard in h.
func (s *Store) visibleBeliefs(tx *db.Tx, h scope.Visibility) (*belief.VisibleBeliefs, error) {
	at, err := scope.Revisions(tx, h.Persona(), h.Audiences())
	if err != nil {
		return nil, err
	}
	return s.beliefs.Visible(tx, h, at)
}

// markOutdated marks what no longer holds in the texts: values whose belief changed, and statements taken back in other
// words.
func markOutdated(memories []model.Memory, mark belief.Marker) {
	lines := make([]model.SnippetLine, len(memories))
	var withdrawn retractions
	for i, m := range memories {
		lines[i] = model.SnippetLine{PersonID: m.AuthorID, At: m.Created, Text: m.Text}
		withdrawn.add(&lines[i])
	}
	for i := range lines {
		memories[i].Text = withdrawn.mark(&lines[i], mark.Mark(lines[i]))
	}
}

// MadeOf returns the memories visible in h of what a person said in the given messages, oldest first.
func (s *Store) MadeOf(ctx context.Context, h scope.Visibility, person int64, messages []int64) (memories []model.Memory, err error) {
	where, args := h.Where("m")
	in, ids := db.Placeholders(messages)
	err = s.db.Read(ctx, fmt.Sprintf("find what person %d said in messages", person), func(tx *db.Tx) error {
		memories, err = db.Collect[model.Memory](tx.Query(entry.MemoryColumns+` WHERE `+where+` AND m.origin = 'said' AND m.author_id = ?
			AND m.id IN (SELECT memory_id FROM memory_sources WHERE message_id IN `+in+`) ORDER BY m.id`,
			slices.Concat(args, []any{person}, ids)...))(entry.ScanMemory)
		return err
	})
	return memories, err
}
