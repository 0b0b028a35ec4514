package model

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Rule moves memories from one tier to another: "promote short long when uses >= 3 and age >= 7d". The first rule that
// matches a memory decides. The operator's rules come before the built-in ones.
type Rule struct {
	// ID is the ID of a stored rule, 0 for a built-in one.
	ID int64
	// Action is promote, demote, forget or keep. A memory that a keep rule matches is exempt from all later rules.
	Action string
	// From is the tier the rule applies to, "" for any. To is the target tier, "" for forget and keep.
	From, To Tier
	// Terms are the conditions, all of which must hold.
	Terms []Term
}

// Term is one condition of a rule: a field compared with a value. The field "faded" stands alone.
type Term struct {
	Field, Op string
	// Value is a duration for age and idle, otherwise a number or a word.
	Value string
}

// The actions of rules.
const (
	Promote = "promote"
	Demote  = "demote"
	Forget  = "forget"
	Keep    = "keep"
)

// anyTier stands for all tiers in a rule.
const anyTier = "any"

// RuleSyntax describes the syntax of rules for people.
const RuleSyntax = `(promote FROM TO | demote FROM TO | forget FROM | keep FROM) when TERM [and TERM]…
FROM, TO  sensory, short, long, dormant; FROM also any
TERM      faded, or FIELD OP VALUE with OP one of >= <= > < = !=
FIELD     age, idle (time since it was made, recalled: 90m, 12h, 7d, 2w), uses, recalls, utility (uses per recall), salience,
          strength (numbers), sector, origin, tag (words, with = and != only)`

// fieldKind is the type of value that a field is compared with.
type fieldKind int

const (
	duration fieldKind = iota
	number
	word
)

// ruleFields lists the fields of terms.
var ruleFields = map[string]fieldKind{
	"age": duration, "idle": duration, "uses": number, "recalls": number, "utility": number, "salience": number, "strength": number,
	"sector": word, "origin": word, "tag": word,
}

// ruleOps lists the operators. Those of two characters precede their one-character prefixes.
var ruleOps = []string{">=", "<=", "!=", ">", "<", "="}

// BuiltInRules apply when no rule of the operator matches. Only recalls that were used promote a memory. The decay job
// carries out the last two rules.
var BuiltInRules = []string{
	"promote sensory short when uses >= 1",
	"promote short long when uses >= 3 and age >= 7d",
	"promote short long when uses >= 1 and salience >= 0.6 and age >= 30d",
	"demote sensory dormant when uses = 0 and age >= 30d",
	"demote any dormant when recalls >= 20 and utility < 0.05",
	"demote any dormant when faded",
	"forget dormant when faded",
}

// ParseRule parses a rule. The error says what is wrong with it.
func ParseRule(text string) (Rule, error) {
	head, rest, found := strings.Cut(" "+strings.Join(strings.Fields(strings.ToLower(text)), " ")+" ", " when ")
	if !found {
		return Rule{}, fmt.Errorf("rule %q: the word when is missing", text)
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
		return r, errors.New("it must begin with an action and a tier, such as promote short long")
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
			return r, fmt.Errorf("%s needs two tiers, from and to", r.Action)
		}
		if r.To, err = parseTier(words[2]); err != nil {
			return r, err
		}
		up := r.To.isAbove(r.From)
		if r.From != "" && (r.To == r.From || up != (r.Action == Promote)) {
			return r, fmt.Errorf("%s cannot move a memory from %s to %s", r.Action, r.From, r.To)
		}
	case Forget, Keep:
		if len(words) != 2 {
			return r, fmt.Errorf("%s needs exactly one tier", r.Action)
		}
	default:
		return r, fmt.Errorf("unknown action %q: use promote, demote, forget or keep", r.Action)
	}
	return r, nil
}

func parseTier(word string) (Tier, error) {
	if !slices.Contains(Tiers, Tier(word)) {
		return "", fmt.Errorf("unknown tier %q: use sensory, short, long or dormant", word)
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
		return t, fmt.Errorf("%q has no comparison: write it like uses >= 3", text)
	}
	i := slices.IndexFunc(ruleOps, func(op string) bool { return strings.HasPrefix(text[at:], op) })
	if i < 0 {
		return t, fmt.Errorf("%q: use one of >= <= > < = !=", text)
	}
	t.Op = ruleOps[i]
	t.Field, t.Value = strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+len(t.Op):])
	kind, known := ruleFields[t.Field]
	if !known {
		return t, fmt.Errorf("unknown field %q: use age, idle, uses, recalls, utility, salience, strength, sector, origin or tag", t.Field)
	}
	return t, t.check(kind)
}

// check validates the value of a term.
func (t Term) check(kind fieldKind) error {
	switch kind {
	case duration:
		_, err := ParseSpan(t.Value)
		return err
	case number:
		if n, err := strconv.ParseFloat(t.Value, 64); err != nil || !(n >= 0 && n <= 1e9) {
			return fmt.Errorf("%s must be compared with a number, not %q", t.Field, t.Value)
		}
	case word:
		if t.Value == "" || strings.ContainsAny(t.Value, " <>=!") || t.Op != "=" && t.Op != "!=" {
			return fmt.Errorf("%s must be compared with one word, using = or !=", t.Field)
		}
	}
	return nil
}

// spanUnits are the units of a duration in a rule.
var spanUnits = map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}

// maxSpan bounds a duration to a hundred years, so that no date leaves the calendar.
const maxSpan = 100 * 365 * 24 * time.Hour

// ParseSpan parses a duration: a whole number and one unit, up to a hundred years, such as 90m, 12h, 7d or 2w.
func ParseSpan(text string) (time.Duration, error) {
	if text != "" {
		unit := spanUnits[text[len(text)-1]]
		n, err := strconv.ParseUint(text[:len(text)-1], 10, 32)
		if err == nil && unit > 0 && n <= uint64(maxSpan/unit) {
			return time.Duration(n) * unit, nil
		}
	}
	return 0, fmt.Errorf("invalid duration %q: write 90m, 12h, 7d or 2w", text)
}

// String formats the rule so that ParseRule can read it.
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

// String formats the term as it is written in a rule.
func (t Term) String() string {
	if t.Op == "" {
		return t.Field
	}
	return t.Field + " " + t.Op + " " + t.Value
}
