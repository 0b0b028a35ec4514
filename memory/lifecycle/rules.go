package lifecycle

import (
	"context"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Rules returns persona's rules in the order they are tried: the operator's own, then the built-in ones.
func (s *Store) Rules(ctx context.Context, persona string) (rules []model.Rule, err error) {
	err = s.db.Read(ctx, "read the rules of "+persona, func(tx *db.Tx) error {
		rules, err = rulesOf(tx, persona)
		return err
	})
	return rules, err
}

// AddRule stores a rule of the operator. Adding it again returns the stored one. It fails when text is not a valid
// rule.
func (s *Store) AddRule(ctx context.Context, persona, text string) (r model.Rule, err error) {
	parsed, err := model.ParseRule(text)
	if err != nil {
		return model.Rule{}, err
	}
	err = s.db.Write(ctx, "add a rule for "+persona, func(tx *db.Tx) error {
		r = parsed
		if _, err := tx.Exec(`INSERT INTO memory_rules (persona, rule, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
			persona, r.String(), tx.NowMillis()); err != nil {
			return err
		}
		r.ID, err = db.One(tx.QueryRow(`SELECT id FROM memory_rules WHERE persona = ? AND rule = ?`, persona, r.String()), db.ScanID)
		return err
	})
	return r, err
}

// RemoveRule removes a rule of the operator. It fails with ErrNotFound when there is no rule with that id.
func (s *Store) RemoveRule(ctx context.Context, persona string, id int64) error {
	return s.db.Write(ctx, fmt.Sprintf("remove rule %d", id), func(tx *db.Tx) error {
		n, err := tx.Affect(`DELETE FROM memory_rules WHERE id = ? AND persona = ?`, id, persona)
		if err == nil && n == 0 {
			err = db.ErrNotFound
		}
		return err
	})
}

func rulesOf(tx *db.Tx, persona string) ([]model.Rule, error) {
	rules, err := ownRules(tx, persona)
	if err != nil {
		return nil, err
	}
	for _, text := range model.BuiltInRules {
		r, err := model.ParseRule(text)
		if err != nil {
			return nil, err
		}
		rules = append(rules, r)
	}
	return rules, nil
}

func ownRules(tx *db.Tx, persona string) ([]model.Rule, error) {
	return db.Collect[model.Rule](tx.Query(`SELECT id, rule FROM memory_rules WHERE persona = ? ORDER BY id`, persona))(
		func(row db.Scanner) (r model.Rule, err error) {
			var id int64
			var text string
			if err = row.Scan(&id, &text); err != nil {
				return r, err
			}
			r, err = model.ParseRule(text)
			r.ID = id
			return r, err
		})
}

// keptByRule returns the condition, to append to others, that no rule of the operator keeps memory m; it is empty when
// there is no such rule.
func keptByRule(tx *db.Tx, now time.Time) (condition string, args []any, err error) {
	personas, err := db.Collect[string](tx.Query(`SELECT DISTINCT persona FROM memory_rules ORDER BY persona`))(db.ScanText)
	if err != nil {
		return "", nil, err
	}
	for _, persona := range personas {
		rules, err := ownRules(tx, persona)
		if err != nil {
			return "", nil, err
		}
		for _, r := range rules {
			if r.Action == model.Keep {
				text, more := ruleCondition(r, now)
				condition += " AND NOT (m.persona = ? AND " + text + ")"
				args = append(append(args, persona), more...)
			}
		}
	}
	return condition, args, nil
}
