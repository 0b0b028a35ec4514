package understand

import (
	"familiar/memory/understand/english"
	"familiar/memory/understand/rel"
)

// Corrections that state only the right or the wrong value: "not Rex, Milo", "no, it's Milo", "I meant Milo".

// noLeads holds the words that open a correction. They count when a possible right value follows.
var noLeads = english.Set("no nope nah wrong actually sorry oops correction incorrect false wait")

// namings are the words before the right value.
var namings = english.CompileAll("i meant|said|mean", "i meant|mean to say", "it|that|he|she is called|named", "it should|would be", "make that", "his|her|its|their|the name is|'s", "it is|was", "that is|was", "he|she is|was", "they are called|named")

// announces are the sentences that only state that something was wrong.
var announces = english.CompileAll("that|this|it is not right|true|correct|so|quite", "that|this|it is wrong|incorrect|false|untrue", "you are wrong|mistaken|confused", "you got that|it|me wrong", "you got my", "you have that|it|got? wrong", "that was wrong|a mistake", "not quite|true|right|correct",
	"i made a mistake", "scratch|strike that", "i take that back", "change of plan|plans", "let me correct", "i misspoke", "i was wrong", "i lied", "correction", "you misunderstood", "you remember it? wrong|wrongly", "wrong")

// announcesCorrection reports whether the sentence opens a correction, and whether it states outright that something
// was wrong. A bare "no" may be an answer.
func announcesCorrection(s english.Sentence) (cue, outright bool) {
	if s.Asks {
		return false, false
	}
	c := english.NewClause("", s.Words)
	i := english.SkipLeads(c, 0)
	if w := c.Low(i); w == "no" || w == "nope" {
		if i+1 == len(c.Words) {
			return true, false
		}
		cue = c.Words[i+1].Comma
		if cue {
			i++
		}
	}
	if noLeads[c.Low(i)] && c.Low(i) != "no" && c.Low(i) != "actually" && c.Low(i) != "wait" && c.Low(i) != "sorry" && len(c.Words) > i+1 {
		i++
	}
	_, outright = announces.Find(c, i)
	return cue || outright, outright
}

// elliptical reads a whole sentence as the correction of a value.
func (r *reading) elliptical(s english.Sentence) bool {
	if s.Asks || len(s.Words) > 16 {
		return false
	}
	c := english.NewClause(r.u.Text, s.Words)
	e := r.ellipse(c)
	if e.right == "" {
		return false
	}
	if r.repair(e, c) {
		return true
	}
	if day := (e.cue || e.wrong != "") && r.rightsDay(c); day && e.wrong == "" {
		return true
	}
	relation, held := r.corrected(e.wrong)
	if english.IsNumber(english.Normalize(e.right)) != english.IsNumber(english.Normalize(held)) && e.wrong == "" {
		relation, held = "", "" // "no, 35" does not correct a name
	}
	switch {
	case e.wrong != "":
	case relation == "" || english.Normalize(held) == english.Normalize(e.right):
		if !e.cue || !e.naming || r.spanIn(c, nil) != nil {
			return false
		}
		relation, held = "", ""
	case !e.cue:
		return false
	}
	wrong := e.wrong
	if wrong == "" {
		wrong = held
	}
	r.out.Corrects = true
	if wrong == "" {
		return true // a correction whose object is unknown
	}
	r.out.Claims = append(r.out.Claims, Claim{Kind: rel.Fact, Relation: relation, Value: e.right, Corrects: wrong, Correction: true, Many: rel.Many(relation), Quote: c.Span(0, len(c.Words))})
	return true
}

// repair corrects what the same utterance said before: "I'm 34. No wait, 35."
func (r *reading) repair(e ellipse, c english.Clause) bool {
	for i := len(r.out.Claims) - 1; i >= 0; i-- {
		last := &r.out.Claims[i]
		if i == len(r.out.Claims)-1 && e.wrong == "" && (e.cue || e.naming) && last.rightsDenial(e.right, c.Span(0, len(c.Words))) {
			r.out.Corrects = true
			return true
		}
		fits := e.cue && e.wrong == "" && english.IsNumber(english.Normalize(e.right)) == english.IsNumber(english.Normalize(last.Value)) || e.wrong != "" && english.Normalize(e.wrong) == english.Normalize(last.Value)
		if last.Kind != rel.Fact || last.Negates || last.Relation == "" || !fits || english.Normalize(last.Value) == english.Normalize(e.right) {
			continue
		}
		last.Corrects, last.Value, last.Correction, last.Quote = last.Value, e.right, true, c.Span(0, len(c.Words))
		r.out.Corrects = true
		return true
	}
	return false
}

// rightsDenial turns "my dog isn't called Bailey" into a correction with the value after it: "It's Otto."
func (c *Claim) rightsDenial(right, quote string) bool {
	if c.Kind != rel.Fact || !c.Negates || c.Changed || c.Value == "" || english.IsNumber(english.Normalize(right)) != english.IsNumber(english.Normalize(c.Value)) || english.Normalize(right) == english.Normalize(c.Value) {
		return false
	}
	c.Corrects, c.Value, c.Negates, c.Correction, c.Quote = c.Value, right, false, true, quote
	return true
}

// ellipse is a parsed correction.
type ellipse struct {
	right, wrong string
	// cue reports that there was a word of correction, naming that there was "it's" or the like.
	cue, naming bool
}

// ellipse parses corrections like "no, it's Milo, not Rex". right is empty when the sentence is not a correction.
func (r *reading) ellipse(c english.Clause) ellipse {
	e := ellipse{cue: r.pending}
	i := english.SkipLeads(c, 0)
	for noLeads[c.Low(i)] {
		e.cue = true
		i++
	}
	if m, ok := announces.Find(c, i); ok && m.End < len(c.Words) && c.Words[m.End].Comma {
		e.cue, i = true, m.End
	}
	apology := c.Low(i-1) == "sorry"
	i, e.naming = skipNaming(c, i)
	if apology && e.naming {
		e.cue = true // "sorry, it's Milo"; "sorry, Milo" may address Milo
	}
	if w := c.Low(i - 1); e.naming && (w == "meant" || w == "said" || w == "be" || w == "mean") {
		e.cue = true
	}
	for english.Adverbs[c.Low(i)] {
		e.cue = e.cue || c.Low(i) == "actually"
		i++
	}
	if c.Low(i) == "not" {
		return e.notFirst(c, i+1)
	}
	n := r.correctLength(c, i)
	if n == 0 && e.cue {
		n = r.favouriteLength(c, i)
	}
	if n == 0 {
		return ellipse{}
	}
	e.right = c.Span(i, i+n)
	if i+n == len(c.Words) || english.Trim(c, i+n, len(c.Words)-i-n) == 0 {
		return e
	}
	wrong, end := notAfter(c, i+n)
	if end < len(c.Words) || end == 0 {
		return ellipse{}
	}
	e.wrong = wrong
	return e
}

// notFirst reads "Rex, it's Milo" after "not".
func (e ellipse) notFirst(c english.Clause, i int) ellipse {
	if c.Low(i) == "called" || c.Low(i) == "named" {
		i++
	}
	n := valueLength(c, i)
	if n == 0 || i+n >= len(c.Words) {
		return ellipse{}
	}
	e.wrong = c.Span(i, i+n)
	j := i + n
	joined := c.Words[j].Comma
	if c.Low(j) == "but" {
		j, joined = j+1, true
	}
	j, naming := skipNaming(c, j)
	m := 0
	if j < len(c.Words) {
		m = valueLength(c, j)
	}
	if m == 0 || j+m < len(c.Words) || !joined && !naming {
		return ellipse{}
	}
	e.right = c.Span(j, j+m)
	return e
}

// skipNaming returns the word after "it's", "his name is" and the like.
func skipNaming(c english.Clause, i int) (int, bool) {
	if m, ok := namings.Find(c, i); ok {
		return m.End, true
	}
	return i, false
}

// valueLength returns the length of a bare value at i: a name, a quotation, a number, or one or two plain nouns.
func valueLength(c english.Clause, i int) int {
	if i >= len(c.Words) {
		return 0
	}
	if n := english.NameRun(c, i, 4); n > 0 {
		return n
	}
	if c.Words[i].Quoted {
		return english.QuotedRun(c, i)
	}
	if english.IsNumber(c.Low(i)) || english.Dates[c.Low(i)] {
		n := 1
		for n < 4 && i+n < len(c.Words) && !c.Words[i+n].Comma && (english.IsNumber(c.Low(i+n)) || english.Dates[c.Low(i+n)] || c.Low(i+n) == "of" && english.Dates[c.Low(i+n+1)]) {
			n++
		}
		return n
	}
	n := 0
	for n < 2 && i+n < len(c.Words) && !(n > 0 && c.Words[i+n].Comma) && english.NameWord(c.Low(i+n)) {
		n++
	}
	return n
}

// correctLength is valueLength for a right value alone. Without the wrong value it must be a name, unless the persona
// has just mentioned something it can correct.
func (r *reading) correctLength(c english.Clause, i int) int {
	n := valueLength(c, i)
	if n == 0 || english.ProperNoun(c, i) || c.Words[i].Quoted {
		return n
	}
	if _, end := notAfter(c, i+n); end == len(c.Words) && end > 0 {
		return n
	}
	if english.IsNumber(c.Low(i)) || english.Dates[c.Low(i)] && !english.Months[c.Low(i)] || r.u.Before != "" && c.Low(i) != "" {
		return n
	}
	return 0
}

// corrected returns the relation and the value that the persona's last words were about. If wrong is not empty, the
// value must be equal to it.
func (r *reading) corrected(wrong string) (relation, held string) {
	if r.u.Before == "" {
		return "", ""
	}
	before := r.mirrored()
	for i := len(before.Claims) - 1; i >= 0; i-- {
		c := before.Claims[i]
		if c.Kind == rel.Fact && c.Subject == "" && !c.Negates && (wrong == "" || english.Normalize(c.Value) == english.Normalize(wrong)) {
			return c.Relation, c.Value
		}
	}
	if before.Question != nil && len(before.Question.Relations) > 0 {
		return before.Question.Relations[0], before.Question.Value
	}
	return "", ""
}

// settleDenial joins "my dog isn't called Rex, it's Milo" into one claim. The first before claims belong to earlier
// sentences.
func (r *reading) settleDenial(before int, s english.Sentence) {
	if len(r.out.Claims) != before+1 {
		return
	}
	last := &r.out.Claims[before]
	if last.Kind != rel.Fact || !last.Negates || last.Changed {
		return
	}
	c := english.Clause{Text: r.u.Text, Words: s.Words}
	for i := range c.Words {
		if c.Low(i) != "but" && !c.Words[i].Comma {
			continue
		}
		j := i
		if c.Low(j) == "but" {
			j++
		}
		j, _ = skipNaming(c, j)
		if n := valueLength(c, j); n > 0 && j+n == len(c.Words) {
			last.Corrects, last.Value, last.Negates, last.Correction = last.Value, c.Span(j, j+n), false, true
			return
		}
	}
}
