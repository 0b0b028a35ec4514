package world

import (
	"slices"
	"strings"
	"unicode"

	"familiar/memory/understand/english"
)

// Statement is what a sentence states: one thing at a time holds of a subject under a relation.
type Statement struct {
	// Subject and Value are as written, Relation is a key (see Key).
	Subject, Relation, Value string
	// Corrects is the value that is denied in the same breath ("…, not Sydney"), empty when none is.
	Corrects string
	// Quote is the part of the text that states it.
	Quote string
}

// shape is one form of a statement: patterns and places for subject and value.
type shape struct {
	parts []part
	// relation is the shape's own, with a star for the words it captures.
	relation string
}

// part is a pattern, or the place of a subject (X, S) or a value (V, v, N). captures says that its words name the relation.
type part struct {
	place    byte
	pattern  english.Pattern
	captures bool
}

// newShape compiles a shape's notation; macros stand for several words.
func newShape(notation string, macros map[string]string) (s shape) {
	notation, s.relation, _ = strings.Cut(notation, " => ")
	var words []string
	flush := func(captures bool) {
		if len(words) > 0 {
			s.parts = append(s.parts, part{pattern: english.Compile(strings.Join(words, " ")), captures: captures})
		}
		words = nil
	}
	for w := range strings.FieldsSeq(notation) {
		if len(w) == 1 && strings.Contains("XSVvwN", w) {
			flush(false)
			s.parts = append(s.parts, part{place: w[0]})
			continue
		}
		w, begins := strings.CutPrefix(w, "<")
		w, ends := strings.CutSuffix(w, ">")
		if begins {
			flush(false)
		}
		bare, optional := strings.CutSuffix(w, "?")
		if m, ok := macros[bare]; ok {
			if w = m; optional {
				w += "?"
			}
		}
		if words = append(words, w); ends {
			flush(true)
		}
	}
	flush(false)
	return s
}

// finding is a statement being read: which words are its subject and its value, and what relates them.
type finding struct {
	subject, value [2]int
	relation       []string
	// strictSubject and strictValue say that it must be a name, plain that the value may be plain words.
	strictSubject, strictValue, plain bool
}

// Read reads a sentence as a statement. Sentences about the people who talk state nothing of the world.
func Read(text string, words []english.Word) (Statement, bool) {
	c := english.NewClause(text, withoutTime(withoutLead(text, words)))
	if st, ok := read(c); ok {
		return st, true
	}
	for i := 4; i < len(c.Words); i++ {
		if w := c.Words[i]; w.Comma && pointing[w.Low] || beyond[w.Low] { // "…, I think", "… because it is big"
			return read(english.NewClause(text, c.Words[:i]))
		}
	}
	return Statement{}, false
}

// statedAtMost is how many words a statement has at most, nameAtMost its subject and its value.
const (
	statedAtMost = 40
	nameAtMost   = 14
)

func read(c english.Clause) (Statement, bool) {
	if len(c.Words) < 3 || len(c.Words) > statedAtMost || pointsAtSpeakers(c) {
		return Statement{}, false
	}
	for _, s := range known().shapes {
		if st, ok := s.match(c, s.parts, 0, finding{}); ok {
			return st, true
		}
	}
	return Statement{}, false
}

// match matches the parts from word i on, a subject or a value with as few words as it can.
func (s shape) match(c english.Clause, parts []part, i int, f finding) (Statement, bool) {
	if len(parts) == 0 {
		return s.statement(c, i, f)
	}
	p, rest := parts[0], parts[1:]
	if p.place == 0 {
		m, ok := p.pattern.Find(c, i)
		switch {
		case !ok || c.Words[i].Capital && i > 0:
			return Statement{}, false
		case m.Key != "":
			f.relation = strings.Fields(m.Key)
		case p.captures:
			f.relation = strings.Fields(english.Normalize(c.Span(i, m.End)))
		}
		return s.match(c, rest, m.End, f)
	}
	switch p.place {
	case 'S':
		f.strictSubject = true
	case 'N':
		f.strictValue = true
	case 'v':
		f.plain = anyCapital(c, f.subject)
	case 'w':
		f.plain = true
	}
	at := &f.value
	if p.place == 'X' || p.place == 'S' {
		at = &f.subject
	}
	if len(rest) == 0 {
		*at = [2]int{i, len(c.Words)}
		return s.match(c, nil, len(c.Words), f)
	}
	for k := i + 1; k < len(c.Words) && k <= i+nameAtMost; k++ {
		if w := c.Words[k]; w.Comma && !afterBracket(c, k) {
			continue
		}
		*at = [2]int{i, k}
		if st, ok := s.match(c, rest, k, f); ok {
			return st, true
		}
	}
	return Statement{}, false
}

// statement is what was found when it holds together.
func (s shape) statement(c english.Clause, end int, f finding) (st Statement, ok bool) {
	words := strings.Join(f.relation, " ")
	if s.relation != "" {
		words = strings.Replace(s.relation, "*", words, 1)
	}
	if end != len(c.Words) || f.subject[0] >= f.subject[1] || f.value[0] >= f.value[1] || superlative(words) {
		return st, false
	}
	words = f.narrowSubject(c, words)
	for f.value[0] < f.value[1]-1 && english.Adverbs[c.Low(f.value[0])] && !c.Words[f.value[0]].Capital {
		f.value[0]++
	}
	for i := f.value[0] + 1; i+1 < f.value[1]; i++ {
		if c.Words[i].Comma && c.Words[i].Low == "not" { // "…, not Sydney"
			st.Corrects, f.value[1] = c.Span(i+1, f.value[1]), i
		}
	}
	if !f.holds(c) || words == "" || english.Passing[words] {
		return st, false
	}
	st.Quote = c.Span(0, len(c.Words))
	st.Subject, st.Value, st.Relation = c.Span(f.subject[0], f.subject[1]), c.Span(f.value[0], f.value[1]), Key(words)
	return st, true
}

// narrowSubject takes from the subject what is not its name, and returns the relation with what belongs to it: "the head
// of the Tuvalu government" is the head of government of Tuvalu.
func (f *finding) narrowSubject(c english.Clause, relation string) string {
	for _, lead := range [...]string{"the ", "name of ", "type of ", "kind of ", "sort of ", "the ", "current ", "present ", "new "} {
		relation = strings.TrimPrefix(relation, lead)
	}
	from, to := f.subject[0], f.subject[1]
	for to-from > 1 && english.Adverbs[c.Words[to-1].Low] && !c.Words[to-1].Capital {
		to-- // "Ann now plays …"
	}
	if c.Words[from].Low == "the" && from > 0 && anyCapital(c, [2]int{from, to}) {
		end := to
		for end > from+2 && !c.Words[end-1].Capital {
			end--
		}
		if end < to {
			relation += " of " + english.Normalize(c.Span(end, to))
		}
		from, to = from+1, end
	}
	f.subject = [2]int{from, to}
	return relation
}

// holds says that subject and value can be what they are taken for.
func (f *finding) holds(c english.Clause) bool {
	first := c.Words[f.value[0]]
	if after := f.value[0] + 1; !first.Capital && after < f.value[1] && prepositions[c.Low(after)] {
		return false // "The Wheel of Time was written in English"
	}
	named := hasUpper(c, f.value) || f.plain && !english.NotValues[first.Low] ||
		f.value[1]-f.value[0] == 1 && english.IsNumber(first.Low) && anyCapital(c, f.subject) // "famous for 1984"
	return named && nameable(c, f.subject) && ends(c, f.value) && (!f.strictSubject || isName(c, f.subject)) &&
		(!f.strictValue || isName(c, f.value)) && !(english.Auxiliaries[first.Low] && !first.Capital)
}

// superlative says that a relation compares rather than relates: "the best of", "the end of".
func superlative(relation string) bool {
	return slices.ContainsFunc(strings.Fields(relation), func(w string) bool {
		return w == "best" || w == "most" || w == "only" || w == "love" || w == "end" || w == "fan" || len(w) > 4 && strings.HasSuffix(w, "est")
	})
}

// afterBracket says that a bracket is closed before the word at k: "Hello (song) was performed by …".
func afterBracket(c english.Clause, k int) bool {
	return strings.HasPrefix(c.Text[c.Words[k-1].End:], ")")
}

// nameable says that the words can be what a statement is about: a name, or a plain noun of at most three words.
func nameable(c english.Clause, at [2]int) bool {
	if last := c.Words[at[1]-1]; at[1]-at[0] > nameAtMost || !last.Capital && denying[last.Low] {
		return false
	}
	if anyCapital(c, at) && (at[0] > 0 || at[1]-at[0] > 1 || !english.Function[c.Words[at[0]].Low]) {
		return !c.Words[at[0]].Comma || at[0] == 0
	}
	if c.Words[at[0]].Low == "the" {
		at[0]++
	}
	for i := at[0]; i < at[1]; i++ {
		if joined := c.Words[i].Low == "and" && i > at[0] && i+1 < at[1]; english.Function[c.Words[i].Low] && !joined { // "rhythm and blues"
			return false
		}
	}
	return at[0] < at[1] && at[1]-at[0] <= 3
}

// ends says that the words are a value and nothing is said beyond it.
func ends(c english.Clause, at [2]int) bool {
	if at[0] >= at[1] || at[1]-at[0] > nameAtMost || !c.Words[at[0]].Capital && denying[c.Words[at[0]].Low] {
		return false
	}
	for i := at[0]; i < at[1]; i++ {
		w := c.Words[i]
		if w.Capital || w.Quoted || w.Low == "am" && i > at[0] && c.Words[i-1].Low != "i" { // "Frankfurt am Main"
			continue
		}
		titled := w.Start > 0 && c.Text[w.Start-1] == '(' && i+1 == at[1] && afterBracket(c, at[1]) // "Hello (song)"
		joins := (w.Low == "and" || w.Low == "or") && (i+1 >= at[1] || !c.Words[i+1].Capital && i+2 < at[1])
		if english.Auxiliaries[w.Low] || beyond[w.Low] || w.Dash && !titled || joins {
			return false
		}
	}
	return true
}

func hasUpper(c english.Clause, at [2]int) bool {
	return strings.ContainsFunc(c.Span(at[0], at[1]), unicode.IsUpper)
}

func anyCapital(c english.Clause, at [2]int) bool {
	return slices.ContainsFunc(c.Words[at[0]:at[1]], func(w english.Word) bool { return w.Capital && w.Low != "the" })
}

// isName says that the words are a name: its particles may be small.
func isName(c english.Clause, at [2]int) bool {
	for i := at[0]; i < at[1]; i++ {
		w := c.Words[i]
		if !w.Capital && !english.NameParticles[w.Low] && (w.Low[0] < '0' || w.Low[0] > '9') && !hasUpper(c, [2]int{i, i + 1}) {
			return false
		}
	}
	return hasUpper(c, [2]int{at[0], at[0] + 1})
}

var (
	prepositions = english.Set("by in at to with for from of as on")
	// denying are the words that take a statement back.
	denying = english.Set("not never hardly no neither")
	// pointing are the words for who talks, or for what was said before.
	pointing = english.Set("i me my mine myself we us our ours you your yours he him his she her hers it they them their theirs this these those there here who what if maybe perhaps probably think guess hope")
	// beyond are the words with which a sentence goes on after a value.
	beyond = english.Set("but because so when where which who that while although though since until if what how why then now anymore yesterday today " +
		"tomorrow something nothing anything everything someone everyone nobody anyone being going doing")
	// opening are the words with which a statement is brought up, beside those that lead into any clause.
	opening = english.Set("actually apparently fyi update correction news fact turns out it that heard just")
)

// pointsAtSpeakers says that a sentence is about who talks. In a title, beside another capital, such a word is part of a name.
func pointsAtSpeakers(c english.Clause) bool {
	for i, w := range c.Words {
		if !pointing[w.Low] || w.Low == "who" && i == 2 && c.Words[0].Low == "the" { // "the person who wrote Dune"
			continue
		}
		before, after := i > 0 && c.Words[i-1].Capital, i+1 < len(c.Words) && c.Words[i+1].Capital
		if inName := before && after || w.Capital && (before || after || i > 0 && w.Low != "i"); !inName {
			return true
		}
	}
	return false
}

// withoutLead are the words without what only brings a statement up: "btw, …", "Correction: …", "it turns out that …". The
// first word of a title stays: it has a capital, and no comma behind it.
func withoutLead(text string, words []english.Word) []english.Word {
	leads := func(w english.Word) bool { return opening[w.Low] || english.Leads[w.Low] }
	for i := 1; i < min(4, len(words)); i++ {
		if text[words[i-1].End] == ':' && leads(words[0]) {
			return words[i:]
		}
	}
	for len(words) > 3 && !words[0].Quoted && leads(words[0]) &&
		(!words[0].Capital || text[words[0].End] == ',' || words[1].Low == "the" || opening[words[1].Low] && !words[1].Capital) {
		words = words[1:]
	}
	return words
}

// withoutTime are the words without a time at their end that says that it holds, or since when.
func withoutTime(words []english.Word) []english.Word {
	n := len(words)
	switch {
	case n < 4:
	case english.ForNow(words) > 0:
		return words[:n-english.ForNow(words)]
	case words[n-1].Low == "today":
		return words[:n-1]
	case words[n-2].Low == "in" && english.IsYear(words[n-1].Low) && words[n-3].Capital: // "written by Ann Lee in 1965"
		return words[:n-2]
	}
	return words
}
