package simulate

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Verdict is the score of an answer.
type Verdict string

// The verdicts.
const (
	// Right answers hold the requested value, or withhold what must not be said.
	Right Verdict = "right"
	// Unknown answers state that the persona does not know.
	Unknown Verdict = "unknown"
	// Wrong answers say something else.
	Wrong Verdict = "wrong"
	// Stale answers give a former value as the current one.
	Stale Verdict = "stale"
	// Foreign answers hold what another person told in private.
	Foreign Verdict = "foreign"
)

// fact is what a person has told about a topic: the current value, "" for none, and the former values.
type fact struct {
	now  string
	past []string
}

// truth holds what everybody has told so far.
type truth struct {
	facts []map[topic]*fact
	// owners maps the last word of a proper name, in lower case, to its owner.
	owners map[string]int
}

func newTruth(people int) *truth {
	t := &truth{facts: make([]map[topic]*fact, people), owners: map[string]int{}}
	for i := range t.facts {
		t.facts[i] = map[topic]*fact{}
	}
	return t
}

// hear records what a line tells.
func (t *truth) hear(line Line) {
	for _, c := range line.Tells {
		f := t.facts[line.Who][c.About]
		if f == nil {
			f = &fact{}
			t.facts[line.Who][c.About] = f
		}
		if f.now != "" && f.now != c.Value {
			f.past = append(f.past, f.now)
		}
		f.now = c.Value
		if topics[c.About].proper && c.Value != "" {
			words := strings.Fields(strings.ToLower(c.Value))
			t.owners[words[len(words)-1]] = line.Who
		}
	}
}

// judge returns the verdict on the answer to a probe.
func (t *truth) judge(line Line, answer string) Verdict {
	if t.foreign(line.Who, line.Club, answer) != "" {
		return Foreign
	}
	p := line.Asks
	f := t.facts[line.Who][p.About]
	if f == nil {
		f = &fact{}
	}
	switch {
	case p.Hidden:
		return Right
	case p.Never:
		return verdict(saysUnknown(answer), Right, Wrong)
	case len(p.Words) > 0:
		return orUnknown(answer, mentionsAny(answer, p.Words))
	case p.Former:
		return orUnknown(answer, mentionsAny(answer, f.past))
	}
	current := f.now != "" && mentions(answer, f.now)
	old := mentionsAny(answer, f.outdated()) && !ofThePast(answer)
	switch {
	case old && (!current || topics[p.About].proper):
		return Stale
	case current, f.now == "" && !old:
		return Right
	}
	return orUnknown(answer, false)
}

func verdict(yes bool, then, otherwise Verdict) Verdict {
	if yes {
		return then
	}
	return otherwise
}

func orUnknown(answer string, right bool) Verdict {
	if right {
		return Right
	}
	return verdict(saysUnknown(answer), Unknown, Wrong)
}

// outdated returns the values that no longer hold.
func (f *fact) outdated() []string {
	return slices.DeleteFunc(slices.Clone(f.past), func(v string) bool { return v == f.now })
}

// foreign returns a name in text that was told in private, "" for none: in a direct room by anybody but its reader, in
// the group by anybody.
func (t *truth) foreign(reader int, club bool, text string) string {
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !partOfWord(r) }) {
		if owner, taken := t.owners[word]; taken && (club || owner != reader) {
			return word
		}
	}
	return ""
}

// stale returns one of the reader's own names that text presents as current although it is not, "" for none. Text that
// is quoted with its date, or called past, makes no claim about today.
func (t *truth) stale(reader int, heard, text string) string {
	text = unquoted(text)
	for _, about := range slices.Sorted(maps.Keys(t.facts[reader])) {
		f := t.facts[reader][about]
		if !topics[about].proper || f.now != "" && mentions(text, f.now) {
			continue
		}
		for _, old := range f.outdated() {
			if mentions(text, old) && !mentions(heard, old) && !ofThePast(text) {
				return old
			}
		}
	}
	return ""
}

// past reports whether value once held for a topic of the reader under one of the relations, and no longer does.
func (t *truth) past(reader int, relation, value string) bool {
	was := false
	for about, f := range t.facts[reader] {
		if !topics[about].proper || !slices.ContainsFunc(topics[about].relations, func(r string) bool { return strings.HasPrefix(relation, r) }) {
			continue
		}
		if strings.EqualFold(f.now, value) {
			return false
		}
		was = was || slices.ContainsFunc(f.past, func(old string) bool { return strings.EqualFold(old, value) })
	}
	return was
}

// mentions reports whether text holds value as separate words, ignoring case.
func mentions(text, value string) bool {
	text, value = strings.ToLower(text), strings.ToLower(value)
	for from := 0; value != ""; {
		i := strings.Index(text[from:], value)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(value):])
		if !partOfWord(before) && !partOfWord(after) {
			return true
		}
		from = i + len(value)
	}
	return false
}

func partOfWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

func mentionsAny(text string, values []string) bool {
	return slices.ContainsFunc(values, func(v string) bool { return mentions(text, v) })
}

// unquoted returns a text without its quotations.
func unquoted(text string) string {
	var b strings.Builder
	for {
		open := strings.Index(text, "“")
		if open < 0 {
			return b.String() + text
		}
		b.WriteString(text[:open])
		end := strings.Index(text[open:], "”")
		if end < 0 {
			return b.String()
		}
		text = text[open+end+len("”"):]
	}
}

// pastWords mark something as over, unknownWords mark something as not known.
var (
	pastWords    = split("used to|was|were|before|no longer|not any more|anymore|once|died|former|formerly|until|ended|broke up|split up|left")
	unknownWords = split("don't know|do not know|nobody has told|haven't told|have not told|know nothing|nothing on that|haven't been told|" +
		"not been told|not that you told|wish I knew|not that I've heard|isn't something I know|don't remember|nothing of that|" +
		"don't think you told|nobody told|not yet|no earlier|I'm not sure|I only have this|all I have is this")
)

func ofThePast(text string) bool { return mentionsAny(text, pastWords) }

func saysUnknown(text string) bool {
	return mentionsAny(strings.ReplaceAll(text, "’", "'"), unknownWords)
}
