package turns

import (
	"context"
	"fmt"
	"time"

	"familiar/channels"
	"familiar/memory/belief"
	"familiar/memory/internal/db"
	"familiar/memory/log"
	"familiar/memory/model"
)

// ProactiveState is what decides whether persona may start talk with the person of a direct room.
type ProactiveState struct {
	Person model.Person
	Room   model.Room
	// Wrote is when they last wrote anywhere, WroteHere in the room; zero for never. A command counts as writing.
	Wrote, WroteHere time.Time
	// Spoke is when persona last wrote to them first. Answered reports that they have written to it in private since.
	Spoke    time.Time
	Answered bool
	// QuietSince is since when they want persona never to write first, or not to listen to them, zero when they do not mind.
	QuietSince time.Time
	// Today counts the proactive messages reserved for the requested day.
	Today int
	// Waiting counts the room's messages that wait for an answer, Saying those that wait to be sent.
	Waiting, Saying int
}

// ProactiveState reads the state between persona and the person of a direct room on a day, YYYY-MM-DD in the person's
// calendar. It fails with ErrNotFound when there is no such room.
func (s *Store) ProactiveState(ctx context.Context, persona string, room int64, day string) (st ProactiveState, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read the proactive state of %s in room %d", persona, room), func(tx *db.Tx) error {
		st, err = proactiveState(tx, persona, room, day)
		return err
	})
	return st, err
}

func proactiveState(tx *db.Tx, persona string, room int64, day string) (st ProactiveState, err error) {
	if st.Room, err = log.RoomByID(tx, room); err != nil {
		return st, err
	}
	if st.Person, err = log.Person(tx, st.Room.PersonID); err != nil {
		return st, err
	}
	var alone time.Time
	r := st.Room
	err = tx.QueryRow(`SELECT
		(SELECT max(last_spoke) FROM room_people WHERE person_id = ?2),
		(SELECT last_spoke FROM room_people WHERE person_id = ?2 AND room_id = ?3),
		(SELECT max(p.last_spoke) FROM room_people p JOIN rooms r ON r.id = p.room_id WHERE p.person_id = ?2 AND r.person_id = ?2),
		(SELECT max(at) FROM unasked_decisions WHERE persona = ?1 AND person_id = ?2 AND sent = 1),
		coalesce((SELECT quiet_since FROM relationships WHERE persona = ?1 AND person_id = ?2),
			(SELECT since FROM paused WHERE persona = ?1 AND person_id = ?2 AND room_id IS NULL)),
		coalesce((SELECT times FROM unasked WHERE persona = ?1 AND person_id = ?2 AND day = ?4), 0),
		(SELECT count(*) FROM inbox WHERE persona = ?1 AND channel = ?5 AND room = ?6 AND thread = ?7 AND status = 'pending'),
		(SELECT count(*) FROM outbox WHERE persona = ?1 AND room_id = ?3 AND status = 'pending')`,
		persona, st.Person.ID, r.ID, day, r.Channel, r.Room.ID, r.Thread).Scan(
		db.IntoTime(&st.Wrote), db.IntoTime(&st.WroteHere), db.IntoTime(&alone), db.IntoTime(&st.Spoke), db.IntoTime(&st.QuietSince),
		&st.Today, &st.Waiting, &st.Saying)
	st.Answered = alone.After(st.Spoke)
	return st, err
}

// DueLoops returns the open plans, promises and questions of everybody whose time touches the span, by person. It is
// for jobs; a reply must never be made from it.
func (s *Store) DueLoops(ctx context.Context, persona string, from, until time.Time) (loops []model.Loop, err error) {
	err = s.db.ReadOne(ctx, "list due loops", func(tx *db.Tx) error {
		loops, err = db.Collect[model.Loop](tx.Query(belief.SelectLoops+` WHERE l.persona = ? AND l.status IN ('open', 'asked')
			AND l.kind IN ('plan', 'promise', 'question') AND l.due_from <= ? AND coalesce(l.due_until, l.due_from) >= ?
			ORDER BY l.person_id, l.id`, persona, db.Millis(until), db.Millis(from)))(belief.ScanLoop)
		return err
	})
	return loops, err
}

// DirectRooms returns the direct rooms in which a person has spoken, the latest first.
func (s *Store) DirectRooms(ctx context.Context, person int64) (rooms []model.Room, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("find the direct rooms of person %d", person), func(tx *db.Tx) error {
		rooms, err = db.Collect[model.Room](tx.Query(`SELECT r.id, r.channel, r.room, r.thread, r.direct, r.person_id, r.title
			FROM rooms r JOIN room_people p ON p.room_id = r.id AND p.person_id = r.person_id
			WHERE r.person_id = ? AND r.direct = 1 ORDER BY p.last_spoke DESC, r.id DESC`, person))(log.ScanRoom)
		return err
	})
	return rooms, err
}

// ProactiveRequest asks to write first to the person of a direct room.
type ProactiveRequest struct {
	Persona string
	Room    int64
	// JobRun is the job run that asks.
	JobRun int64
	// Day is today, YYYY-MM-DD in the person's calendar.
	Day string
	// Message is the inbox message on which the persona takes its turn.
	Message channels.Message
}

// QueueProactive puts a request into the room's inbox and reserves one of the day's messages for it. judge decides on
// the state within the same transaction, so that of two concurrent jobs the second sees the first's request. It does
// nothing and returns false when judge does, or when the same request was queued before.
func (s *Store) QueueProactive(ctx context.Context, a ProactiveRequest, judge func(ProactiveState) bool) (handed bool, err error) {
	text, err := log.EncodePayload(a.Message)
	if err != nil {
		return false, fmt.Errorf("queue a proactive message in room %d: %w", a.Room, err)
	}
	err = s.db.Write(ctx, fmt.Sprintf("queue a proactive message in room %d", a.Room), func(tx *db.Tx) error {
		handed = false
		st, err := proactiveState(tx, a.Persona, a.Room, a.Day)
		if err != nil || !judge(st) {
			return err
		}
		n, err := log.InsertInbox(tx, a.Persona, a.Message, text)
		if err != nil || n == 0 {
			return err
		}
		handed = true
		if _, err := tx.Exec(`UPDATE inbox SET job_run_id = ? WHERE persona = ? AND channel = ? AND room = ? AND thread = ? AND event_id = ?`,
			db.NullID(a.JobRun), a.Persona, a.Message.Room.Channel, a.Message.Room.ID, a.Message.Room.Thread, a.Message.ID); err != nil {
			return err
		}
		_, err = tx.Exec(`INSERT INTO unasked (persona, person_id, day, times) VALUES (?, ?, ?, 1)
			ON CONFLICT (persona, person_id, day) DO UPDATE SET times = unasked.times + 1`, a.Persona, st.Person.ID, a.Day)
		return err
	})
	return handed, err
}

// SetQuiet records that a person wants persona never to write first, or that it may again.
func (s *Store) SetQuiet(ctx context.Context, persona string, person int64, quiet bool) error {
	return s.db.Write(ctx, fmt.Sprintf("store whether %s may write first to person %d", persona, person), func(tx *db.Tx) error {
		var since any
		if quiet {
			since = tx.NowMillis()
		}
		_, err := tx.Exec(`INSERT INTO relationships (persona, person_id, first_met, last_seen, quiet_since) VALUES (?1, ?2, ?3, ?3, ?4)
			ON CONFLICT (persona, person_id) DO UPDATE SET quiet_since = CASE WHEN excluded.quiet_since IS NULL THEN NULL
				ELSE coalesce(relationships.quiet_since, excluded.quiet_since) END`, persona, person, tx.NowMillis(), since)
		return err
	})
}
