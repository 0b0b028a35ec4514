package turns

import (
	"context"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Practice is how a skill of the persona went in a session. Skills come from a closed list in package mind and say
// nothing about anybody.
type Practice struct {
	Skill               string
	SessionID           int64
	At                  time.Time
	Successes, Failures int
}

// Practice returns what persona has practised since a time, oldest first.
func (s *Store) Practice(ctx context.Context, persona string, since time.Time) (done []Practice, err error) {
	err = s.db.Read(ctx, "read the practice of "+persona, func(tx *db.Tx) error {
		done, err = PracticeSince(tx, persona, since)
		return err
	})
	return done, err
}

// PracticeSince is Store.Practice within a transaction.
func PracticeSince(tx *db.Tx, persona string, since time.Time) ([]Practice, error) {
	return db.Collect[Practice](tx.Query(`SELECT skill, session_id, at, successes, failures FROM practice
		WHERE persona = ? AND at >= ? ORDER BY at, session_id, skill`, persona, db.Millis(since)))(
		func(row db.Scanner) (p Practice, err error) {
			err = row.Scan(&p.Skill, &p.SessionID, db.IntoTime(&p.At), &p.Successes, &p.Failures)
			return p, err
		})
}

func notePractice(tx *db.Tx, s model.Session, at time.Time, done []Practice) error {
	for _, p := range done {
		if _, err := tx.Exec(`INSERT INTO practice (persona, skill, session_id, at, successes, failures) VALUES (?, ?, ?, ?, ?, ?)`,
			s.Persona, p.Skill, s.ID, db.Millis(at), p.Successes, p.Failures); err != nil {
			return fmt.Errorf("store the practice of %s: %w", p.Skill, err)
		}
	}
	return nil
}
