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
// whether it did. What is said to be wrong must be what the persona said.
func (r *reading) correctsBefore() bool {
	if r.u.Before == "" || len(r.sentences) == 0 {
		return false
	}
	s := r.sentences[len(r.sentences)-1]
	if s.Asks || len(s.Words) > shortPassage {
		return false
	}
	c := english.NewClause(r.u.Text, s.Words)
	cue := skipCue(c)
	i := cue.next
	right := english.Trim(c, i, len(c.Words)-i)
	if !cue.given || right == 0 || right > answerWords || english.Pronouns[c.Low(i)] || c.Low(i) == "not" || c.Low(i) == "my" {
		return false
	}
	for k := i; k < i+right; k++ {
		if filler[c.Low(k)] || noAnswers[c.Low(k)] || c.Low(k) == "not" {
			return false
		}
	}
	return r.corrects(c, c.Span(i, i+right), c.Span(cue.wrong, cue.wrongEnd))
}

// cue holds the words before the right value of a correction.
type cue struct {
	// next is the word after them, 0 if there are none. given reports that they cannot mean anything else.
	next  int
	given bool
	// wrong and wrongEnd bound the wrong value in words, which "not" begins: "no, not Rex, it's". They are equal for none.
	wrong, wrongEnd int
}

// skipCue returns the words of a correction that open a clause. "Sorry" may address somebody: it needs "it's" or the
// like.
func skipCue(c english.Clause) (out cue) {
	i := 0
	for noLeads[c.Low(i)] && i+1 < len(c.Words) {
		out.given = out.given || c.Low(i) != "sorry"
		i++
	}
	if m, ok := announces.Find(c, i); ok && m.End < len(c.Words) {
		i, out.given = m.End, true
	}
	if c.Low(i) == "not" { // "not Rex, Milo"
		if k := turn(c, i+2); k < len(c.Words) {
			out.wrong, out.wrongEnd, out.given = i+1, k, true
			if i = k; c.Low(k) == "but" {
				i++
			}
		}
	}
	out.next = i
	if m, ok := namings.Find(c, i); ok && m.End < len(c.Words) {
		out.next, out.given = m.End, out.given || i > 0 || c.Low(0) == "i"
	}
	return out
}

// turn returns the first word at or after from that comes after a comma or is "but", the number of words for none.
func turn(c english.Clause, from int) int {
	for from < len(c.Words) && !c.Words[from].Comma && c.Low(from) != "but" {
		from++
	}
	return from
}

// corrects puts the value in the place of that of the last fact in the persona's words that it can replace: of the one
// with the wrong value if that is given. It reports whether there is one.
func (r *reading) corrects(c english.Clause, right, wrong string) bool {
	claims := mirrored(r.u).out.Claims
	for _, was := range slices.Backward(claims) {
		named := wrong == "" || english.Normalize(was.Value) == english.Normalize(wrong)
		if named && was.Kind == rel.Fact && was.Subject == "" && !was.Negates && r.canReplace(right, was.Value) {
			r.out.Corrects = true
			r.add(c, Claim{Kind: rel.Fact, Relation: was.Relation, Value: right, Corrects: was.Value, Correction: true, Many: rel.Many(was.Relation)}, 0, len(c.Words))
			return true
		}
	}
	return false
}

// canReplace reports whether a value can stand in the place of a wrong one: both are numbers or neither is, and a name
// is replaced by a name.
func (r *reading) canReplace(right, wrong string) bool {
	return english.IsNumber(english.Normalize(right)) == english.IsNumber(english.Normalize(wrong)) &&
		(!startsName(wrong) || startsName(right) || strings.ToLower(r.u.Text) == r.u.Text) &&
		english.Normalize(right) != english.Normalize(wrong)
}

// contrasted are the words between the right value and the wrong one.
var contrasted = english.CompileAll("not", "and not", "rather than", "instead of")

// contrast is the two values of a sentence that sets one against the other: "it's Fifi, not Bello", "not Bello but Fifi".
type contrast struct {
	right, wrong string
	// bare reports that the sentence has nothing else. What the values are values of, only a belief in the wrong one tells.
	bare bool
}

// contrast returns the two values that a sentence sets against each other, empty for none.
func (r *reading) contrast(c english.Clause) contrast {
	cue := skipCue(c)
	if cue.wrong < cue.wrongEnd { // "not Bello, it's Fifi"
		return contrast{right: r.bare(c, cue.next, len(c.Words)), wrong: r.bare(c, cue.wrong, cue.wrongEnd), bare: true}
	}
	for k := len(c.Words) - 1; k > 0; k-- {
		m, ok := contrasted.Find(c, k)
		if !ok || english.Auxiliaries[c.Low(k-1)] {
			continue // "she is not from Rome" contrasts nothing
		}
		i := cue.next
		for j := i + 1; j < k; j++ { // the value stands behind the last "is" or comma
			if n, ok := namings.Find(c, j); ok && n.End <= k-1 {
				i = n.End
			} else if c.Words[j].Comma {
				i = j
			}
		}
		return contrast{right: r.bare(c, i, k), wrong: r.bare(c, m.End, len(c.Words)), bare: i == cue.next}
	}
	return contrast{}
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
	if n <= 0 || n > answerWords || english.Function[c.Low(from)] || english.Pronouns[c.Low(from)] {
		return ""
	}
	return c.Span(from, from+n)
}

// contrasts notes the wrong values of claims that a sentence contrasts with them, and adds a correction of what is
// believed where no claim has the right one.
func (r *reading) contrasts() {
	for _, s := range r.sentences {
		if s.Asks {
			continue
		}
		c := english.NewClause(r.u.Text, s.Words)
		r.denied(c)
		if len(s.Words) > shortPassage {
			continue
		}
		of := r.contrast(c)
		if of.right == "" || of.wrong == "" || english.Normalize(of.right) == english.Normalize(of.wrong) {
			continue
		}
		quote := c.Span(0, len(c.Words))
		if of.bare { // of what is read in it, the relation is a guess
			r.out.Claims = slices.DeleteFunc(r.out.Claims, func(o Claim) bool { return o.Kind == rel.Fact && o.Quote == quote })
		}
		i := slices.IndexFunc(r.out.Claims, func(o Claim) bool { return english.Normalize(o.Value) == english.Normalize(of.right) })
		switch {
		case i < 0 && !slices.ContainsFunc(r.out.Claims, func(o Claim) bool { return o.Corrects != "" || o.Negates }):
			r.out.Claims = append(r.out.Claims, Claim{Kind: rel.Fact, Value: of.right, Corrects: of.wrong, Correction: true, Quote: quote})
		case i >= 0 && r.out.Claims[i].Corrects == "" && !r.out.Claims[i].Negates && r.out.Claims[i].Kind == rel.Fact:
			r.out.Claims[i].Corrects, r.out.Claims[i].Correction = of.wrong, true
		}
	}
}

// denied turns the denials of facts that a sentence goes on to put right into corrections: "my cat is not called Tom, but
// Milo", "I don't live in Oslo but in Bergen".
func (r *reading) denied(c english.Clause) {
	quote := c.Span(0, len(c.Words))
	for i := range r.out.Claims {
		o := r.out.Claims[i]
		if !o.Negates || o.Kind != rel.Fact || o.Value == "" || o.Quote != quote {
			continue
		}
		right := r.insteadOf(c, c.Words[0].Start+strings.Index(quote, o.Value))
		if right == "" || !r.canReplace(right, o.Value) {
			continue
		}
		o.Corrects, o.Value, o.Negates, o.Correction = o.Value, right, false, !o.Changed
		r.out.Claims[i] = o
		// What else was read of the right value is a guess: it is a value of what was denied.
		r.out.Claims = slices.DeleteFunc(r.out.Claims, func(p Claim) bool {
			return p.Quote == quote && p.Value == right && p.Corrects == ""
		})
		return
	}
}

// insteadOf returns the value that a sentence gives after "but" or a comma in place of the one at the byte, empty for none.
func (r *reading) insteadOf(c english.Clause, start int) string {
	from := slices.IndexFunc(c.Words, func(w english.Word) bool { return w.Start == start })
	if from < 0 {
		return ""
	}
	k := turn(c, from+1)
	if c.Low(k) == "but" {
		k++
	}
	if from > 0 && c.Low(k) == c.Low(from-1) {
		k++ // both values stand after the same word
	}
	return r.bare(c, k, len(c.Words))
}
