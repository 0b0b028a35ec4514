package history

import (
	"context"
	"fmt"

	"familiar/memory/internal/db"
)

// Life returns the life of one memory of persona, and the retention below which it becomes dormant. It fails with ErrNotFound if there
// is no such memory.
func (s *Store) Life(ctx context.Context, persona string, memory int64) (life *Life, threshold float64, err error) {
	decay := s.db.Decay()
	err = s.db.Read(ctx, fmt.Sprintf("read the life of memory %d", memory), func(tx *db.Tx) error {
		is, err := db.One(tx.QueryRow(selectLives+` WHERE m.id = ? AND +m.persona = ?`, memory, persona), scanLife)
		if err != nil {
			return err
		}
		events, err := eventsOf(tx, memory)
		if err != nil {
			return fmt.Errorf("what changed in it: %w", err)
		}
		life = &is.Life
		life.unfold(is.created, is.now, decay.RatesOf(persona)[life.Sector], events)
		return nil
	})
	return life, decay.Threshold, err
}

// eventsOf returns the recorded changes of one memory in the order of time.
func eventsOf(tx *db.Tx, memory int64) ([]event, error) {
	return db.Collect[event](tx.Query(`SELECT v.at, v.what, v.gain, v.was FROM (
		SELECT t.ended_at AS at, 'used' AS what, 0.0 AS gain, '' AS was, -1 AS nth FROM turn_items i JOIN turns t ON t.id = i.turn_id
			WHERE i.memory_id = ?1 AND i.used = 1 GROUP BY t.id
		UNION ALL SELECT j.started_at, 'reinforced', r.gain, '', 0 FROM rehearsals r JOIN job_runs j ON j.id = r.job_run_id WHERE r.memory_id = ?1
		UNION ALL SELECT e.at, CASE e.kind WHEN 'tier' THEN 'moved' ELSE 'pinned' END, 0.0, e.was, e.id FROM memory_events e
			WHERE e.memory_id = ?1 AND e.kind <> 'expires') v
		ORDER BY v.at, v.nth`, memory))(func(row db.Scanner) (e event, err error) {
		return e, row.Scan(&e.at, &e.change, &e.gain, &e.was)
	})
}
