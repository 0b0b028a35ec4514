package belief

import (
	"time"

	"familiar/memory/internal/db"
)

// What a message did to a loop.
const (
	loopNew    = "new"
	loopMoved  = "moved" // named it again, at another time when it named one
	loopClosed = "closed"
	loopAgain  = "again"     // spoke of it once more, in other words
	loopStep   = "milestone" // told of a step on the way
)

// loopSource is one message a loop rests on.
type loopSource struct {
	loop, message int64
	kind          string
	at            time.Time // when the message was said
	// dueFrom and dueUntil bound the time it named, zero for none.
	dueFrom, dueUntil time.Time
	// jobRun is the run of the job that read the message a second time, 0 for none.
	jobRun int64
}

// loopState is what follows from a loop's sources.
type loopState struct {
	// message is the oldest that named the loop, since when it was said.
	message int64
	since   time.Time
	// dueFrom and dueUntil are those of the newest source that names a time.
	dueFrom, dueUntil time.Time
	// closed is when the last message to close it was said, zero while nobody has.
	closed time.Time
}

// deriveState is what a loop's sources make of it, given in the order they were said. It is not one any more when none of
// them names it.
func deriveState(sources []loopSource) (state loopState, named bool) {
	for _, s := range sources {
		switch s.kind {
		case loopClosed:
			state.closed = s.at
			continue
		case loopAgain, loopStep: // its words are those of the messages that named it
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

// insertLoopSource adds a source. A message that named the loop before, as one that is read a second time, gains the
// date it did not have.
func insertLoopSource(tx *db.Tx, s loopSource) error {
	if s.kind == loopMoved {
		n, err := tx.Affect(`UPDATE open_loop_sources SET due_from = coalesce(?, due_from), due_until = coalesce(?, due_until)
			WHERE loop_id = ? AND message_id = ? AND kind IN ('new', 'moved')`,
			db.NullMillis(s.dueFrom), db.NullMillis(s.dueUntil), s.loop, s.message)
		if err != nil || n > 0 {
			return err
		}
	}
	_, err := tx.Exec(`INSERT INTO open_loop_sources (loop_id, message_id, kind, due_from, due_until, job_run_id)
		VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		s.loop, s.message, s.kind, db.NullMillis(s.dueFrom), db.NullMillis(s.dueUntil), db.NullID(s.jobRun))
	return err
}

// settleLoop makes a loop what its sources say, or takes it away when none of them names it. It says whether it is
// still there.
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
		status = CASE WHEN ? THEN 'closed' WHEN asked_at IS NOT NULL THEN 'asked' ELSE 'open' END WHERE id = ?`,
		state.message, db.Millis(state.since), db.NullMillis(state.dueFrom), db.NullMillis(state.dueUntil), db.NullMillis(state.closed),
		!state.closed.IsZero(), id)
	return true, err
}
