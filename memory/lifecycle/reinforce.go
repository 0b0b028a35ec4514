package lifecycle

import (
	"slices"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
)

// What a job finds to matter lasts longer, as if it had been recalled, by half as much: nobody spoke of it. Like recalls,
// each rehearsal adds less than the one before, so that nights in a row do not make anything last for ever.
const reinforcementGain = 0.5

// reinforceMemories lets the memories an inference shows to matter last longer, those of its scope, each once in a run.
func reinforceMemories(tx *db.Tx, run int64, persona string, in Inference) error {
	clause, args := scope.MemoryCondition(in.Audience)
	for chunk := range slices.Chunk(db.Distinct(in.Reinforces), db.MaxArgs) {
		ids, which := db.Placeholders(chunk)
		fresh, err := db.Collect[int64](tx.Query(`SELECT m.id FROM memories m WHERE m.persona = ? AND m.tier <> 'dormant' AND m.superseded_by IS NULL
			AND NOT EXISTS (SELECT 1 FROM rehearsals r WHERE r.memory_id = m.id AND r.job_run_id = ?) AND `+clause+` AND m.id IN `+ids,
			slices.Concat([]any{persona, run}, args, which)...))(db.ScanID)
		if err != nil {
			return err
		}
		ids, which = db.Placeholders(fresh)
		if _, err := tx.Exec(`INSERT INTO rehearsals (memory_id, job_run_id, gain)
			SELECT id, ?, ? / (recalls + 1 + (SELECT count(*) FROM rehearsals r WHERE r.memory_id = memories.id))
			FROM memories WHERE id IN `+ids, append([]any{run, reinforcementGain}, which...)...); err != nil {
			return err
		}
		if err := ApplyReinforcements(tx, `+`, run, ` AND id IN `+ids, which); err != nil {
			return err
		}
	}
	return nil
}

// ApplyReinforcements adds what a run gained memories to their strength, or takes it away.
func ApplyReinforcements(tx *db.Tx, sign string, run int64, which string, args []any) error {
	const gain = `(SELECT r.gain FROM rehearsals r WHERE r.memory_id = memories.id AND r.job_run_id = ?)`
	_, err := tx.Exec(`UPDATE memories SET strength = strength `+sign+` `+gain+`, forget_at = forget_at `+sign+` CAST(lasts * `+gain+` AS INTEGER)
		WHERE id IN (SELECT memory_id FROM rehearsals WHERE job_run_id = ?)`+which, append([]any{run, run, run}, args...)...)
	return err
}
