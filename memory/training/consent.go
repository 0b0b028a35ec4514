package training

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/memory/erase"
	"familiar/memory/internal/db"
)

// Consent is what a person last said about training with one persona.
type Consent struct {
	// Persona is the key of the persona.
	Persona string
	// Given reports that they agreed, and have not taken it back.
	Given bool
	// RoomID is the direct room in which they said so, At is when.
	RoomID int64
	At     time.Time
}

// SetConsent stores that a person agreed, in a direct room, to what they and the persona said being training data, or took it
// back, which they can do in any room. Either holds for everything that was said, before and after. Only the person may agree.
func (s *Store) SetConsent(ctx context.Context, persona string, person, room int64, given bool) error {
	return s.db.Write(ctx, fmt.Sprintf("store what person %d says about training", person), func(tx *db.Tx) error {
		changed, err := tx.Affect(`INSERT INTO training_consents (persona, person_id, room_id, given, at) SELECT ?1, ?2, ?3, ?4, ?5
			WHERE ?4 = 1 OR EXISTS (SELECT 1 FROM training_consents WHERE persona = ?1 AND person_id = ?2)
			ON CONFLICT (persona, person_id) DO UPDATE SET room_id = CASE excluded.given WHEN 1 THEN excluded.room_id ELSE training_consents.room_id END,
				given = excluded.given, at = excluded.at
				WHERE training_consents.given <> excluded.given`, persona, person, room, given, tx.NowMillis())
		if err != nil || given || changed == 0 {
			return err
		}
		return erase.NoteWithdrawal(tx, person)
	})
}

// Withdraw takes back a person's consent for all personas, and returns for how many there was one.
func (s *Store) Withdraw(ctx context.Context, person int64) (n int, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("take back the consent of person %d to training", person), func(tx *db.Tx) error {
		gone, err := tx.Affect(`UPDATE training_consents SET given = 0, at = ?2 WHERE person_id = ?1 AND given = 1`, person, tx.NowMillis())
		if n = int(gone); err != nil || n == 0 {
			return err
		}
		return erase.NoteWithdrawal(tx, person)
	})
	return n, err
}

// Consent returns what a person said about training with a persona, the zero value if they said nothing.
func (s *Store) Consent(ctx context.Context, persona string, person int64) (c Consent, err error) {
	err = s.db.ReadOne(ctx, "read a consent to training", func(tx *db.Tx) error {
		c, err = db.One(tx.QueryRow(selectConsents+` WHERE persona = ? AND person_id = ?`, persona, person), scanConsent)
		if errors.Is(err, db.ErrNotFound) {
			c, err = Consent{}, nil
		}
		return err
	})
	return c, err
}

// Consents returns what a person said about training, in the order of the personas' keys.
func (s *Store) Consents(ctx context.Context, person int64) (all []Consent, err error) {
	err = s.db.ReadOne(ctx, "read consents to training", func(tx *db.Tx) error {
		all, err = db.Collect[Consent](tx.Query(selectConsents+` WHERE person_id = ? ORDER BY persona`, person))(scanConsent)
		return err
	})
	return all, err
}

const selectConsents = `SELECT persona, given, room_id, at FROM training_consents`

func scanConsent(row db.Scanner) (c Consent, err error) {
	err = row.Scan(&c.Persona, &c.Given, &c.RoomID, db.IntoTime(&c.At))
	return c, err
}
