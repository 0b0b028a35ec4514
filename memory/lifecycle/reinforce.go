package lifecycle

import (
	"slices"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
)

// reinforcementGain is the strength that an important memory gains: half of a recall, because nobody spoke of it. As
// with recalls, each gain is smaller than the one before, so that daily jobs do not make a memory permanent.
const reinforcementGain = 0.5

// reinforceMemories strengthens the memories an inference reinforces, those of its scope, each once per run.
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

// ApplyReinforcements adds what a run gave memories to their strength, or subtracts it; sign is "+" or "-", and which
// selects the memories.
func ApplyReinforcements(tx *db.Tx, sign string, run int64, which string, args []any) error {
	const gain = `(SELECT r.gain FROM rehearsals r WHERE r.memory_id = memories.id AND r.job_run_id = ?)`
	_, err := tx.Exec(`UPDATE memories SET strength = strength `+sign+` `+gain+`, forget_at = forget_at `+sign+` CAST(lasts * `+gain+` AS INTEGER)
		WHERE id IN (SELECT memory_id FROM rehearsals WHERE job_run_id = ?)`+which, append([]any{run, run, run}, args...)...)
	return err
}
