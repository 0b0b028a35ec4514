package turns

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Relationship returns the relationship of persona and a person. It fails with ErrNotFound before they have met.
func (s *Store) Relationship(ctx context.Context, persona string, person int64) (r model.Relationship, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read the relationship of %s and person %d", persona, person), func(tx *db.Tx) error {
		r, err = relationship(tx, persona, person)
		return err
	})
	return r, err
}

// Relationships returns a person's relationships with all personas, in the running transaction.
func Relationships(tx *db.Tx, person int64) ([]model.Relationship, error) {
	return db.Collect[model.Relationship](tx.Query(selectRelationships+` WHERE person_id = ? ORDER BY persona`, person))(scanRelationship)
}

const selectRelationships = `SELECT persona, person_id, first_met, last_seen, sessions, messages, days, last_day,
	trust, trust_day, trust_moved, notes, history, words, questions, mornings, afternoons, evenings, nights, quiet_since
	FROM relationships`

func relationship(tx *db.Tx, persona string, person int64) (model.Relationship, error) {
	return db.One(tx.QueryRow(selectRelationships+` WHERE persona = ? AND person_id = ?`, persona, person), scanRelationship)
}

func scanRelationship(row db.Scanner) (r model.Relationship, err error) {
	err = row.Scan(&r.Persona, &r.PersonID, db.IntoTime(&r.FirstMet), db.IntoTime(&r.LastSeen), &r.Sessions, &r.Messages, &r.Days,
		&r.LastDay, &r.Trust, &r.TrustDay, &r.TrustMoved, &r.Notes, &r.History, &r.Words, &r.Questions,
		&r.Mornings, &r.Afternoons, &r.Evenings, &r.Nights, db.IntoTime(&r.QuietSince))
	return r, err
}

// relate applies each person's rule to the relationship as it is in this transaction, in ascending order of person.
func relate(tx *db.Tx, persona string, rules map[int64]func(model.Relationship) model.Relationship) error {
	for _, person := range slices.Sorted(maps.Keys(rules)) {
		was, err := relationship(tx, persona, person)
		if errors.Is(err, db.ErrNotFound) {
			was, err = model.Relationship{Persona: persona, PersonID: person}, nil
		}
		if err != nil {
			return err
		}
		is := rules[person](was)
		if is.Persona != persona || is.PersonID != person {
			return fmt.Errorf("a rule changed the relationship of %s and person %d into that of %s and person %d",
				persona, person, is.Persona, is.PersonID)
		}
		if is.LastDay != was.LastDay && was.LastDay != "" {
			if err := keepDay(tx, persona, person); err != nil {
				return err
			}
		}
		if err := SaveRelationship(tx, is); err != nil {
			return err
		}
	}
	return nil
}

// keepDay keeps the relationship as it is at the end of a person's day: once a day, before the first message of the next.
func keepDay(tx *db.Tx, persona string, person int64) error {
	const columns = `persona, person_id, first_met, last_seen, sessions, messages, days, last_day, trust, trust_day, trust_moved,
		notes, history, words, questions, mornings, afternoons, evenings, nights, quiet_since`
	_, err := tx.Exec(`INSERT INTO relationship_days (`+columns+`) SELECT `+columns+`
		FROM relationships WHERE persona = ? AND person_id = ?
		ON CONFLICT (persona, person_id, last_day) DO UPDATE SET first_met = excluded.first_met, last_seen = excluded.last_seen,
			sessions = excluded.sessions, messages = excluded.messages, days = excluded.days, trust = excluded.trust,
			trust_day = excluded.trust_day, trust_moved = excluded.trust_moved, notes = excluded.notes, history = excluded.history,
			words = excluded.words, questions = excluded.questions, mornings = excluded.mornings, afternoons = excluded.afternoons,
			evenings = excluded.evenings, nights = excluded.nights, quiet_since = excluded.quiet_since`, persona, person)
	return err
}

// SaveRelationship stores the whole state of a relationship, in the running transaction.
func SaveRelationship(tx *db.Tx, r model.Relationship) error {
	_, err := tx.Exec(`INSERT INTO relationships (persona, person_id, first_met, last_seen, sessions, messages, days, last_day,
			trust, trust_day, trust_moved, notes, history, words, questions, mornings, afternoons, evenings, nights, quiet_since)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (persona, person_id) DO UPDATE SET first_met = excluded.first_met, last_seen = excluded.last_seen,
			sessions = excluded.sessions, messages = excluded.messages, days = excluded.days, last_day = excluded.last_day,
			trust = excluded.trust, trust_day = excluded.trust_day, trust_moved = excluded.trust_moved,
			notes = excluded.notes, history = excluded.history, words = excluded.words, questions = excluded.questions,
			mornings = excluded.mornings, afternoons = excluded.afternoons, evenings = excluded.evenings, nights = excluded.nights,
			quiet_since = excluded.quiet_since`,
		r.Persona, r.PersonID, db.Millis(r.FirstMet), db.Millis(r.LastSeen), r.Sessions, r.Messages, r.Days, r.LastDay,
		r.Trust, r.TrustDay, r.TrustMoved, r.Notes, r.History, r.Words, r.Questions,
		r.Mornings, r.Afternoons, r.Evenings, r.Nights, db.NullMillis(r.QuietSince))
	return err
}
