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

// opensCorrection reports whether the sentence opens like a correction: "No, …", "Actually, …".
func opensCorrection(s english.Sentence) bool {
	return len(s.Words) > 1 && noLeads[s.Words[0].Low] && (s.Words[1].Comma || s.Words[0].Low == "actually")
}

// correctsBefore corrects a fact of the persona's last words with a bare value: "no, it's Milo", "not Rex, Milo". It reports
// whether it did.
func (r *reading) correctsBefore() bool {
	if r.u.Before == "" || len(r.sentences) == 0 {
		return false
	}
	s := r.sentences[len(r.sentences)-1]
	if s.Asks || len(s.Words) > shortPassage {
		return false
	}
	c := english.NewClause(r.u.Text, s.Words)
	i, cued := r.skipCue(c)
	right := english.Trim(c, i, len(c.Words)-i)
	if !cued || right == 0 || right > answerWords || english.Pronouns[c.Low(i)] || c.Low(i) == "not" || c.Low(i) == "my" {
		return false
	}
	for k := i; k < i+right; k++ {
		if filler[c.Low(k)] || noAnswers[c.Low(k)] || c.Low(k) == "not" {
			return false
		}
	}
	return r.corrects(c, c.Span(i, i+right))
}

// skipCue returns the word after the words of a correction, and whether there were any. "Sorry" may address somebody: it needs
// "it's" or the like.
func (r *reading) skipCue(c english.Clause) (i int, cued bool) {
	for noLeads[c.Low(i)] && i+1 < len(c.Words) {
		cued = cued || c.Low(i) != "sorry"
		i++
	}
	if m, ok := announces.Find(c, i); ok && m.End < len(c.Words) {
		i, cued = m.End, true
	}
	if c.Low(i) == "not" { // "not Rex, Milo"
		for k := i + 2; k < len(c.Words); k++ {
			if c.Words[k].Comma || c.Low(k) == "but" {
				i, cued = k, true
				if c.Low(k) == "but" {
					i++
				}
				break
			}
		}
	}
	if m, ok := namings.Find(c, i); ok && m.End < len(c.Words) {
		return m.End, cued || i > 0 || c.Low(0) == "i"
	}
	return i, cued
}

// corrects puts the value in the place of that of the last fact in the persona's words that it can replace.
func (r *reading) corrects(c english.Clause, right string) bool {
	claims := mirrored(r.u).out.Claims
	for k := len(claims) - 1; k >= 0; k-- {
		was := claims[k]
		alike := english.IsNumber(english.Normalize(right)) == english.IsNumber(english.Normalize(was.Value)) &&
			(!startsName(was.Value) || startsName(right) || strings.ToLower(r.u.Text) == r.u.Text)
		if was.Kind == rel.Fact && was.Subject == "" && !was.Negates && alike && english.Normalize(was.Value) != english.Normalize(right) {
			r.out.Corrects = true
			r.add(c, Claim{Kind: rel.Fact, Relation: was.Relation, Value: right, Corrects: was.Value, Correction: true, Many: rel.Many(was.Relation)}, 0, len(c.Words))
			return true
		}
	}
	return false
}
