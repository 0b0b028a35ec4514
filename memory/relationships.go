package memory

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Relationship is what persona and a person have together; ErrNotFound before they have met.
func (s *Store) Relationship(ctx context.Context, persona string, person int64) (r Relationship, err error) {
	err = s.read(ctx, fmt.Sprintf("read the relationship of %s and person %d", persona, person), func(tx *conn) error {
		r, err = tx.relationship(persona, person)
		return err
	})
	return r, err
}

func (c *conn) relationship(persona string, person int64) (Relationship, error) {
	return one(c.row(`SELECT persona, person_id, first_met, last_seen, sessions, messages, days, last_day,
		trust, trust_day, trust_moved, notes, history, words, questions, mornings, afternoons, evenings, nights, quiet_since
		FROM relationships WHERE persona = ? AND person_id = ?`, persona, person), scanRelationship)
}

func scanRelationship(row scanner) (r Relationship, err error) {
	err = row.Scan(&r.Persona, &r.PersonID, intoTime(&r.FirstMet), intoTime(&r.LastSeen), &r.Sessions, &r.Messages, &r.Days,
		&r.LastDay, &r.Trust, &r.TrustDay, &r.TrustMoved, &r.Notes, &r.History, &r.Words, &r.Questions,
		&r.Mornings, &r.Afternoons, &r.Evenings, &r.Nights, intoTime(&r.QuietSince))
	return r, err
}

// relate applies each person's rule to the relationship as it stands in this transaction, by ascending person.
func (c *conn) relate(persona string, rules map[int64]func(Relationship) Relationship) error {
	for _, person := range slices.Sorted(maps.Keys(rules)) {
		was, err := c.relationship(persona, person)
		if errors.Is(err, ErrNotFound) {
			was, err = Relationship{Persona: persona, PersonID: person}, nil
		}
		if err != nil {
			return err
		}
		is := rules[person](was)
		if is.Persona != persona || is.PersonID != person {
			return fmt.Errorf("a rule turned the relationship of %s and person %d into that of %s and person %d",
				persona, person, is.Persona, is.PersonID)
		}
		if err := c.saveRelationship(is); err != nil {
			return err
		}
	}
	return nil
}

// saveRelationship stores a relationship's new state, whole.
func (c *conn) saveRelationship(r Relationship) error {
	_, err := c.exec(`INSERT INTO relationships (persona, person_id, first_met, last_seen, sessions, messages, days, last_day,
			trust, trust_day, trust_moved, notes, history, words, questions, mornings, afternoons, evenings, nights, quiet_since)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (persona, person_id) DO UPDATE SET first_met = excluded.first_met, last_seen = excluded.last_seen,
			sessions = excluded.sessions, messages = excluded.messages, days = excluded.days, last_day = excluded.last_day,
			trust = excluded.trust, trust_day = excluded.trust_day, trust_moved = excluded.trust_moved,
			notes = excluded.notes, history = excluded.history, words = excluded.words, questions = excluded.questions,
			mornings = excluded.mornings, afternoons = excluded.afternoons, evenings = excluded.evenings, nights = excluded.nights,
			quiet_since = excluded.quiet_since`,
		r.Persona, r.PersonID, ms(r.FirstMet), ms(r.LastSeen), r.Sessions, r.Messages, r.Days, r.LastDay,
		r.Trust, r.TrustDay, r.TrustMoved, r.Notes, r.History, r.Words, r.Questions,
		r.Mornings, r.Afternoons, r.Evenings, r.Nights, nullMS(r.QuietSince))
	return err
}
