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

// SessionEnd is what the end of a session stores at once. The results of a second reading follow with RefineSession.
type SessionEnd struct {
	ID           int64
	At           time.Time
	Significance float64 // 0–1
	Class        string
	// Relate changes the persona's relationships with those who spoke, as in Turn.
	Relate map[int64]func(model.Relationship) model.Relationship
	// Leave decides what else the session leaves, within the transaction; nil leaves nothing.
	Leave func(SessionContext) SessionOutcome
	// JobRun is the job run that ends it, 0 for none. The inferences carry it.
	JobRun int64
}

// SessionContext is the state on which Leave decides.
type SessionContext struct {
	// Relationships are those that Relate changed, with their new state. Reached are the kinds of earlier milestones.
	Relationships map[int64]model.Relationship
	Reached       map[int64][]string
	// Mood is the persona's mood before the session, the zero Mood when it had none.
	Mood Mood
}

// SessionOutcome is what a session leaves besides changed relationships.
type SessionOutcome struct {
	// Words are the session's summary and moments of the persona's story. They are stored for the session's audience,
	// as far as their sources still exist.
	Words []lifecycle.Inference
	// Milestones were reached with those who spoke.
	Milestones []Milestone
	// Mood is the persona's mood afterwards, nil when nothing changed it.
	Mood *Mood
	// Practice is how skills went.
	Practice []Practice
	// Open is what was asked and not answered, or promised.
	Open []belief.LeftOpen
}

// EndSessions ends sessions in order: it changes relationships and stores what else each session leaves. All of it is
// one transaction and one sync to disk, and a turn waits behind it. It fails with ErrAlreadyDone when one has already
// ended and with ErrNotFound when one does not exist, and then ends none of them.
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

// saveOutcome calls Leave and stores what it returns.
func saveOutcome(tx *db.Tx, s model.Session, end SessionEnd) (made lifecycle.InferResult, err error) {
	if end.Leave == nil {
		return made, nil
	}
	standing, err := sessionContext(tx, s, end)
	if err != nil {
		return made, fmt.Errorf("read the session's context: %w", err)
	}
	left := end.Leave(standing)
	room, err := log.RoomByID(tx, s.RoomID)
	if err != nil {
		return made, err
	}
	for _, in := range left.Words {
		if err := saveInference(tx, s, room.Audience(), end.JobRun, in, &made); err != nil {
			return made, fmt.Errorf("store its %s: %w", in.Kind, err)
		}
	}
	for _, step := range []func() error{
		func() error { return noteMilestones(tx, s, end.At, left.Milestones) },
		func() error { return noteMood(tx, s, end.At, left.Mood) },
		func() error { return notePractice(tx, s, end.At, left.Practice) },
		func() error { return belief.AddLeftOpen(tx, s, room.Audience(), end.JobRun, left.Open) },
	} {
		if err := step(); err != nil {
			return made, err
		}
	}
	return made, nil
}

// saveInference stores a text that a session left. It does not look for duplicates, because two sessions may well leave
// the same.
func saveInference(tx *db.Tx, s model.Session, a model.Audience, run int64, in lifecycle.Inference, made *lifecycle.InferResult) error {
	in.Audience, in.SessionID = a, s.ID
	in, ok, err := lifecycle.Admit(tx, s.Persona, in, made)
	if err != nil || !ok {
		return err
	}
	_, err = lifecycle.SaveInference(tx, s.Persona, run, in, made)
	return err
}

// sessionContext returns the state on which a session's Leave decides.
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

// SessionTrace is what is on record of a session's outcome.
type SessionTrace struct {
	// Words are its summary, then the moments of the persona's story.
	Words      []model.Memory
	Milestones []Milestone
	// Mood is the persona's mood afterwards, the zero Mood for none.
	Mood Mood
}

// SessionTrace returns what a session left: for operators and jobs.
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

// SessionHead is what stands for a session in a list.
type SessionHead struct {
	// First is the id of its first message, 0 if it has none left.
	First int64
	// Summary is its summary, "" if it has none.
	Summary string
}

// SessionHeads returns what stands for sessions in a list, by session: for operators.
func (s *Store) SessionHeads(ctx context.Context, sessions []int64) (heads map[int64]SessionHead, err error) {
	err = s.db.Read(ctx, "read the heads of sessions", func(tx *db.Tx) error {
		heads = map[int64]SessionHead{}
		for _, id := range sessions {
			var head SessionHead
			if head.First, err = db.One(tx.QueryRow(`SELECT coalesce(min(id), 0) FROM messages WHERE session_id = ?`, id), db.ScanID); err != nil {
				return err
			}
			texts, err := sessionTexts(tx, id, model.Summary)
			if err != nil {
				return err
			}
			if len(texts) > 0 {
				head.Summary = texts[0].Text
			}
			heads[id] = head
		}
		return nil
	})
	return heads, err
}

// sessionTexts returns a session's memories of a kind that have no newer version, newest first.
func sessionTexts(tx *db.Tx, session int64, kind model.Kind) ([]model.Memory, error) {
	return db.Collect[model.Memory](tx.Query(entry.MemoryColumns+` WHERE m.session_id = ? AND m.kind = ? AND m.kind <> '' AND m.superseded_by IS NULL
		ORDER BY m.id DESC`, session, kind))(entry.ScanMemory)
}

// LastSummary returns the summary of the last session with a person that may be heard in h: in a group, of the sessions
// there; in a direct room, of those in any room they have spoken in. It fails with ErrNotFound when there is none.
func (s *Store) LastSummary(ctx context.Context, h scope.Visibility, person int64) (last model.Memory, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read the last summary of a session with person %d", person), func(tx *db.Tx) error {
		rooms, err := visibleRooms(tx, h)
		if err != nil {
			return err
		}
		for _, room := range rooms {
			m, err := db.One(tx.QueryRow(entry.MemoryColumns+` WHERE m.id = (SELECT x.id FROM sessions z
				JOIN memories x ON x.session_id = z.id AND x.kind = 'summary' AND x.kind <> '' AND x.superseded_by IS NULL
				WHERE z.persona = ? AND z.room_id = ? AND EXISTS (SELECT 1 FROM messages y WHERE y.session_id = x.session_id AND y.person_id = ?)
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

// visibleRooms returns the ids of the rooms whose talk may be heard in h.
func visibleRooms(tx *db.Tx, h scope.Visibility) (rooms []int64, err error) {
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
