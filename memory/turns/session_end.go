package turns

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/lifecycle"
	"familiar/memory/log"
	"familiar/memory/model"
)

// SessionEnd is what the end of a session leaves behind at once. What a second reading finds comes with RefineSession.
type SessionEnd struct {
	ID           int64
	At           time.Time
	Significance float64 // 0–1
	Class        string
	// Relate moves the persona's relationships with those who spoke, as in Turn.
	Relate map[int64]func(model.Relationship) model.Relationship
	// Leave decides what else the session leaves, inside the transaction and on how things stand there; nil leaves nothing.
	Leave func(SessionContext) SessionOutcome
	// JobRun is the run of the job that ends it, 0 for none: what is put into words carries it.
	JobRun int64
}

// SessionContext is how things stand when a session ends.
type SessionContext struct {
	// Relationships are those that Relate moved, as they are now. Reached are the kinds of the milestones behind them.
	Relationships map[int64]model.Relationship
	Reached       map[int64][]string
	// Mood is the persona's before the session, the zero Mood when it had none.
	Mood Mood
}

// SessionOutcome is what a session leaves beside what it moved.
type SessionOutcome struct {
	// Words are its summary and the moments of the persona's story: kept in the session's audience, as far as their
	// sources are still there.
	Words []lifecycle.Inference
	// Milestones were reached with those who spoke.
	Milestones []Milestone
	// Mood is the persona's after it, nil when nothing moved it.
	Mood *Mood
	// Practice is how skills went.
	Practice []Practice
	// Questions were asked and not answered.
	Questions []belief.OpenQuestion
}

// EndSessions ends sessions, one after the other, each with what it meant: it moves the relationships with those who spoke
// and keeps what else the session leaves. All of it is one transaction, for one sync to disk; a turn waits behind it. It
// fails with ErrAlreadyDone when one has ended and ErrNotFound when there is none, and then ends none of them.
func (s *Store) EndSessions(ctx context.Context, ends ...SessionEnd) (made lifecycle.InferResult, err error) {
	err = s.db.Write(ctx, "end sessions", func(tx *db.Tx) error {
		made = lifecycle.InferResult{}
		for _, end := range ends {
			more, err := endSession(tx, end)
			if err != nil {
				return fmt.Errorf("session %d: %w", end.ID, err)
			}
			made.Add(more)
		}
		return nil
	})
	return made, err
}

func endSession(tx *db.Tx, end SessionEnd) (made lifecycle.InferResult, err error) {
	session, err := readSession(tx, end.ID)
	if err != nil {
		return made, err
	}
	if !session.Ended.IsZero() {
		return made, ErrAlreadyDone
	}
	if end.Significance < 0 || end.Significance > 1 {
		return made, fmt.Errorf("significance %v is not within 0–1", end.Significance)
	}
	if _, err := tx.Exec(`UPDATE sessions SET ended_at = ?, significance = ?, class = ? WHERE id = ?`,
		db.Millis(end.At), end.Significance, end.Class, end.ID); err != nil {
		return made, err
	}
	if err := relate(tx, session.Persona, end.Relate); err != nil {
		return made, err
	}
	return saveOutcome(tx, session, end)
}

// saveOutcome asks what a session leaves and keeps it.
func saveOutcome(tx *db.Tx, s model.Session, end SessionEnd) (made lifecycle.InferResult, err error) {
	if end.Leave == nil {
		return made, nil
	}
	standing, err := sessionContext(tx, s, end)
	if err != nil {
		return made, fmt.Errorf("see how things stand: %w", err)
	}
	left := end.Leave(standing)
	room, err := log.RoomByID(tx, s.RoomID)
	if err != nil {
		return made, err
	}
	for _, in := range left.Words {
		if err := inferOf(tx, s, room.Audience(), end.JobRun, in, &made); err != nil {
			return made, fmt.Errorf("keep its %s: %w", in.Kind, err)
		}
	}
	for _, step := range []func() error{
		func() error { return noteMilestones(tx, s, end.At, left.Milestones) },
		func() error { return noteMood(tx, s, end.At, left.Mood) },
		func() error { return notePractice(tx, s, end.At, left.Practice) },
		func() error { return belief.AddQuestions(tx, s, room.Audience(), end.JobRun, left.Questions) },
	} {
		if err := step(); err != nil {
			return made, err
		}
	}
	return made, nil
}

// inferOf keeps what a session left in words. Two sessions may well leave the same: each is a session of its own.
func inferOf(tx *db.Tx, s model.Session, a model.Audience, run int64, in lifecycle.Inference, made *lifecycle.InferResult) error {
	in.Audience, in.SessionID = a, s.ID
	in, ok, err := lifecycle.Admit(tx, s.Persona, in, made)
	if err != nil || !ok {
		return err
	}
	_, err = lifecycle.Keep(tx, s.Persona, run, in, made)
	return err
}

// sessionContext is how things stand for a session that ends.
func sessionContext(tx *db.Tx, s model.Session, end SessionEnd) (now SessionContext, err error) {
	now = SessionContext{Relationships: map[int64]model.Relationship{}, Reached: map[int64][]string{}}
	for _, person := range slices.Sorted(maps.Keys(end.Relate)) {
		if now.Relationships[person], err = relationship(tx, s.Persona, person); err != nil {
			return now, err
		}
		milestones, err := milestones(tx, s.Persona, person)
		if err != nil {
			return now, err
		}
		for _, m := range milestones {
			now.Reached[person] = append(now.Reached[person], m.Kind)
		}
	}
	now.Mood, err = moodAt(tx, s.Persona, end.At)
	return now, err
}

// SessionTrace is what is on record of what a session left.
type SessionTrace struct {
	// Words are its summary and then the moments of the persona's story.
	Words      []model.Memory
	Milestones []Milestone
	// Mood is the persona's after it, the zero Mood for none.
	Mood Mood
}

// SessionTrace is what a session left: for operators and jobs.
func (s *Store) SessionTrace(ctx context.Context, session int64) (left SessionTrace, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read what session %d left", session), func(tx *db.Tx) error {
		left = SessionTrace{}
		for _, kind := range model.Kinds {
			some, err := sessionTexts(tx, session, kind)
			if err != nil {
				return err
			}
			left.Words = append(left.Words, some...)
		}
		left.Milestones, err = db.Collect[Milestone](tx.Query(milestoneColumns+` WHERE persona = (SELECT persona FROM sessions WHERE id = ?1)
			AND session_id = ?1 ORDER BY person_id, kind`, session))(scanMilestone)
		if err != nil {
			return err
		}
		left.Mood, err = db.One(tx.QueryRow(moodColumns+` WHERE persona = (SELECT persona FROM sessions WHERE id = ?1) AND session_id = ?1`, session), scanMood)
		if errors.Is(err, db.ErrNotFound) {
			err = nil
		}
		return err
	})
	return left, err
}

// sessionTexts are a session's memories of a kind that have no newer version, newest first.
func sessionTexts(tx *db.Tx, session int64, kind model.Kind) ([]model.Memory, error) {
	return db.Collect[model.Memory](tx.Query(entry.MemoryColumns+` WHERE m.session_id = ? AND m.kind = ? AND m.kind <> '' AND m.superseded_by IS NULL
		ORDER BY m.id DESC`, session, kind))(entry.ScanMemory)
}

// LastSummary is the summary of the last session with a person that may be heard in a place, ErrNotFound when there is
// none: in a group, of the sessions there; in a direct room, of those in any room they have spoken in.
func (s *Store) LastSummary(ctx context.Context, h scope.Visibility, person int64) (last model.Memory, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read the last summary of a session with person %d", person), func(tx *db.Tx) error {
		rooms, err := roomsHeard(tx, h)
		if err != nil {
			return err
		}
		for _, room := range rooms {
			m, err := db.One(tx.QueryRow(entry.MemoryColumns+` WHERE m.id = (SELECT x.id FROM sessions z
				JOIN memories x ON x.session_id = z.id AND x.kind = 'summary' AND x.kind <> '' AND x.superseded_by IS NULL
				WHERE z.persona = ? AND z.room_id = ? AND EXISTS (SELECT 1 FROM messages y WHERE y.session_id = z.id AND y.person_id = ?)
				ORDER BY z.id DESC LIMIT 1)`, h.Persona(), room, person), entry.ScanMemory)
			if err != nil && !errors.Is(err, db.ErrNotFound) {
				return err
			}
			if err == nil && h.Includes(m.Audience) && (last.ID == 0 || m.Created.After(last.Created)) {
				last = m
			}
		}
		if last.ID == 0 {
			return db.ErrNotFound
		}
		return nil
	})
	return last, err
}

// roomsHeard are the rooms whose talk may be heard in a place.
func roomsHeard(tx *db.Tx, h scope.Visibility) (rooms []int64, err error) {
	for _, a := range h.Audiences() {
		switch a.Kind {
		case model.Private:
			direct, err := db.Collect[int64](tx.Query(`SELECT id FROM rooms WHERE person_id = ? AND direct = 1 ORDER BY id`, a.Ref))(db.ScanID)
			if err != nil {
				return nil, err
			}
			rooms = append(rooms, direct...)
		case model.InRoom:
			rooms = append(rooms, a.Ref)
		}
	}
	return rooms, nil
}
