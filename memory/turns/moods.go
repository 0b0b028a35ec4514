package turns

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Mood is how a persona felt after a session. It holds numbers only, because one mood shows in every room.
type Mood struct {
	SessionID int64
	At        time.Time
	Valence   float64 // -1 to 1
	Energy    float64 // 0 to 1
}

const moodColumns = `SELECT session_id, at, valence, energy FROM moods`

func scanMood(row db.Scanner) (m Mood, err error) {
	err = row.Scan(&m.SessionID, db.IntoTime(&m.At), &m.Valence, &m.Energy)
	return m, err
}

// MoodAt returns the persona's mood after the last session that ended by at. It fails with ErrNotFound when no session
// changed it.
func (s *Store) MoodAt(ctx context.Context, persona string, at time.Time) (m Mood, err error) {
	err = s.db.Read(ctx, "read the mood of "+persona, func(tx *db.Tx) error {
		if m, err = moodAt(tx, persona, at); err == nil && m.At.IsZero() {
			err = db.ErrNotFound
		}
		return err
	})
	return m, err
}

// moodAt returns the mood at a time, the zero Mood when there was none.
func moodAt(tx *db.Tx, persona string, at time.Time) (Mood, error) {
	m, err := db.One(tx.QueryRow(moodColumns+` WHERE persona = ? AND at <= ? ORDER BY at DESC, session_id DESC LIMIT 1`, persona, db.Millis(at)), scanMood)
	if errors.Is(err, db.ErrNotFound) {
		return Mood{}, nil
	}
	return m, err
}

// Moods returns the persona's moods since a time, oldest first, for display.
func (s *Store) Moods(ctx context.Context, persona string, since time.Time) (moods []Mood, err error) {
	err = s.db.Read(ctx, "read the moods of "+persona, func(tx *db.Tx) error {
		moods, err = MoodsSince(tx, persona, since)
		return err
	})
	return moods, err
}

// MoodsSince is Store.Moods within a transaction.
func MoodsSince(tx *db.Tx, persona string, since time.Time) ([]Mood, error) {
	return db.Collect[Mood](tx.Query(moodColumns+` WHERE persona = ? AND at >= ? ORDER BY at, session_id`, persona, db.Millis(since)))(scanMood)
}

// noteMood stores the mood after a session; nil stores none.
func noteMood(tx *db.Tx, s model.Session, at time.Time, m *Mood) error {
	if m == nil {
		return nil
	}
	_, err := tx.Exec(`INSERT INTO moods (persona, session_id, at, valence, energy) VALUES (?, ?, ?, ?, ?)`,
		s.Persona, s.ID, db.Millis(at), m.Valence, m.Energy)
	if err != nil {
		return fmt.Errorf("store the mood: %w", err)
	}
	return nil
}
