package scope

import (
	"slices"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

const (
	// maxChangeSteps is of how many steps of a scope's epoch it is known what they were about: those of some days. An index that
	// has not caught up for longer is read anew.
	maxChangeSteps = 32
	// maxStepMemories is how many memories of a scope are noted one by one: past that it is read anew as fast as mended.
	maxStepMemories = 200
)

// changed notes that memories were changed or removed, and which, each scope's by itself. What they say, who said it and
// when it expires is as it was.
func MarkChanged(tx *db.Tx, memories []MemoryRef) error {
	return AdvanceMemories(tx, memories, model.ScopeRevision{Epoch: 1, Unclustered: 1})
}

// moved adds by's counters, one step of the epoch, to those of each scope the memories are in, and notes which they are.
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

// noteChanges notes what the step just made of a scope's epoch was about, and forgets of the first one noted.
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

// changedBetween are the memories that the steps of a scope's epoch after one and up to another were about; all says that
// of one of them nobody knows.
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
