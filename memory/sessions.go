package memory

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrAlreadyDone says that what was to be recorded is recorded: a turn of messages that were answered, or the end of a
// session that has ended. Trying again changes nothing.
var ErrAlreadyDone = errors.New("already done")

const sessionColumns = `SELECT s.id, s.room_id, s.persona, s.parent_id, s.started_at, s.last_at, s.ended_at, s.messages,
	coalesce(s.significance, 0), s.class FROM sessions s`

func scanSession(row scanner) (s Session, err error) {
	err = row.Scan(&s.ID, &s.RoomID, &s.Persona, intoID(&s.ParentID), intoTime(&s.Started), intoTime(&s.Last), intoTime(&s.Ended),
		&s.Messages, &s.Significance, &s.Class)
	return s, err
}

// LatestSession is the last session of persona in a room, ended or not; ErrNotFound before the first.
func (s *Store) LatestSession(ctx context.Context, persona string, roomID int64) (session Session, err error) {
	err = s.read(ctx, fmt.Sprintf("read the latest session in room %d", roomID), func(tx *conn) error {
		session, err = one(tx.row(sessionColumns+` WHERE s.persona = ? AND s.room_id = ? ORDER BY s.id DESC LIMIT 1`, persona, roomID), scanSession)
		return err
	})
	return session, err
}

// Session is one session by id, ErrNotFound when there is none: for operators and jobs.
func (s *Store) Session(ctx context.Context, id int64) (session Session, err error) {
	err = s.read(ctx, fmt.Sprintf("read session %d", id), func(tx *conn) error {
		session, err = tx.session(id)
		return err
	})
	return session, err
}

// IdleSessions are persona's open sessions in which nothing was said since before, the longest idle first; 100 when
// limit is 0. The plus keeps SQLite from reading all that have ended.
func (s *Store) IdleSessions(ctx context.Context, persona string, before time.Time, limit int) (sessions []Session, err error) {
	err = s.read(ctx, "list idle sessions", func(tx *conn) error {
		sessions, err = collect[Session](tx.rows(sessionColumns+` WHERE s.ended_at IS NULL AND s.last_at < ? AND +s.persona = ?
			ORDER BY s.last_at, s.id LIMIT ? + 0`, ms(before), persona, limitOr(limit, 100)))(scanSession)
		return err
	})
	return sessions, err
}

// SessionMessages is what was said in a session, oldest first, the persona's own words included: for operators and
// jobs. ErrNotFound when there is no such session.
func (s *Store) SessionMessages(ctx context.Context, id int64) (messages []Message, err error) {
	err = s.read(ctx, fmt.Sprintf("read the messages of session %d", id), func(tx *conn) error {
		if _, err := tx.session(id); err != nil {
			return err
		}
		messages, err = collect[Message](tx.rows(messageColumns+` WHERE m.session_id = ? ORDER BY m.id`, id))(scanMessage)
		return err
	})
	return messages, err
}

// SessionFilter narrows Sessions. The zero value is every session, newest first.
type SessionFilter struct {
	Persona string
	// Room is a stored room's id.
	Room int64
	// Open keeps only those that have not ended.
	Open bool
	// Limit is how many to return, 100 when 0. Before keeps ids below it, for the next page.
	Limit  int
	Before int64
}

// Sessions lists sessions across rooms, newest first: for operators and jobs.
func (s *Store) Sessions(ctx context.Context, f SessionFilter) (sessions []Session, err error) {
	var where conditions
	if f.Persona != "" {
		where.and("s.persona = ?", f.Persona)
	}
	if f.Room != 0 {
		where.and("s.room_id = ?", f.Room)
	}
	if f.Open {
		where.and("s.ended_at IS NULL")
	}
	if f.Before != 0 {
		where.and("s.id < ?", f.Before)
	}
	err = s.read(ctx, "list sessions", func(tx *conn) error {
		sessions, err = collect[Session](tx.rows(sessionColumns+` WHERE `+where.String()+` ORDER BY s.id DESC LIMIT ? + 0`,
			append(where.args, limitOr(f.Limit, 100))...))(scanSession)
		return err
	})
	return sessions, err
}

func (c *conn) session(id int64) (Session, error) {
	return one(c.row(sessionColumns+` WHERE s.id = ?`, id), scanSession)
}
