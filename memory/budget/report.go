package budget

import (
	"context"

	"familiar/memory/internal/db"
)

// Usage is the token usage of one person on one day.
type Usage struct {
	// PersonID is 0 for the persona's own work.
	PersonID int64
	// Tokens are those used or still reserved. Calls is the number of requests.
	Tokens, Calls int
}

// UsageOn returns persona's usage on day (YYYY-MM-DD), ordered by person. Tokens of failed calls are not in it.
func (s *Store) UsageOn(ctx context.Context, day, persona string) ([]Usage, error) {
	var out []Usage
	err := s.db.Read(ctx, "read the usage of "+persona, func(tx *db.Tx) (err error) {
		out, err = db.Collect[Usage](tx.Query(`SELECT person_id, SUM(tokens_in + tokens_out + reserved), SUM(requests) FROM usage
			WHERE day = ? AND persona = ? GROUP BY person_id ORDER BY person_id`, day, persona))(scanUsage)
		return err
	})
	return out, err
}

func scanUsage(row db.Scanner) (u Usage, err error) {
	err = row.Scan(&u.PersonID, &u.Tokens, &u.Calls)
	return u, err
}

// Spending is what one person's talk, or one job, used of a model.
type Spending struct {
	Persona string
	// PersonID and Person are 0 and "" for the persona's own work.
	PersonID int64
	Person   string
	// Job is Talk or the name of a job, "" if it was not kept. Model is "" likewise.
	Job, Model string
	Requests   int
	// In, Out and Cost are what caps count. FailedIn, FailedOut and FailedCost are what failed calls used.
	In, Out             int
	Cost                Money
	FailedIn, FailedOut int
	FailedCost          Money
	// CacheRead and CacheWritten are the parts of In that providers read from their caches and wrote there.
	CacheRead, CacheWritten int
}

// Spent returns what was used from the first to the last day (YYYY-MM-DD), by persona, person, job and model, the most
// tokens first.
func (s *Store) Spent(ctx context.Context, first, last string) (all []Spending, err error) {
	err = s.db.Read(ctx, "read what models were used for", func(tx *db.Tx) (err error) {
		all, err = db.Collect[Spending](tx.Query(`SELECT u.persona, u.person_id, COALESCE(max(p.name), ''), u.job, u.model, SUM(u.requests),
				SUM(u.tokens_in), SUM(u.tokens_out), SUM(u.cost), SUM(u.failed_in), SUM(u.failed_out), SUM(u.failed_cost), SUM(u.cache_read), SUM(u.cache_written)
			FROM usage u LEFT JOIN people p ON p.id = u.person_id WHERE u.day BETWEEN ? AND ?
			GROUP BY u.persona, u.person_id, u.job, u.model
			ORDER BY SUM(u.tokens_in + u.tokens_out) DESC, u.persona, u.person_id, u.job, u.model`, first, last))(scanSpending)
		return err
	})
	return all, err
}

func scanSpending(row db.Scanner) (s Spending, err error) {
	err = row.Scan(&s.Persona, &s.PersonID, &s.Person, &s.Job, &s.Model, &s.Requests, &s.In, &s.Out, &s.Cost, &s.FailedIn, &s.FailedOut, &s.FailedCost,
		&s.CacheRead, &s.CacheWritten)
	return s, err
}

// Rooms returns the rooms in which models were used in the month of day (YYYY-MM-DD), by ID.
func (s *Store) Rooms(ctx context.Context, day string) (rooms []int64, err error) {
	err = s.db.ReadOne(ctx, "list the rooms in which models were used", func(tx *db.Tx) error {
		rooms, err = db.Collect[int64](tx.Query(`SELECT DISTINCT room_id FROM usage WHERE room_id <> 0 AND day BETWEEN ? AND ? ORDER BY room_id`,
			monthOf(day)+"-01", monthOf(day)+"-31"))(db.ScanID)
		return err
	})
	return rooms, err
}
