package entry

import (
	"context"
	"fmt"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// Telling is what the text of a message tells.
type Telling struct {
	Message int64
	Text    string
	// Told are the kinds of facts; see understand.Analysis.
	Told uint64
}

// StoreTold stores what messages tell with the memories made of them, as far as those still have the same text, and returns
// how many it changed.
func (s *Store) StoreTold(ctx context.Context, messages []Telling) (changed int, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("store what %d messages tell", len(messages)), func(tx *db.Tx) error {
		var memories []scope.MemoryRef
		for _, t := range messages {
			told, err := db.Collect[scope.MemoryRef](tx.Query(scope.SelectMemoryRefs+`m.origin = 'said' AND m.text = ? AND m.told <> ?
				AND m.id IN (SELECT memory_id FROM memory_sources WHERE message_id = ?)`, t.Text, int64(t.Told), t.Message))(scope.ScanMemoryRef)
			if err != nil {
				return err
			}
			for _, m := range told {
				if _, err := tx.Exec(`UPDATE memories SET told = ? WHERE id = ?`, int64(t.Told), m.MemoryID); err != nil {
					return err
				}
			}
			memories = append(memories, told...)
		}
		changed = len(memories)
		return scope.AdvanceMemories(tx, memories, model.ScopeRevision{Epoch: 1})
	})
	return changed, err
}
