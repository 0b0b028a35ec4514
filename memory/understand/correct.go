package understand

import (
	"strings"

	"familiar/memory/understand/english"
	"familiar/memory/understand/rel"
)

// announces are the sentences that only state that something was wrong.
var announces = english.CompileAll("that|this|it is not right|true|correct|so|quite", "that|this|it is wrong|incorrect|false|untrue", "you are wrong|mistaken|confused", "you got that|it|me wrong", "you got my", "you have that|it|got? wrong", "that was wrong|a mistake", "not quite|true|right|correct",
	"i made a mistake", "scratch|strike that", "i take that back", "change of plan|plans", "let me correct", "i misspoke", "i was wrong", "i lied", "correction", "you misunderstood", "you remember it? wrong|wrongly", "wrong")

// noLeads holds the words that open a correction.
var noLeads = english.Set("no nope nah wrong actually sorry oops correction incorrect false wait")

// announcesCorrection reports whether the sentence states outright that something was wrong.
func announcesCorrection(s english.Sentence) bool {
	if s.Asks {
		return false
	}
	c := english.NewClause("", s.Words)
	i := english.SkipLeads(c, 0)
	for noLeads[c.Low(i)] && i+1 < len(c.Words) {
		i++
	}
	_, outright := announces.Find(c, i)
	return outright
}

// namings are the words before the right value.
var namings = english.CompileAll("i meant|said|mean", "it|that|he|she is called|named", "it should|would be", "make that", "his|her|its|their|the name is|'s", "it is|was", "that is|was", "he|she is|was", "they are called|named")

// correctsBefore corrects a fact of the persona's last words with a bare value: "no, it's Milo".
func (l *learner) correctsBefore() {
	if l.u.Before == "" || len(l.sentences) == 0 {
		return
	}
	c := english.NewClause(l.u.Text, l.sentences[len(l.sentences)-1].Words)
	i := 0
	for noLeads[c.Low(i)] && i+1 < len(c.Words) {
		i++
	}
	if m, ok := namings.Find(c, i); ok {
		i = m.End
	}
	right := c.Span(i, len(c.Words))
	if right == "" || len(strings.Fields(right)) > answerWords {
		return
	}
	before := mirrored(l.u)
	for k := len(before.out.Claims) - 1; k >= 0; k-- {
		was := before.out.Claims[k]
		alike := english.IsNumber(english.Normalize(right)) == english.IsNumber(english.Normalize(was.Value))
		if was.Kind == rel.Fact && was.Subject == "" && !was.Negates && alike && english.Normalize(was.Value) != english.Normalize(right) {
			l.out.Claims = append(l.out.Claims, Claim{
				Kind: rel.Fact, Relation: was.Relation, Value: right, Corrects: was.Value, Correction: true, Many: rel.Many(was.Relation), Quote: c.Span(0, len(c.Words)),
			})
			return
		}
	}
}
