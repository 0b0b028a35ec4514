package lore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"familiar/internal/tokens"
)

// Message is one message of the talk.
type Message struct {
	Text string
	// Self reports that the persona wrote it.
	Self bool
}

// Input is what decides which entries fire.
type Input struct {
	// Messages are the talk, oldest first, with what is being answered.
	Messages []Message
	// New is how many of them are being answered: an entry that matched before matched in the others.
	New int
	// Greeting is the number of the greeting that the talk began with, from 0, or -1 if it is not known.
	Greeting int
	// Budget bounds all texts in tokens, 0 for the bound of the book alone.
	Budget int
	// Expand fills the macros of keys and contents. Chance returns a number from 0 to 99. Nil expands nothing and lets
	// every entry with a probability above 0 fire.
	Expand func(string) string
	Chance func() int
}

// Fired is an entry that fires.
type Fired struct {
	Entry *Entry
	// Number is its place in the book, from 1.
	Number int
	// Text is its content without decorators, with its macros filled.
	Text string
	// Why says in a few words what made it fire.
	Why string
	// Place is where it goes. Depth and Role are set if that is in the talk.
	Place  Place
	Depth  int
	Role   string
	Tokens int
}

// Result is what fires, in the order of insertion.
type Result struct {
	Fired []Fired
	// LeftOut fired too, but there was no room.
	LeftOut []Fired
}

// maxRounds bounds how often texts of entries are searched for further ones.
const maxRounds = 16

// Fire returns the entries that fire. No entry fires twice.
func (r *Rules) Fire(in Input) Result {
	if r == nil {
		return Result{}
	}
	f := firing{Input: in, rules: r, windows: map[int]window{}, fired: make([]bool, len(r.rules)), unlucky: make([]bool, len(r.rules))}
	if f.Expand == nil {
		f.Expand = func(s string) string { return s }
	}
	if f.Chance == nil {
		f.Chance = func() int { return 0 }
	}
	for _, m := range in.Messages {
		if m.Self {
			f.answers++
		}
	}
	fresh := f.round(0, "", Fired{})
	for n := 1; n < maxRounds && r.Book.Recursive && len(fresh) > 0; n++ {
		var next []Fired
		for _, e := range fresh {
			if !r.rules[e.Number-1].PreventRecursion {
				next = append(next, f.round(n, e.Text, e)...)
			}
		}
		fresh = next
	}
	return f.fit()
}

// firing is one decision.
type firing struct {
	Input
	rules   *Rules
	windows map[int]window
	// fired and unlucky are by entry: the dice are cast once.
	fired, unlucky []bool
	found          []Fired
	// answers counts the persona's messages.
	answers int
}

// round looks for entries in the talk, or from the second round on in the text of another entry.
func (f *firing) round(n int, text string, by Fired) (fresh []Fired) {
	searched := windowOf(text)
	for i := range f.rules.rules {
		c := &f.rules.rules[i]
		if f.fired[i] || f.unlucky[i] || !c.entry.Enabled || c.text == "" {
			continue
		}
		if n > 0 && c.ExcludeRecursion || n == 0 && c.UntilRecursion {
			continue
		}
		if n == 0 {
			searched = f.latest(c.scans(f.rules.Book))
		}
		why := f.why(c, searched, n)
		if why == "" {
			continue
		}
		if f.unlucky[i] = !f.lucky(c); f.unlucky[i] {
			continue
		}
		if n > 0 {
			why += fmt.Sprintf(" in entry %d", by.Number)
		}
		f.fired[i] = true
		if e := f.firedBy(i, why); e.Text != "" {
			fresh = append(fresh, e)
		}
	}
	f.found = append(f.found, fresh...)
	return fresh
}

func (f *firing) firedBy(i int, why string) Fired {
	c := &f.rules.rules[i]
	e := Fired{Entry: c.entry, Number: i + 1, Text: strings.TrimSpace(f.Expand(c.text)), Why: why}
	if e.Place, e.Depth = c.place(); e.Place == AtDepth {
		e.Role = c.spoken()
	}
	e.Tokens = tokens.Estimate(e.Text)
	return e
}

// why returns what makes an entry fire, "" if it does not.
func (f *firing) why(c *rule, searched window, round int) string {
	switch {
	case c.activate:
		return "@@activate"
	case c.dontActivate,
		c.after != nil && f.answers < *c.after,
		c.every != nil && f.answers%*c.every != 0,
		c.greeting != nil && f.Greeting >= 0 && *c.greeting != f.Greeting,
		c.stopAfterMatch && f.matchedBefore(c) != "":
		return ""
	}
	if round == 0 && c.keepAfterMatch {
		if key := f.matchedBefore(c); key != "" {
			return fmt.Sprintf("it matched before (key %q)", key)
		}
	}
	return f.matches(c, searched)
}

// matches returns what in a text makes an entry fire, "" for nothing.
func (f *firing) matches(c *rule, searched window) string {
	any := func(keys []pattern) (string, bool) {
		for _, p := range keys {
			if p.in(searched, f.Expand) {
				return p.key, true
			}
		}
		return "", false
	}
	if _, excluded := any(c.exclude); excluded {
		return ""
	}
	if _, ok := any(c.additional); !ok && len(c.decorators.additional) > 0 {
		return ""
	}
	if c.decorators.constant || c.entry.Constant && !c.entry.Regex {
		return "constant"
	}
	key, ok := any(c.keys)
	if !ok || !f.secondary(c, searched) {
		return ""
	}
	return fmt.Sprintf("key %q", key)
}

// secondary reports whether the secondary keys allow an entry.
func (f *firing) secondary(c *rule, searched window) bool {
	if len(c.secondary) == 0 {
		return true
	}
	found := 0
	for _, p := range c.secondary {
		if p.in(searched, f.Expand) {
			found++
		}
	}
	switch c.Logic {
	case andAll:
		return found == len(c.secondary)
	case notAny:
		return found == 0
	case notAll:
		return found < len(c.secondary)
	}
	return found > 0
}

// matchedBefore returns the key that matched an earlier message of the talk, as far as it is known, "" for none.
func (f *firing) matchedBefore(c *rule) string {
	for _, m := range f.Messages[:max(0, len(f.Messages)-f.New)] {
		searched := windowOf(m.Text)
		for _, p := range c.keys {
			if p.in(searched, f.Expand) {
				return p.key
			}
		}
	}
	return ""
}

// lucky casts the dice for entries that fire only sometimes.
func (f *firing) lucky(c *rule) bool {
	if c.Probability == nil || c.UseProbability != nil && !*c.UseProbability {
		return true
	}
	return float64(f.Chance()) < *c.Probability
}

// latest returns the latest n messages as one text.
func (f *firing) latest(n int) window {
	n = min(n, len(f.Messages))
	if w, ok := f.windows[n]; ok {
		return w
	}
	var b strings.Builder
	for _, m := range f.Messages[len(f.Messages)-n:] {
		b.WriteString(m.Text + "\n")
	}
	w := windowOf(b.String())
	f.windows[n] = w
	return w
}

// fit leaves out what there is no room for: what asks to be left out first, then the lowest priority. What is too long by
// itself makes room for the next.
func (f *firing) fit() (r Result) {
	byOrder := func(a, b Fired) int {
		return cmp.Or(cmp.Compare(a.Entry.Order, b.Entry.Order), cmp.Compare(a.Number, b.Number))
	}
	room := whole(f.rules.Book.TokenBudget, most)
	if f.Budget > 0 {
		room = min(room, f.Budget)
	}
	slices.SortFunc(f.found, func(a, b Fired) int {
		return cmp.Or(compareBool(f.trimmedFirst(a), f.trimmedFirst(b)), cmp.Compare(priority(b.Entry), priority(a.Entry)), byOrder(b, a))
	})
	for _, e := range f.found {
		if e.Tokens > room {
			r.LeftOut = append(r.LeftOut, e)
			continue
		}
		room -= e.Tokens
		r.Fired = append(r.Fired, e)
	}
	slices.SortFunc(r.Fired, byOrder)
	return r
}

func (f *firing) trimmedFirst(e Fired) bool { return f.rules.rules[e.Number-1].trimFirst }

func priority(e *Entry) float64 {
	if e.Priority != nil {
		return *e.Priority
	}
	return e.Order
}

// compareBool sorts false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
