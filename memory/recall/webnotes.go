package recall

import (
	"context"
	"slices"
	"time"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// webNotesRead is how many sentences from the web are considered for one turn.
const webNotesRead = 20

// WebNotes returns what was read on the web since a time and may be brought up to a person in h, newest first, with its topics as
// entities: what everybody may know, and what was read about because the person, perhaps with others, spoke of it.
func (s *Store) WebNotes(ctx context.Context, h scope.Visibility, person int64, since time.Time) (notes []model.Memory, err error) {
	seen, args := h.Where("m") // kind <> '' below lets SQLite use the index of kinds
	err = s.db.Read(ctx, "read what was found on the web", func(tx *db.Tx) error {
		notes, err = db.Collect[model.Memory](tx.Query(entry.MemoryColumns+` WHERE m.persona = ? AND m.kind = 'web' AND m.kind <> '' AND `+seen+`
			AND m.superseded_by IS NULL AND m.tier <> 'dormant' AND m.created_at >= ? AND (m.expires_at IS NULL OR m.expires_at > ?)
			AND (m.audience = 'world' OR EXISTS (SELECT 1 FROM memory_sources s JOIN messages w ON w.id = s.message_id
				WHERE s.memory_id = m.id AND w.person_id = ?)) ORDER BY m.id DESC LIMIT ? + 0`,
			slices.Concat([]any{h.Persona()}, args, []any{db.Millis(since), tx.NowMillis(), person, webNotesRead})...))(entry.ScanMemory)
		if err != nil {
			return err
		}
		for i := range notes {
			notes[i].Entities, err = db.Collect[string](tx.Query(`SELECT entity FROM memory_entities WHERE memory_id = ? ORDER BY entity`, notes[i].ID))(db.ScanText)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return notes, err
}
