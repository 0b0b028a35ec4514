package lifecycle

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// mayFade is the SQL condition that a memory m may fade at all. Pinned memories, standing instructions and what the
// operator told may not, nor a memory that left something open with somebody.
const mayFade = `m.pinned = 0 AND m.instruction = 0 AND m.origin <> 'told' AND ` + nothingOpen

// numberColumns are the columns of numeric fields.
var numberColumns = map[string]string{
	"uses": "m.uses", "recalls": "m.recalls", "salience": "m.salience", "strength": "m.strength",
}

// flipped turns a comparison of durations into one of the moments they count from.
var flipped = map[string]string{">=": "<=", "<=": ">=", ">": "<", "<": ">", "=": "=", "!=": "<>"}

// ruleCondition returns the SQL condition on memories m that the rule applies at now. Its text consists of constants.
func ruleCondition(r model.Rule, now time.Time) (string, []any) {
	var where db.Conditions
	if r.From != "" && onlyFaded(r) {
		where.And("+m.tier = ?", r.From) // a tier holds most of the memories, the faded ones are few: the plus keeps SQLite off the tier index
	} else if r.From != "" {
		where.And("m.tier = ?", r.From)
	}
	if r.To != "" {
		where.And("m.tier <> ?", r.To)
	}
	for _, t := range r.Terms {
		text, args := termCondition(t, now)
		where.And(text, args...)
	}
	if r.Action == model.Demote || r.Action == model.Forget {
		where.And(mayFade)
	}
	return "(" + where.String() + ")", where.Args
}

// onlyFaded reports whether the rule applies only to faded memories.
func onlyFaded(r model.Rule) bool {
	return slices.ContainsFunc(r.Terms, func(t model.Term) bool { return t.Field == "faded" })
}

func termCondition(t model.Term, now time.Time) (string, []any) {
	op := strings.Replace(t.Op, "!=", "<>", 1)
	switch t.Field {
	case "faded":
		return "m.forget_at <= ?", []any{db.Millis(now)}
	case "age":
		return "m.created_at " + flipped[t.Op] + " ?", []any{db.Millis(now.Add(-span(t)))}
	case "idle":
		return "coalesce(m.recalled_at, m.created_at) " + flipped[t.Op] + " ?", []any{db.Millis(now.Add(-span(t)))}
	case "utility": // a memory that was never recalled has not been useless
		return "m.uses " + op + " ? * m.recalls", []any{number(t)}
	case "sector", "origin":
		return "m." + t.Field + " " + op + " ?", []any{t.Value}
	case "tag":
		in := "IN"
		if t.Op == "!=" {
			in = "NOT IN"
		}
		return "m.id " + in + " (SELECT memory_id FROM memory_tags WHERE tag = ?)", []any{t.Value}
	}
	return numberColumns[t.Field] + " " + op + " ?", []any{number(t)}
}

// span and number return the values of checked terms.
func span(t model.Term) time.Duration {
	d, _ := model.ParseSpan(t.Value)
	return d
}

func number(t model.Term) float64 {
	n, _ := strconv.ParseFloat(t.Value, 64)
	return n
}

// firstMatchingRule returns two SQL texts: an expression for the position, from 1, of the first rule that applies to
// memory m of persona at now, NULL for none; and the condition that one applies. Both take the same args. The condition
// tests each rule by itself, because most can use an index.
func firstMatchingRule(rules []model.Rule, persona string, now time.Time) (which, some string, args []any) {
	var cases, holds []string
	for i, r := range rules {
		text, more := ruleCondition(r, now)
		text = "m.persona = ? AND m.superseded_by IS NULL AND " + text
		cases = append(cases, "WHEN "+text+" THEN "+strconv.Itoa(i+1))
		holds = append(holds, "SELECT m.id FROM memories m WHERE "+text)
		args = append(append(args, persona), more...)
	}
	return "CASE " + strings.Join(cases, " ") + " END", "m.id IN (" + strings.Join(holds, " UNION ALL ") + ")", args
}
