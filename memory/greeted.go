package memory

import (
	"context"
	"fmt"
	"time"
)

// Greeted is what a person was already greeted about and when, by subject.
func (s *Store) Greeted(ctx context.Context, persona string, person int64) (map[string]time.Time, error) {
	subjects := map[string]time.Time{}
	err := s.read(ctx, fmt.Sprintf("read what person %d was greeted about", person), func(tx *conn) error {
		_, err := collect[string](tx.rows(`SELECT subject, at FROM greeted WHERE persona = ? AND person_id = ?`, persona, person))(
			func(row scanner) (subject string, err error) {
				var at time.Time
				if err = row.Scan(&subject, intoTime(&at)); err == nil {
					subjects[subject] = at
				}
				return subject, err
			})
		return err
	})
	if err != nil {
		return nil, err
	}
	return subjects, nil
}

func (c *conn) greet(persona string, person int64, subjects []string) error {
	for _, subject := range subjects {
		_, err := c.exec(`INSERT INTO greeted (persona, person_id, subject, at) VALUES (?, ?, ?, ?)
			ON CONFLICT (persona, person_id, subject) DO UPDATE SET at = excluded.at`, persona, person, subject, c.nowMS())
		if err != nil {
			return err
		}
	}
	return nil
}
