package lifecycle

import (
	"slices"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// Drop removes faded memories and returns everything removed: also their older versions, which would otherwise become
// current again, and the summaries of them. Edges, tags, entities and sources go with the rows. The messages stay: this
// is fading, not forgetting.
func Drop(tx *db.Tx, memories []scope.MemoryRef) (gone []scope.MemoryRef, err error) {
	if gone, err = withDerived(tx, memories); err != nil {
		return nil, err
	}
	for _, m := range gone {
		if err := unthread(tx, m.MemoryID); err != nil {
			return nil, err
		}
	}
	if err := markLoose(tx, gone); err != nil {
		return nil, err
	}
	for chunk := range slices.Chunk(gone, db.MaxArgs) {
		in, args := db.Placeholders(scope.MemoryIDs(chunk))
		// The messages of a removed memory stay on record with the answers made from it, so that forgetting a message
		// still finds these answers.
		if _, err := tx.Exec(`INSERT INTO turn_item_lines (turn_id, ord, message_id) SELECT i.turn_id, i.ord, s.message_id
			FROM turn_items i JOIN memory_sources s ON s.memory_id = i.memory_id WHERE i.memory_id IN `+in+` ON CONFLICT DO NOTHING`,
			args...); err != nil {
			return nil, err
		}
		// Sent answers to commands have no other link to what they show, so their text goes with it.
		if _, err := tx.Exec(`UPDATE outbox SET text = '' WHERE status = 'sent' AND id IN
			(SELECT outbox_id FROM outbox_sources WHERE memory_id IN `+in+`)`, args...); err != nil {
			return nil, err
		}
		for _, q := range []string{
			`UPDATE turn_items SET memory_id = NULL WHERE memory_id IN `,
			`UPDATE memories SET supersedes = NULL WHERE supersedes IN `,
			`UPDATE memories SET superseded_by = NULL WHERE superseded_by IN `,
			`DELETE FROM memories WHERE id IN `,
		} {
			if _, err := tx.Exec(q+in, args...); err != nil {
				return nil, err
			}
		}
	}
	if err := removeGreeted(tx, gone); err != nil {
		return nil, err
	}
	return gone, scope.AdvanceMemories(tx, gone, model.ScopeRevision{Epoch: 1})
}

// withDerived adds the older versions of memories and their summaries, repeatedly until nothing is added.
func withDerived(tx *db.Tx, memories []scope.MemoryRef) ([]scope.MemoryRef, error) {
	all, known := slices.Clone(memories), map[int64]bool{}
	for _, m := range all {
		known[m.MemoryID] = true
	}
	for next := all; len(next) > 0; {
		var found []scope.MemoryRef
		for chunk := range slices.Chunk(next, db.MaxArgs) {
			in, args := db.Placeholders(scope.MemoryIDs(chunk))
			more, err := db.Collect[scope.MemoryRef](tx.Query(scope.SelectMemoryRefs+`m.superseded_by IN `+in+` OR m.origin = 'inferred' AND m.id IN
				(SELECT from_id FROM memory_edges WHERE kind = 'contains' AND to_id IN `+in+`)`, slices.Concat(args, args)...))(scope.ScanMemoryRef)
			if err != nil {
				return nil, err
			}
			for _, m := range more {
				if !known[m.MemoryID] {
					known[m.MemoryID], found = true, append(found, m)
				}
			}
		}
		all, next = append(all, found...), found
	}
	return all, nil
}

// markLoose marks the scopes of removed memories that contained or contradicted others as loose: those others may be
// summarized again.
func markLoose(tx *db.Tx, gone []scope.MemoryRef) error {
	holding := map[int64]bool{}
	for chunk := range slices.Chunk(scope.MemoryIDs(gone), db.MaxArgs) {
		in, args := db.Placeholders(chunk)
		ids, err := db.Collect[int64](tx.Query(`SELECT DISTINCT from_id FROM memory_edges WHERE kind IN ('contains', 'contradicts')
			AND from_id IN `+in, args...))(db.ScanID)
		if err != nil {
			return err
		}
		for _, id := range ids {
			holding[id] = true
		}
	}
	return AdvanceEach(tx, slices.DeleteFunc(slices.Clone(gone), func(m scope.MemoryRef) bool { return !holding[m.MemoryID] }), model.ScopeRevision{Unclustered: 1})
}

// unthread takes a memory out of the thread of its session.
func unthread(tx *db.Tx, id int64) error {
	if err := entry.ReembedAfter(tx, id); err != nil {
		return err
	}
	_, err := tx.Exec(`UPDATE memories SET parent_id = (SELECT p.parent_id FROM memories p WHERE p.id = ?) WHERE parent_id = ?`, id, id)
	return err
}

func removeGreeted(tx *db.Tx, memories []scope.MemoryRef) error {
	byPersona := map[string][]int64{}
	for _, m := range memories {
		byPersona[m.Persona] = append(byPersona[m.Persona], m.MemoryID)
	}
	for persona, ids := range byPersona {
		if err := entry.RemoveGreeted(tx, persona, ids, nil); err != nil {
			return err
		}
	}
	return nil
}
