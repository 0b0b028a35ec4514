package memory

import (
	"context"
	"fmt"
	"time"
)

// Rules are persona's rules in the order they are tried: the operator's own, then the built-in ones.
func (s *Store) Rules(ctx context.Context, persona string) (rules []Rule, err error) {
	err = s.read(ctx, "read the rules of "+persona, func(tx *conn) error {
		rules, err = tx.rules(persona)
		return err
	})
	return rules, err
}

// AddRule stores a rule of the operator's; the same one again is the one there is.
func (s *Store) AddRule(ctx context.Context, persona, text string) (r Rule, err error) {
	parsed, err := ParseRule(text)
	if err != nil {
		return Rule{}, err
	}
	err = s.write(ctx, "add a rule for "+persona, func(tx *conn) error {
		r = parsed
		if _, err := tx.exec(`INSERT INTO memory_rules (persona, rule, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
			persona, r.String(), tx.nowMS()); err != nil {
			return err
		}
		r.ID, err = one(tx.row(`SELECT id FROM memory_rules WHERE persona = ? AND rule = ?`, persona, r.String()), scanID)
		return err
	})
	return r, err
}

// RemoveRule removes a rule of the operator's, ErrNotFound when there is none of that number.
func (s *Store) RemoveRule(ctx context.Context, persona string, id int64) error {
	return s.write(ctx, fmt.Sprintf("remove rule %d", id), func(tx *conn) error {
		n, err := tx.affect(`DELETE FROM memory_rules WHERE id = ? AND persona = ?`, id, persona)
		if err == nil && n == 0 {
			err = ErrNotFound
		}
		return err
	})
}

func (c *conn) rules(persona string) ([]Rule, error) {
	rules, err := c.ownRules(persona)
	if err != nil {
		return nil, err
	}
	for _, text := range BuiltInRules {
		r, err := ParseRule(text)
		if err != nil {
			return nil, err
		}
		rules = append(rules, r)
	}
	return rules, nil
}

func (c *conn) ownRules(persona string) ([]Rule, error) {
	return collect[Rule](c.rows(`SELECT id, rule FROM memory_rules WHERE persona = ? ORDER BY id`, persona))(
		func(row scanner) (r Rule, err error) {
			var id int64
			var text string
			if err = row.Scan(&id, &text); err != nil {
				return r, err
			}
			r, err = ParseRule(text)
			r.ID = id
			return r, err
		})
}

// keptByRule is the condition that no rule of the operator's keeps a memory m, empty when there is no such rule, to be
// appended to others.
func (c *conn) keptByRule(now time.Time) (condition string, args []any, err error) {
	personas, err := collect[string](c.rows(`SELECT DISTINCT persona FROM memory_rules ORDER BY persona`))(scanText)
	if err != nil {
		return "", nil, err
	}
	for _, persona := range personas {
		rules, err := c.ownRules(persona)
		if err != nil {
			return "", nil, err
		}
		for _, r := range rules {
			if r.Action == Keep {
				text, more := r.where(now)
				condition += " AND NOT (m.persona = ? AND " + text + ")"
				args = append(append(args, persona), more...)
			}
		}
	}
	return condition, args, nil
}
