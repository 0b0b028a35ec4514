package belief

import (
	"time"

	"familiar/memory/internal/db"
)

// The effect of a message on a loop.
const (
	loopNew    = "new"
	loopMoved  = "moved" // named it again, possibly with another time
	loopClosed = "closed"
	loopAgain  = "again"     // mentioned it in other words
	loopStep   = "milestone" // reported progress
)

// loopSource is one message that a loop is based on.
type loopSource struct {
	loop, message int64
	kind          string
	at            time.Time // when the message was sent
	// dueFrom and dueUntil bound the time it named, zero for none.
	dueFrom, dueUntil time.Time
	// jobRun is the run of the job that read the message a second time, 0 for none.
	jobRun int64
}

// loopState is derived from a loop's sources.
type loopState struct {
	// message is the oldest message that named the loop, since its time.
	message int64
	since   time.Time
	// dueFrom and dueUntil come from the newest source that names a time.
	dueFrom, dueUntil time.Time
	// closed is the time of the last message that closed it, zero for none.
	closed time.Time
}

// deriveState computes a loop's state from its sources in the order they were said. named is false if none of them
// names the loop, which then no longer exists.
func deriveState(sources []loopSource) (state loopState, named bool) {
	for _, s := range sources {
		switch s.kind {
		case loopClosed:
			state.closed = s.at
			continue
		case loopAgain, loopStep: // the loop keeps the words of the messages that named it
			continue
		}
		if !named {
			state.message, state.since, named = s.message, s.at, true
		}
		if !s.dueFrom.IsZero() {
			state.dueFrom, state.dueUntil = s.dueFrom, s.dueUntil
		}
	}
	return state, named
}

// insertLoopSource adds a source. If the message already named the loop, as on a second reading, its source only gains
// the missing date.
func insertLoopSource(tx *db.Tx, s loopSource) error {
	from, until := db.NullMillis(s.dueFrom), db.NullMillis(s.dueUntil)
	if s.kind == loopMoved {
		if _, err := tx.Exec(`UPDATE open_loop_sources SET due_from = coalesce(?, due_from), due_until = coalesce(?, due_until)
			WHERE loop_id = ? AND message_id = ? AND kind IN ('new', 'moved')`, from, until, s.loop, s.message); err != nil {
			return err
		}
	}
	_, err := tx.Exec(`INSERT INTO open_loop_sources (loop_id, message_id, kind, due_from, due_until, job_run_id)
		SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE ?3 <> 'moved' OR NOT EXISTS (SELECT 1 FROM open_loop_sources
			WHERE loop_id = ?1 AND message_id = ?2 AND kind IN ('new', 'moved')) ON CONFLICT DO NOTHING`,
		s.loop, s.message, s.kind, from, until, db.NullID(s.jobRun))
	return err
}

// RecomputeLoop updates a loop from its sources, or deletes it if none of them names it. It reports whether the loop
// still exists.
func RecomputeLoop(tx *db.Tx, id int64) (there bool, err error) {
	sources, err := db.Collect[loopSource](tx.Query(`SELECT s.loop_id, s.message_id, s.kind, m.at, s.due_from, s.due_until
		FROM open_loop_sources s JOIN messages m ON m.id = s.message_id WHERE s.loop_id = ? ORDER BY m.at, m.id`, id))(
		func(row db.Scanner) (s loopSource, err error) {
			err = row.Scan(&s.loop, &s.message, &s.kind, db.IntoTime(&s.at), db.IntoTime(&s.dueFrom), db.IntoTime(&s.dueUntil))
			return s, err
		})
	if err != nil {
		return false, err
	}
	if err := releaseKept(tx, id); err != nil {
		return false, err
	}
	state, named := deriveState(sources)
	if !named {
		for _, q := range []string{
			`UPDATE open_loops SET evolved_into = NULL WHERE evolved_into = ?`,
			`DELETE FROM open_loops WHERE id = ?`,
		} {
			if _, err := tx.Exec(q, id); err != nil {
				return false, err
			}
		}
		return false, nil
	}
	_, err = tx.Exec(`UPDATE open_loops SET message_id = ?, created_at = ?, due_from = ?, due_until = ?, closed_at = ?,
		status = CASE WHEN ? = 1 THEN 'closed' WHEN asked_at IS NOT NULL THEN 'asked' ELSE 'open' END WHERE id = ?`,
		state.message, db.Millis(state.since), db.NullMillis(state.dueFrom), db.NullMillis(state.dueUntil), db.NullMillis(state.closed),
		!state.closed.IsZero(), id)
	return true, err
}
