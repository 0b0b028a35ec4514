package understand

import (
	"strings"

	"familiar/memory/understand/english"
	"familiar/memory/understand/rel"
)

// givesName holds the words before a name. Names typed in lower case count after them.
var givesName = english.Set("called named")

// equates holds the words that equate a thing with a value.
var equates = english.Set("is was are were 's be")

// contrast reads "the cat's called Muffin, not Biscuit" at the end of a clause. A claim of the same clause, which is
// any after the first before, gets the wrong value. Without such a claim the new claim has no relation and applies to
// whatever belief holds the wrong value. Words from the byte believed on are not the speaker's own. After a
// preposition ("we met in Oslo, not Bergen") the text does not tell that a belief held the value.
func (r *reading) contrast(before int, c english.Clause, believed int) {
	for i := 2; i < len(c.Words)-1; i++ {
		if c.Low(i) != "not" || !c.Words[i].Comma && !nameLike(c, i+1) {
			continue
		}
		wrong, end := notAfter(c, i)
		to := i
		if c.Low(i-1) == "and" {
			to-- // "called Muffin and not Biscuit"
		}
		from, ok := givenBefore(c, to)
		if !ok || c.Words[from].Start >= believed || end != len(c.Words) || !nameLike(c, i+1) && !givesName[c.Low(from-1)] {
			return
		}
		right := c.Span(from, to)
		if english.Normalize(right) == english.Normalize(wrong) {
			return
		}
		if len(r.out.Claims) == before {
			r.add(c, Claim{Kind: rel.Fact, Value: right}, 0, end)
		}
		if last := &r.out.Claims[len(r.out.Claims)-1]; last.Value == right {
			last.Corrects, last.Correction, last.Quote = wrong, true, c.Span(0, end)
		}
		return
	}
}

// givenBefore returns where the name that ends before word end begins, if the clause gives it to something.
func givenBefore(c english.Clause, end int) (int, bool) {
	for from := end - 1; from > 0 && from >= end-4; from-- {
		given := givesName[c.Low(from-1)]
		if given || equates[c.Low(from-1)] && nameLike(c, from) {
			return from, valueLength(c, from) == end-from
		}
	}
	return 0, false
}

// nameLike reports whether a name or a quotation begins at word i.
func nameLike(c english.Clause, i int) bool {
	return english.ProperNoun(c, i) || i < len(c.Words) && c.Words[i].Quoted
}

// favouriteLength returns how many words at i, to the end of the clause, are another favourite in place of the last
// one: "My favourite colour is blue. Actually green." Any plain thing is accepted where other corrections need a
// name.
func (r *reading) favouriteLength(c english.Clause, i int) int {
	relation := ""
	if n := len(r.out.Claims); n > 0 {
		relation = r.out.Claims[n-1].Relation
	} else {
		var held string
		if relation, held = r.corrected(""); held == "" {
			return 0
		}
	}
	if !strings.HasPrefix(relation, "favourite ") || i >= len(c.Words) || r.remarks(c, i) {
		return 0
	}
	if n := english.ThingLength(c, i); n <= 3 && i+n == len(c.Words) {
		return n
	}
	return 0
}

// ofTheMoment holds the words that describe the moment after "it is" when "it" refers to nothing in particular.
var ofTheMoment = english.Set("late early dark cold hot warm windy sunny rainy cloudy time funny hard easy weird strange odd complicated boring old new")

// remarks reports whether the word at i begins a remark or a reply rather than a thing: "it's late", "no, thanks".
func (r *reading) remarks(c english.Clause, i int) bool {
	w := c.Low(i)
	return ofTheMoment[w] && i+1 == len(c.Words) || c.Low(i+1) == "to" || english.NotValues[w] || intensities[w] > 0 || noAnswers[w] || strings.HasSuffix(w, "ing") || r.inSpan(c, i)
}
