package lifecycle

import (
	"slices"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// Undo removes memories as if they had never been made, in the order of their ids: what they superseded is current again, with its
// edges. It returns everything removed, as Drop does.
func Undo(tx *db.Tx, made []scope.MemoryRef) (gone []scope.MemoryRef, err error) {
	if err := reinstate(tx, made); err != nil {
		return nil, err
	}
	if gone, err = Drop(tx, made); err != nil {
		return nil, err
	}
	return gone, AdvanceEach(tx, made, model.ScopeRevision{Edges: 1, Unclustered: 1})
}

// reinstate makes the memories that others superseded current again, with their edges.
func reinstate(tx *db.Tx, made []scope.MemoryRef) error {
	ids := scope.MemoryIDs(made)
	for _, newer := range slices.Backward(ids) { // a version gives its edges to the one before it
		var older int64
		if err := tx.QueryRow(`SELECT coalesce(supersedes, 0) FROM memories WHERE id = ?`, newer).Scan(&older); err != nil {
			return err
		}
		if older == 0 {
			continue
		}
		if err := CopyEdges(tx, newer, older); err != nil {
			return err
		}
		if slices.Contains(ids, older) {
			continue
		}
		if _, err := tx.Exec(`UPDATE memories SET superseded_by = NULL WHERE id = ?`, older); err != nil {
			return err
		}
	}
	return nil
}
