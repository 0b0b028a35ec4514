package entry

import (
	"context"
	"fmt"
	"slices"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
	"familiar/memory/understand/reader"
	"familiar/memory/understand/sentences"
)

// sureTold is how sure the reader must be of a fact for a text to count as telling it, 0–1. It is low: recall ranks what it
// finds.
const sureTold = 0.25

// Kinds is the number of kinds of facts.
var Kinds = len(sentences.Relations)

// Told returns which kinds of facts a text tells: bit n stands for the kind n of sentences.Relations.
func Told(text string) (kinds uint64) {
	for _, passage := range reader.Read(text) {
		for _, f := range passage.Facts {
			if n := slices.Index(sentences.Relations, f.Relation); n >= 0 && f.Sure >= sureTold {
				kinds |= 1 << n
			}
		}
	}
	return kinds
}

// Telling is what the text of a message tells.
type Telling struct {
	Message int64
	Text    string
	// Told are the kinds of facts; see Told.
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
