package model

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Rule moves memories from a tier to another: "promote short long when uses >= 3 and age >= 7d". Of the rules for one memory
// the first that holds decides, the operator's own before the built-in ones.
type Rule struct {
	// ID is the stored rule's, 0 for a built-in one.
	ID int64
	// Action is promote, demote, forget or keep: what keep holds of is left alone by all rules after it.
	Action string
	// From is where it looks, "" for any tier; To where it moves, "" for forget and keep.
	From, To Tier
	// Terms must all hold.
	Terms []Term
}

// Term is one condition of a rule: a field compared with a value. The field "faded" stands alone.
type Term struct {
	Field, Op string
	// Value is a length of time for age and idle, a number, or a word.
	Value string
}

// The actions of rules.
const (
	Promote = "promote"
	Demote  = "demote"
	Forget  = "forget"
	Keep    = "keep"
)

// anyTier is how a rule names all tiers.
const anyTier = "any"

// RuleSyntax says how rules are written.
const RuleSyntax = `(promote FROM TO | demote FROM TO | forget FROM | keep FROM) when TERM [and TERM]…
FROM, TO  sensory, short, long, dormant; FROM also any
TERM      faded, or FIELD OP VALUE with OP one of >= <= > < = !=
FIELD     age, idle (time since it was made, recalled: 90m, 12h, 7d, 2w), uses, recalls, utility (uses per recall), salience,
          strength (numbers), sector, origin, tag (words, with = and != only)`

// fieldKind is what a field is compared with.
type fieldKind int

const (
	duration fieldKind = iota
	number
	word
)

// ruleFields are the fields of terms.
var ruleFields = map[string]fieldKind{
	"age": duration, "idle": duration, "uses": number, "recalls": number, "utility": number, "salience": number, "strength": number,
	"sector": word, "origin": word, "tag": word,
}

// ruleOps are the comparisons, those of two characters before the ones they begin with.
var ruleOps = []string{">=", "<=", "!=", ">", "<", "="}

// BuiltInRules are the rules that hold where no other does. Only recalls that were used promote. Decay carries out the last two.
var BuiltInRules = []string{
	"promote sensory short when uses >= 1",
	"promote short long when uses >= 3 and age >= 7d",
	"promote short long when uses >= 1 and salience >= 0.6 and age >= 30d",
	"demote sensory dormant when uses = 0 and age >= 30d",
	"demote any dormant when recalls >= 20 and utility < 0.05",
	"demote any dormant when faded",
	"forget dormant when faded",
}

// ParseRule reads a rule; the error says what is wrong with it.
func ParseRule(text string) (Rule, error) {
	head, rest, found := strings.Cut(" "+strings.Join(strings.Fields(strings.ToLower(text)), " ")+" ", " when ")
	if !found {
		return Rule{}, fmt.Errorf("rule %q: there is no when", text)
	}
	r, err := parseHead(strings.Fields(head))
	if err != nil {
		return Rule{}, fmt.Errorf("rule %q: %w", text, err)
	}
	for part := range strings.SplitSeq(rest, " and ") {
		t, err := parseTerm(strings.TrimSpace(part))
		if err != nil {
			return Rule{}, fmt.Errorf("rule %q: %w", text, err)
		}
		r.Terms = append(r.Terms, t)
	}
	return r, nil
}

func parseHead(words []string) (r Rule, err error) {
	if len(words) < 2 {
		return r, errors.New("say what to do with which tier: promote short long")
	}
	r.Action = words[0]
	if words[1] != anyTier {
		if r.From, err = parseTier(words[1]); err != nil {
			return r, err
		}
	}
	switch r.Action {
	case Promote, Demote:
		if len(words) != 3 {
			return r, fmt.Errorf("%s takes two tiers, from and to", r.Action)
		}
		if r.To, err = parseTier(words[2]); err != nil {
			return r, err
		}
		up := r.To.isAbove(r.From)
		if r.From != "" && (r.To == r.From || up != (r.Action == Promote)) {
			return r, fmt.Errorf("%s does not lead from %s to %s", r.Action, r.From, r.To)
		}
	case Forget, Keep:
		if len(words) != 2 {
			return r, fmt.Errorf("%s takes one tier", r.Action)
		}
	default:
		return r, fmt.Errorf("%q is nothing to do: take promote, demote, forget or keep", r.Action)
	}
	return r, nil
}

func parseTier(word string) (Tier, error) {
	if !slices.Contains(Tiers, Tier(word)) {
		return "", fmt.Errorf("%q is no tier: take sensory, short, long or dormant", word)
	}
	return Tier(word), nil
}

func parseTerm(text string) (Term, error) {
	if text == "faded" {
		return Term{Field: text}, nil
	}
	var t Term
	at := strings.IndexAny(text, "<>=!")
	if at < 0 {
		return t, fmt.Errorf("%q compares nothing: write it like uses >= 3", text)
	}
	i := slices.IndexFunc(ruleOps, func(op string) bool { return strings.HasPrefix(text[at:], op) })
	if i < 0 {
		return t, fmt.Errorf("%q: take one of >= <= > < = !=", text)
	}
	t.Op = ruleOps[i]
	t.Field, t.Value = strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+len(t.Op):])
	kind, known := ruleFields[t.Field]
	if !known {
		return t, fmt.Errorf("%q is no field: take age, idle, uses, recalls, utility, salience, strength, sector, origin or tag", t.Field)
	}
	return t, t.check(kind)
}

// check says what is wrong with the value of a term.
func (t Term) check(kind fieldKind) error {
	switch kind {
	case duration:
		_, err := ParseSpan(t.Value)
		return err
	case number:
		if n, err := strconv.ParseFloat(t.Value, 64); err != nil || !(n >= 0 && n <= 1e9) {
			return fmt.Errorf("%s is compared with a number, not %q", t.Field, t.Value)
		}
	case word:
		if t.Value == "" || strings.ContainsAny(t.Value, " <>=!") || t.Op != "=" && t.Op != "!=" {
			return fmt.Errorf("%s is compared with one word, by = or !=", t.Field)
		}
	}
	return nil
}

// spanUnits are the units of a length of time.
var spanUnits = map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}

// maxSpan bounds a length of time, so that no moment leaves the calendar: a hundred years.
const maxSpan = 100 * 365 * 24 * time.Hour

// ParseSpan reads a length of time, a whole number of one unit up to a hundred years: 90m, 12h, 7d, 2w.
func ParseSpan(text string) (time.Duration, error) {
	if text != "" {
		unit := spanUnits[text[len(text)-1]]
		n, err := strconv.ParseUint(text[:len(text)-1], 10, 32)
		if err == nil && unit > 0 && n <= uint64(maxSpan/unit) {
			return time.Duration(n) * unit, nil
		}
	}
	return 0, fmt.Errorf("%q is no length of time: write 90m, 12h, 7d or 2w", text)
}

// String is the rule as ParseRule reads it.
func (r Rule) String() string {
	words := []string{r.Action, string(r.From)}
	if r.From == "" {
		words[1] = anyTier
	}
	if r.To != "" {
		words = append(words, string(r.To))
	}
	for i, t := range r.Terms {
		join := "and"
		if i == 0 {
			join = "when"
		}
		words = append(words, join, t.String())
	}
	return strings.Join(words, " ")
}

// String is the term as it is written.
func (t Term) String() string {
	if t.Op == "" {
		return t.Field
	}
	return t.Field + " " + t.Op + " " + t.Value
}
