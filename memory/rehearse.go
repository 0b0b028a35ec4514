package memory

import "slices"

// What a job finds to matter lasts longer, as if it had been recalled, by half as much: nobody spoke of it. Like recalls,
// each rehearsal adds less than the one before, so that nights in a row do not make anything last for ever.
const rehearsalGain = 0.5

// strengthenBy lets the memories an inference shows to matter last longer, those of its scope, each once in a run.
func (c *conn) strengthenBy(run int64, persona string, in Inference) error {
	clause, args := scopeClause(in.Audience)
	for chunk := range slices.Chunk(distinct(in.Strengthens), maxList) {
		ids, which := list(chunk)
		fresh, err := collect[int64](c.rows(`SELECT m.id FROM memories m WHERE m.persona = ? AND m.tier <> 'dormant' AND m.superseded_by IS NULL
			AND NOT EXISTS (SELECT 1 FROM rehearsals r WHERE r.memory_id = m.id AND r.job_run_id = ?) AND `+clause+` AND m.id IN `+ids,
			slices.Concat([]any{persona, run}, args, which)...))(scanID)
		if err != nil {
			return err
		}
		ids, which = list(fresh)
		if _, err := c.exec(`INSERT INTO rehearsals (memory_id, job_run_id, gain)
			SELECT id, ?, ? / (recalls + 1 + (SELECT count(*) FROM rehearsals r WHERE r.memory_id = memories.id))
			FROM memories WHERE id IN `+ids, append([]any{run, rehearsalGain}, which...)...); err != nil {
			return err
		}
		if err := c.applyRehearsals(`+`, run, ` AND id IN `+ids, which); err != nil {
			return err
		}
	}
	return nil
}

// revertRehearsals takes back what a run made stronger.
func (c *conn) revertRehearsals(persona string, run int64, r *Reverted) error {
	if err := c.applyRehearsals(`-`, run, ` AND persona = ?`, []any{persona}); err != nil {
		return err
	}
	n, err := c.affect(`DELETE FROM rehearsals WHERE job_run_id = ? AND memory_id IN (SELECT id FROM memories WHERE persona = ?)`, run, persona)
	r.Strengthened = int(n)
	return err
}

// applyRehearsals adds what a run gained memories to their strength, or takes it away.
func (c *conn) applyRehearsals(sign string, run int64, which string, args []any) error {
	const gain = `(SELECT r.gain FROM rehearsals r WHERE r.memory_id = memories.id AND r.job_run_id = ?)`
	_, err := c.exec(`UPDATE memories SET strength = strength `+sign+` `+gain+`, forget_at = forget_at `+sign+` CAST(lasts * `+gain+` AS INTEGER)
		WHERE id IN (SELECT memory_id FROM rehearsals WHERE job_run_id = ?)`+which, append([]any{run, run, run}, args...)...)
	return err
}
