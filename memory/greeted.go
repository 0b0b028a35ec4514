package memory

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Greeted is what of some subjects, of all when none is named, a person was already greeted about and when, by subject.
func (s *Store) Greeted(ctx context.Context, persona string, person int64, of ...string) (map[string]time.Time, error) {
	query, args := `SELECT subject, at FROM greeted WHERE persona = ? AND person_id = ?`, []any{persona, person}
	if len(of) > 0 {
		in, some := list(of)
		query, args = query+` AND subject IN `+in, append(args, some...)
	}
	subjects := map[string]time.Time{}
	err := s.read(ctx, fmt.Sprintf("read what person %d was greeted about", person), func(tx *conn) error {
		_, err := collect[string](tx.rows(query, args...))(
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

// subjectsOf are the memories and loops that subjects of a greeting name: "memory:12" is memory 12, "loop:3" and
// "loop:3:after" are loop 3. Other subjects name neither.
func subjectsOf(subjects []string) (memories, loops []int64) {
	for _, subject := range subjects {
		kind, rest, _ := strings.Cut(subject, ":")
		number, _, _ := strings.Cut(rest, ":")
		id, err := strconv.ParseInt(number, 10, 64)
		if err != nil || id <= 0 {
			continue
		}
		switch kind {
		case "memory":
			memories = append(memories, id)
		case "loop":
			loops = append(loops, id)
		}
	}
	return memories, loops
}

// ungreet forgets that anybody was greeted about memories and loops that are gone, or was to be: what gets their numbers
// later is something else. That something was said unasked still counts.
func (c *conn) ungreet(persona string, memories, loops []int64) error {
	if len(memories)+len(loops) == 0 {
		return nil
	}
	greeted, err := collect[string](c.rows(`SELECT subject FROM greeted WHERE persona = ?1
		UNION SELECT subject FROM unasked_decisions WHERE persona = ?1`, persona))(scanText)
	if err != nil {
		return err
	}
	for _, subject := range greeted {
		m, l := subjectsOf([]string{subject})
		gone := len(m) > 0 && slices.Contains(memories, m[0]) || len(l) > 0 && slices.Contains(loops, l[0])
		if !gone {
			continue
		}
		for _, q := range []string{
			`DELETE FROM greeted WHERE persona = ? AND subject = ?`,
			`DELETE FROM unasked_decisions WHERE persona = ? AND subject = ? AND sent = 0`,
			`UPDATE unasked_decisions SET subject = 'forgotten:' || message_id WHERE persona = ? AND subject = ?`,
		} {
			if _, err := c.exec(q, persona, subject); err != nil {
				return err
			}
		}
	}
	return nil
}
