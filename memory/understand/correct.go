package understand

import (
	"slices"
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

// contrasted are the words between the right value and the wrong one.
var contrasted = english.CompileAll("not", "and not", "rather than", "instead of")

// contrast returns the two values of a sentence that sets one against the other: "it's Fifi, not Bello", "not Bello but Fifi". What
// they are values of, only a belief in the wrong one tells.
func (r *reading) contrast(s english.Sentence) (right, wrong, quote string) {
	c := english.NewClause(r.u.Text, s.Words)
	if i, _ := r.skipCue(c); c.Low(0) == "not" && i > 1 { // "not Bello, it's Fifi"
		end := 2
		for end < i && !c.Words[end].Comma && c.Low(end) != "but" {
			end++
		}
		return r.bare(c, i, len(c.Words)), r.bare(c, 1, end), c.Span(0, len(c.Words))
	}
	for k := len(c.Words) - 1; k > 0; k-- {
		m, ok := contrasted.Find(c, k)
		if !ok || english.Auxiliaries[c.Low(k-1)] {
			continue // "she is not from Rome" contrasts nothing
		}
		i, _ := r.skipCue(c)
		for j := i + 1; j < k; j++ { // the value stands behind the last "is" or comma
			if n, ok := namings.Find(c, j); ok && n.End <= k-1 {
				i = n.End
			} else if c.Words[j].Comma {
				i = j
			}
		}
		return r.bare(c, i, k), r.bare(c, m.End, len(c.Words)), c.Span(0, len(c.Words))
	}
	return "", "", ""
}

// bare returns words [from, to) if they can be a value, else "".
func (r *reading) bare(c english.Clause, from, to int) string {
	for from < to && (c.Low(from) == "but" || noLeads[c.Low(from)]) {
		from++
	}
	if m, ok := namings.Find(c, from); ok && m.End < to {
		from = m.End
	}
	n := english.Trim(c, from, to-from)
	if n == 0 || n > answerWords || english.Function[c.Low(from)] || english.Pronouns[c.Low(from)] {
		return ""
	}
	return c.Span(from, from+n)
}

// contrasts notes the wrong values of claims that a sentence contrasts with them, and adds a correction of what is
// believed where no claim has the right one.
func (r *reading) contrasts() {
	for _, s := range r.sentences {
		if s.Asks || len(s.Words) > shortPassage {
			continue
		}
		right, wrong, quote := r.contrast(s)
		if right == "" || wrong == "" || english.Normalize(right) == english.Normalize(wrong) {
			continue
		}
		i := slices.IndexFunc(r.out.Claims, func(c Claim) bool { return english.Normalize(c.Value) == english.Normalize(right) })
		switch {
		case i < 0 && !slices.ContainsFunc(r.out.Claims, func(c Claim) bool { return c.Corrects != "" || c.Negates }):
			r.out.Claims = append(r.out.Claims, Claim{Kind: rel.Fact, Value: right, Corrects: wrong, Correction: true, Quote: quote})
		case i >= 0 && r.out.Claims[i].Corrects == "" && !r.out.Claims[i].Negates && r.out.Claims[i].Kind == rel.Fact:
			r.out.Claims[i].Corrects, r.out.Claims[i].Correction = wrong, true
		}
	}
}
