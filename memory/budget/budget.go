package budget

import (
	"context"
	"errors"
	"fmt"

	"familiar/memory/internal/db"
)

// ErrCapReached reports that a reservation would exceed a daily cap. The wrapping error names the cap and what is left.
var ErrCapReached = errors.New("the daily token cap is reached")

// Reservation is the tokens that a model call may use, reserved before the call.
type Reservation struct {
	// Day is the day it counts for, YYYY-MM-DD.
	Day     string
	Persona string
	// PersonID is the person whom the call serves, 0 for the persona's own work.
	PersonID int64
	// Tokens is the maximum that the call may use, prompt and answer.
	Tokens int
	// PersonCap bounds the daily tokens of one person over all personas. GlobalCap bounds those of everyone, including
	// the personas' own work, to which PersonCap does not apply. 0 means no cap.
	PersonCap, GlobalCap int
}

// Reserve reserves r.Tokens, or fails with ErrCapReached and reserves nothing. The check and the reservation are one
// step, so concurrent calls cannot both take the rest of a cap. Every reservation must be settled after its call.
func (s *Store) Reserve(ctx context.Context, r Reservation) error {
	what := fmt.Sprintf("reserve %d tokens for %s", r.Tokens, r.Persona)
	if r.Tokens < 0 {
		return fmt.Errorf("%s: tokens cannot be negative", what)
	}
	return s.db.Write(ctx, what, func(tx *db.Tx) error {
		if err := checkCaps(tx, r); err != nil {
			return err
		}
		_, err := tx.Exec(`INSERT INTO usage (day, persona, person_id, tokens, calls) VALUES (?, ?, ?, ?, 1)
			ON CONFLICT (day, persona, person_id) DO UPDATE
			SET tokens = usage.tokens + excluded.tokens, calls = usage.calls + 1`,
			r.Day, r.Persona, r.PersonID, r.Tokens)
		return err
	})
}

func checkCaps(tx *db.Tx, r Reservation) error {
	personCap := r.PersonCap
	if r.PersonID == 0 {
		personCap = 0 // the call serves no person
	}
	for _, limit := range []struct {
		name  string
		cap   int
		query string
		args  []any
	}{
		{
			"this person's", personCap, `SELECT COALESCE(SUM(tokens), 0) FROM usage WHERE day = ? AND person_id = ?`,
			[]any{r.Day, r.PersonID},
		},
		{"everybody's", r.GlobalCap, `SELECT COALESCE(SUM(tokens), 0) FROM usage WHERE day = ?`, []any{r.Day}},
	} {
		if limit.cap == 0 {
			continue
		}
		var used int
		if err := tx.QueryRow(limit.query, limit.args...).Scan(&used); err != nil {
			return err
		}
		if used+r.Tokens > limit.cap {
			return fmt.Errorf("%w: %d of %s %d are left on %s",
				ErrCapReached, max(0, limit.cap-used), limit.name, limit.cap, r.Day)
		}
	}
	return nil
}

// Settle replaces a reservation's tokens by those the call actually used, 0 for a call that failed before using any.
func (s *Store) Settle(ctx context.Context, r Reservation, actual int) error {
	what := fmt.Sprintf("settle %d tokens of %s", actual, r.Persona)
	if actual < 0 {
		return fmt.Errorf("%s: tokens cannot be negative", what)
	}
	return s.db.Write(ctx, what, func(tx *db.Tx) error {
		n, err := tx.Affect(`UPDATE usage SET tokens = tokens + ? WHERE day = ? AND persona = ? AND person_id = ?
			AND tokens >= ?`, actual-r.Tokens, r.Day, r.Persona, r.PersonID, r.Tokens)
		if err == nil && n == 0 {
			err = fmt.Errorf("reservation of %d tokens on %s: %w", r.Tokens, r.Day, db.ErrNotFound)
		}
		return err
	})
}

// Usage is the token usage of one person on one day.
type Usage struct {
	// PersonID is 0 for the persona's own work.
	PersonID int64
	// Tokens are those used or still reserved. Calls is the number of model calls.
	Tokens, Calls int
}

// UsageOn returns persona's usage on day (YYYY-MM-DD), ordered by person.
func (s *Store) UsageOn(ctx context.Context, day, persona string) ([]Usage, error) {
	var out []Usage
	err := s.db.Read(ctx, "read the usage of "+persona, func(tx *db.Tx) (err error) {
		out, err = db.Collect[Usage](tx.Query(`SELECT person_id, tokens, calls FROM usage WHERE day = ? AND persona = ?
			ORDER BY person_id`, day, persona))(scanUsage)
		return err
	})
	return out, err
}

func scanUsage(row db.Scanner) (u Usage, err error) {
	err = row.Scan(&u.PersonID, &u.Tokens, &u.Calls)
	return u, err
}
