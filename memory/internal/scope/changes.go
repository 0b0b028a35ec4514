package scope

import (
	"slices"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

const (
	// maxChangeSteps is how many epoch steps of a scope are recorded with their memories, about those of some days. An
	// index that is further behind is rebuilt.
	maxChangeSteps = 32
	// maxStepMemories is how many memories of a step are recorded. Beyond that, rebuilding an index is as fast as
	// updating it.
	maxStepMemories = 200
)

// MarkChanged records that memories were changed or removed, separately for each scope. Their text, author and expiry
// must be unchanged.
func MarkChanged(tx *db.Tx, memories []MemoryRef) error {
	return AdvanceMemories(tx, memories, model.ScopeRevision{Epoch: 1, Unclustered: 1})
}

// AdvanceMemories adds by's counters, including one epoch step, to each scope of the memories and records which
// memories the step concerned.
func AdvanceMemories(tx *db.Tx, memories []MemoryRef, by model.ScopeRevision) error {
	byScope := map[Key][]int64{}
	var scopes []Key
	for _, m := range memories {
		if byScope[m.Scope()] == nil {
			scopes = append(scopes, m.Scope())
		}
		byScope[m.Scope()] = append(byScope[m.Scope()], m.MemoryID)
	}
	for _, s := range scopes {
		by.Audience = s.Audience
		if err := Advance(tx, s.Persona, by); err != nil {
			return err
		}
		if err := noteChanges(tx, s, db.Distinct(byScope[s])); err != nil {
			return err
		}
	}
	return nil
}

// noteChanges records which memories the latest epoch step of a scope concerned, and deletes the oldest recorded step.
func noteChanges(tx *db.Tx, s Key, memories []int64) error {
	scope := []any{s.Persona, s.Audience.Kind, s.Audience.Ref}
	epoch, err := db.One(tx.QueryRow(`SELECT epoch FROM scopes WHERE persona = ? AND audience = ? AND ref = ?`, scope...), db.ScanID)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM scope_changes WHERE persona = ? AND audience = ? AND ref = ? AND epoch <= ?`,
		append(slices.Clone(scope), epoch-maxChangeSteps)...); err != nil || len(memories) > maxStepMemories {
		return err
	}
	rows := make([][]any, len(memories))
	for i, id := range memories {
		rows[i] = append(slices.Clone(scope), epoch, id)
	}
	return tx.InsertRows("scope_changes (persona, audience, ref, epoch, memory_id)", rows)
}

// ChangedMemories returns the memories that changed in the epoch steps of a scope after one epoch up to another. all
// reports that at least one step is not recorded, so any memory may have changed.
func ChangedMemories(tx *db.Tx, s Key, after, now int64) (memories []int64, all bool, err error) {
	steps, last := int64(0), after
	memories, err = db.Collect[int64](tx.Query(`SELECT epoch, memory_id FROM scope_changes
		WHERE persona = ? AND audience = ? AND ref = ? AND epoch > ? ORDER BY epoch, memory_id`,
		s.Persona, s.Audience.Kind, s.Audience.Ref, after))(func(row db.Scanner) (id int64, err error) {
		var epoch int64
		err = row.Scan(&epoch, &id)
		if epoch != last {
			steps, last = steps+1, epoch
		}
		return id, err
	})
	return db.Distinct(memories), steps != now-after, err
}
