package memory

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// mayFade holds of the memories that may fade at all. What is pinned, told by the operator or a standing wish may not, nor what
// left something open with somebody.
const mayFade = `m.pinned = 0 AND m.instruction = 0 AND m.origin <> 'told' AND ` + nothingOpen

// numberColumns are the columns that the fields of numbers stand for.
var numberColumns = map[string]string{
	"uses": "m.uses", "recalls": "m.recalls", "salience": "m.salience", "strength": "m.strength",
}

// flipped are the comparisons of moments that compare the time since them.
var flipped = map[string]string{">=": "<=", "<=": ">=", ">": "<", "<": ">", "=": "=", "!=": "<>"}

// where is the condition on memories m that the rule holds of at now. Its text is made of constants alone.
func (r Rule) where(now time.Time) (string, []any) {
	var where conditions
	if r.From != "" && r.faded() {
		where.and("+m.tier = ?", r.From) // a tier is most of what there is, and what has faded next to nothing
	} else if r.From != "" {
		where.and("m.tier = ?", r.From)
	}
	if r.To != "" {
		where.and("m.tier <> ?", r.To)
	}
	for _, t := range r.Terms {
		text, args := t.where(now)
		where.and(text, args...)
	}
	if r.Action == Demote || r.Action == Discard {
		where.and(mayFade)
	}
	return "(" + where.String() + ")", where.args
}

// faded says that the rule holds of what has faded alone.
func (r Rule) faded() bool {
	return slices.ContainsFunc(r.Terms, func(t Term) bool { return t.Field == "faded" })
}

func (t Term) where(now time.Time) (string, []any) {
	op := strings.Replace(t.Op, "!=", "<>", 1)
	switch t.Field {
	case "faded":
		return "m.forget_at <= ?", []any{ms(now)}
	case "age":
		return "m.created_at " + flipped[t.Op] + " ?", []any{ms(now.Add(-t.span()))}
	case "idle":
		return "coalesce(m.recalled_at, m.created_at) " + flipped[t.Op] + " ?", []any{ms(now.Add(-t.span()))}
	case "utility": // what was never recalled has not been useless
		return "m.uses " + op + " ? * m.recalls", []any{t.number()}
	case "sector", "origin":
		return "m." + t.Field + " " + op + " ?", []any{t.Value}
	case "tag":
		in := "IN"
		if t.Op == "!=" {
			in = "NOT IN"
		}
		return "m.id " + in + " (SELECT memory_id FROM memory_tags WHERE tag = ?)", []any{t.Value}
	}
	return numberColumns[t.Field] + " " + op + " ?", []any{t.number()}
}

// span and number are the values of terms that were checked.
func (t Term) span() time.Duration {
	d, _ := ParseSpan(t.Value)
	return d
}

func (t Term) number() float64 {
	n, _ := strconv.ParseFloat(t.Value, 64)
	return n
}

// decide is the first of rules that holds of a memory m of persona at now, as an expression that gives its place, counted
// from 1, and NULL when none holds; and the condition that one does. Both take the same arguments. What each rule holds of is
// looked for by itself: most find it by an index.
func decide(rules []Rule, persona string, now time.Time) (which, some string, args []any) {
	var cases, holds []string
	for i, r := range rules {
		text, more := r.where(now)
		text = "m.persona = ? AND m.superseded_by IS NULL AND " + text
		cases = append(cases, "WHEN "+text+" THEN "+strconv.Itoa(i+1))
		holds = append(holds, "SELECT m.id FROM memories m WHERE "+text)
		args = append(append(args, persona), more...)
	}
	return "CASE " + strings.Join(cases, " ") + " END", "m.id IN (" + strings.Join(holds, " UNION ALL ") + ")", args
}
