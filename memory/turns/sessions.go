package turns

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/log"
	"familiar/memory/model"
)

// ErrAlreadyDone reports that the turn or the end of the session was recorded before. Trying again changes nothing.
var ErrAlreadyDone = errors.New("already done")

const sessionColumns = `SELECT s.id, s.room_id, s.persona, s.parent_id, s.started_at, s.last_at, s.ended_at, s.messages,
	coalesce(s.significance, 0), s.class FROM sessions s`

func scanSession(row db.Scanner) (s model.Session, err error) {
	err = row.Scan(&s.ID, &s.RoomID, &s.Persona, db.IntoID(&s.ParentID), db.IntoTime(&s.Started), db.IntoTime(&s.Last), db.IntoTime(&s.Ended),
		&s.Messages, &s.Significance, &s.Class)
	return s, err
}

// LatestSession returns the last session of persona in a room, ended or not. It fails with ErrNotFound before the
// first.
func (s *Store) LatestSession(ctx context.Context, persona string, roomID int64) (session model.Session, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read the latest session in room %d", roomID), func(tx *db.Tx) error {
		session, err = db.One(tx.QueryRow(sessionColumns+` WHERE s.persona = ? AND s.room_id = ? ORDER BY s.id DESC LIMIT 1`, persona, roomID), scanSession)
		return err
	})
	return session, err
}

// Session returns one session, ErrNotFound when there is none: for operators and jobs.
func (s *Store) Session(ctx context.Context, id int64) (session model.Session, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read session %d", id), func(tx *db.Tx) error {
		session, err = readSession(tx, id)
		return err
	})
	return session, err
}

// IdleSessions returns persona's open sessions without a message since before, the longest idle first, 100 when limit
// is 0. The plus sign keeps SQLite from reading all ended sessions.
func (s *Store) IdleSessions(ctx context.Context, persona string, before time.Time, limit int) (sessions []model.Session, err error) {
	err = s.db.Read(ctx, "list idle sessions", func(tx *db.Tx) error {
		sessions, err = db.Collect[model.Session](tx.Query(sessionColumns+` WHERE s.ended_at IS NULL AND s.last_at < ? AND +s.persona = ?
			ORDER BY s.last_at, s.id LIMIT ? + 0`, db.Millis(before), persona, db.LimitOr(limit, 100)))(scanSession)
		return err
	})
	return sessions, err
}

// SessionMessages returns the messages of a session, oldest first, the persona's own included: for operators and jobs.
// It fails with ErrNotFound when there is no such session.
func (s *Store) SessionMessages(ctx context.Context, id int64) (messages []model.Message, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read the messages of session %d", id), func(tx *db.Tx) error {
		if _, err := readSession(tx, id); err != nil {
			return err
		}
		messages, err = db.Collect[model.Message](tx.Query(log.SelectMessages+` WHERE m.session_id = ? ORDER BY m.id`, id))(log.ScanMessage)
		return err
	})
	return messages, err
}

// SessionFilter narrows Sessions. The zero value selects every session, newest first.
type SessionFilter struct {
	Persona string
	// Room is the stored id of a room. Rooms are those of some rooms, all if nil.
	Room  int64
	Rooms []int64
	// Person selects sessions in which somebody spoke.
	Person int64
	// Open selects sessions that have not ended.
	Open bool
	// Limit is how many to return, 100 when 0. Before selects ids below it, for the next page.
	Limit  int
	Before int64
}

// Sessions lists sessions across rooms, newest first: for operators and jobs.
func (s *Store) Sessions(ctx context.Context, f SessionFilter) (sessions []model.Session, err error) {
	var where db.Conditions
	if f.Persona != "" {
		where.And("s.persona = ?", f.Persona)
	}
	if f.Room != 0 {
		where.And("s.room_id = ?", f.Room)
	}
	if f.Rooms != nil {
		in, ids := db.Placeholders(f.Rooms)
		where.And("s.room_id IN "+in, ids...)
	}
	if f.Person != 0 {
		where.And("s.id IN (SELECT x.session_id FROM messages x WHERE x.person_id = ?)", f.Person)
	}
	if f.Open {
		where.And("s.ended_at IS NULL")
	}
	if f.Before != 0 {
		where.And("s.id < ?", f.Before)
	}
	err = s.db.Read(ctx, "list sessions", func(tx *db.Tx) error {
		sessions, err = db.Collect[model.Session](tx.Query(sessionColumns+` WHERE `+where.String()+` ORDER BY s.id DESC LIMIT ? + 0`,
			append(where.Args, db.LimitOr(f.Limit, 100))...))(scanSession)
		return err
	})
	return sessions, err
}

func readSession(tx *db.Tx, id int64) (model.Session, error) {
	return db.One(tx.QueryRow(sessionColumns+` WHERE s.id = ?`, id), scanSession)
}
