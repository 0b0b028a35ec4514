package turns

import (
	"context"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

const (
	// readTries is how often in a row a model's answer about a session may be of no use before it counts as a failure.
	readTries = 3
	// readAgainAfter is when a failed session is tried once more.
	readAgainAfter = 24 * time.Hour
	// manyUnread is how many unread messages make a running session worth reading before it pauses, so that talk is read
	// before it is folded into episodes.
	manyUnread = 24
)

// UnreadSession is a session with messages that no model has read, or without a model's summary.
type UnreadSession struct {
	model.Session
	// ReadTo is the last message that was read, 0 for none.
	ReadTo int64
}

// Running reports whether the session goes on.
func (u UnreadSession) Running() bool { return u.Ended.IsZero() }

// unread is the condition that a person's message of session s was not read.
const unread = `m.session_id = s.id AND m.id > coalesce(s.read_to, 0) AND m.person_id IS NOT NULL AND m.text <> ''`

// UnreadSessions returns persona's sessions for a model to read, the longest silent first, 100 when limit is 0: those
// that ended within model.RefineWithin and have no model's summary, and running ones with unread messages that are silent since
// quiet or have many of them. Sessions for which the model's answers were of no use three times in a row are left out for
// a day.
func (s *Store) UnreadSessions(ctx context.Context, persona string, quiet time.Time, limit int) (sessions []UnreadSession, err error) {
	err = s.db.Read(ctx, "list unread sessions", func(tx *db.Tx) error {
		sessions, err = db.Collect[UnreadSession](tx.Query(`SELECT s.id, s.room_id, s.persona, s.parent_id, s.started_at, s.last_at, s.ended_at,
			s.messages, coalesce(s.significance, 0), s.class, coalesce(s.read_to, 0) FROM sessions s
			WHERE s.id IN (SELECT id FROM sessions WHERE persona = ?1 AND ended_at IS NOT NULL AND refined_at IS NULL AND ended_at > ?4
				UNION ALL SELECT id FROM sessions WHERE ended_at IS NULL AND +persona = ?1)
			AND (s.read_tries < ?2 OR s.read_tried_at <= ?3)
			AND (s.ended_at IS NOT NULL OR s.ended_at IS NULL AND s.last_at <= ?5 AND EXISTS (SELECT 1 FROM messages m WHERE `+unread+`)
				OR s.ended_at IS NULL AND (SELECT count(*) FROM messages m WHERE `+unread+`) >= ?6)
			ORDER BY s.last_at, s.id LIMIT ?7 + 0`,
			persona, readTries, db.Millis(tx.Now.Add(-readAgainAfter)), db.Millis(tx.Now.Add(-model.RefineWithin)), db.Millis(quiet), manyUnread,
			db.LimitOr(limit, 100)))(scanUnread)
		return err
	})
	return sessions, err
}

// UnreadSession returns one session with how far a model has read it. It fails with ErrNotFound when there is none.
func (s *Store) UnreadSession(ctx context.Context, id int64) (session UnreadSession, err error) {
	err = s.db.Read(ctx, "read how far a session was read", func(tx *db.Tx) error {
		session, err = db.One(tx.QueryRow(`SELECT s.id, s.room_id, s.persona, s.parent_id, s.started_at, s.last_at, s.ended_at,
			s.messages, coalesce(s.significance, 0), s.class, coalesce(s.read_to, 0) FROM sessions s WHERE s.id = ?`, id), scanUnread)
		return err
	})
	return session, err
}

func scanUnread(row db.Scanner) (u UnreadSession, err error) {
	s := &u.Session
	err = row.Scan(&s.ID, &s.RoomID, &s.Persona, db.IntoID(&s.ParentID), db.IntoTime(&s.Started), db.IntoTime(&s.Last), db.IntoTime(&s.Ended),
		&s.Messages, &s.Significance, &s.Class, &u.ReadTo)
	return u, err
}

// NoteUselessReading records that a model's answer about a session was of no use. It reports whether that was the last
// of three tries in a row: the session then counts as failed, and is tried once a day.
func (s *Store) NoteUselessReading(ctx context.Context, session int64) (failed bool, err error) {
	err = s.db.Write(ctx, "record a useless reading", func(tx *db.Tx) error {
		if _, err := tx.Exec(`UPDATE sessions SET read_tries = read_tries + 1, read_tried_at = ? WHERE id = ?`, tx.NowMillis(), session); err != nil {
			return err
		}
		return tx.QueryRow(`SELECT read_tries >= ? FROM sessions WHERE id = ?`, readTries, session).Scan(&failed)
	})
	return failed, err
}

// FailedReadings counts persona's sessions that a model failed to read three times in a row, and that are still tried.
func (s *Store) FailedReadings(ctx context.Context, persona string) (n int, err error) {
	err = s.db.Read(ctx, "count failed readings", func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT count(*) FROM sessions WHERE persona = ? AND read_tries >= ? AND refined_at IS NULL
			AND (ended_at IS NULL OR ended_at > ?)`, persona, readTries, db.Millis(tx.Now.Add(-model.RefineWithin))).Scan(&n)
	})
	return n, err
}

// noteRead moves the cursor of a session. An ended session is done with its last message.
func noteRead(tx *db.Tx, r Refinement) error {
	n, err := tx.Affect(`UPDATE sessions AS s SET read_to = CASE WHEN ?2 > coalesce(read_to, 0) THEN ?2 ELSE read_to END,
		read_tries = 0, read_tried_at = NULL WHERE id = ?1 AND coalesce(read_to, 0) = ?3 AND refined_at IS NULL`, r.ID, r.To, r.From)
	if err == nil && n == 0 {
		err = ErrAlreadyDone
	}
	if err != nil || r.Running {
		return err
	}
	_, err = tx.Exec(`UPDATE sessions AS s SET refined_at = ? WHERE id = ? AND (? = 0 OR NOT EXISTS (SELECT 1 FROM messages m WHERE `+unread+`))`,
		tx.NowMillis(), r.ID, r.To)
	return err
}
