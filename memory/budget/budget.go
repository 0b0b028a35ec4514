package budget

import (
	"context"
	"fmt"

	"familiar/memory/internal/db"
)

// Talk is the job of replies.
const Talk = "talk"

// Reservation is what a model call may use, reserved before the call.
type Reservation struct {
	// Day is the day it counts for, YYYY-MM-DD.
	Day     string
	Persona string
	// PersonID is the person whom the call serves, 0 for the persona's own work.
	PersonID int64
	// RoomID is the room in which it is answered, 0 for none.
	RoomID int64
	// Job is what the call is for: Talk or the name of a job. Model is the model asked.
	Job, Model string
	// In and Out are the most tokens that the prompt and the answer may have.
	In, Out int
	Price   Price
	Caps    Caps
}

func (r Reservation) cost() Money { return r.Price.Of(r.In, r.Out) }

// key are the values of the row of the ledger that a reservation belongs to.
func (r Reservation) key() []any {
	return []any{r.Day, r.Persona, r.PersonID, r.RoomID, r.Job, r.Model}
}

// Reserve reserves what a call may use, or fails with a *CapError and reserves nothing. The check and the reservation
// are one step, so concurrent calls cannot both take the rest of a cap. Every reservation must be settled after its call.
func (s *Store) Reserve(ctx context.Context, r Reservation) error {
	what := fmt.Sprintf("reserve %d tokens for %s", r.In+r.Out, r.Persona)
	if r.In < 0 || r.Out < 0 {
		return fmt.Errorf("%s: tokens cannot be negative", what)
	}
	return s.db.Write(ctx, what, func(tx *db.Tx) error {
		if err := checkCaps(tx, r); err != nil {
			return err
		}
		_, err := tx.Exec(`INSERT INTO usage (day, persona, person_id, room_id, job, model, requests, reserved, reserved_cost) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (day, persona, person_id, room_id, job, model) DO UPDATE
			SET requests = usage.requests + excluded.requests, reserved = usage.reserved + excluded.reserved, reserved_cost = usage.reserved_cost + excluded.reserved_cost`,
			append(r.key(), reservedRequests, r.In+r.Out, r.cost())...)
		return err
	})
}

// reservedRequests is how many requests a reservation counts, so that one whose call never ended is counted.
const reservedRequests = 1

// Used is what a call used.
type Used struct {
	// Requests is how many requests it took. In and Out are the tokens of its answer.
	Requests, In, Out int
	// CacheRead and CacheWritten are the parts of In that the provider read from its cache and wrote there.
	CacheRead, CacheWritten int
	// FailedIn and FailedOut are the tokens of attempts without an answer: they count towards no cap and are kept as the
	// operator's loss.
	FailedIn, FailedOut int
}

// Settle replaces a reservation by what the call used.
func (s *Store) Settle(ctx context.Context, r Reservation, used Used) error {
	what := fmt.Sprintf("settle %d tokens of %s", used.In+used.Out, r.Persona)
	if min(used.Requests, used.In, used.Out, used.CacheRead, used.CacheWritten, used.FailedIn, used.FailedOut) < 0 {
		return fmt.Errorf("%s: tokens and requests cannot be negative", what)
	}
	spent := []any{
		used.Requests - reservedRequests, used.In, used.Out, r.Price.Charge(used),
		used.FailedIn, used.FailedOut, r.Price.Of(used.FailedIn, used.FailedOut), used.CacheRead, used.CacheWritten,
	}
	reserved := []any{r.In + r.Out, r.cost()}
	return s.db.Write(ctx, what, func(tx *db.Tx) error {
		gone := fmt.Errorf("reservation of %d tokens on %s: %w", r.In+r.Out, r.Day, db.ErrNotFound)
		return tx.Expect(1, gone, `UPDATE usage SET requests = requests + ?9, tokens_in = tokens_in + ?10, tokens_out = tokens_out + ?11, cost = cost + ?12,
			failed_in = failed_in + ?13, failed_out = failed_out + ?14, failed_cost = failed_cost + ?15,
			cache_read = cache_read + ?16, cache_written = cache_written + ?17,
			reserved = reserved - ?7, reserved_cost = reserved_cost - ?8
			WHERE day = ?1 AND persona = ?2 AND person_id = ?3 AND room_id = ?4 AND job = ?5 AND model = ?6 AND reserved >= ?7 AND reserved_cost >= ?8`,
			append(append(r.key(), reserved...), spent...)...)
	})
}

// Standing returns the caps that apply to a person in a room, with what is used of them on day (YYYY-MM-DD) and in its
// month, in the order of Caps. Person 0 is the personas' own work, room 0 no room.
func (s *Store) Standing(ctx context.Context, caps Caps, day string, person, room int64) (all []CapUse, err error) {
	err = s.db.Read(ctx, "read what is left of the caps", func(tx *db.Tx) (err error) {
		all, err = usesOf(tx, caps, day, person, room)
		return err
	})
	return all, err
}
