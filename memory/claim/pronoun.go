package claim

import "slices"

// someone is whom "she" and "he" mean: the subject of a clause before.
type someone struct {
	words []word
	// pronoun is the one that is said of them, empty when either may be.
	pronoun string
}

// subjectLimit is the longest subject that is understood, in words.
const subjectLimit = 4

// The kin that "she" and "he" are said of; of others nobody can tell by their word.
var (
	women = set("sister mother wife daughter aunt niece grandmother girlfriend fiancée granddaughter stepmother godmother mother-in-law sister-in-law")
	men   = set("brother father husband son uncle nephew grandfather boyfriend grandson stepfather father-in-law brother-in-law")
)

// understood is the clause with whom its "she" or "he" means for its subject. What begins at the byte believed or after
// it is not the speaker's own and stays as it is.
func (t someone) understood(c clause, believed int) clause {
	i := skipLeads(c, 0)
	w := c.low(i)
	if _, naming := at(c, i, naming); naming {
		return c // "she has a dog, he's called Rex": whoever was spoken of last
	}
	if len(t.words) == 0 || w != "she" && w != "he" || t.pronoun != "" && t.pronoun != w || c.words[i].start >= believed {
		return c
	}
	c = newClause(c.text, slices.Concat(t.words, c.words[i+1:]))
	c.understood = true
	return c
}

// goodbye names whom somebody took leave of, who is spoken of next: "we had to say goodbye to Rex, he died on Sunday".
var goodbye = compileAll("say|said goodbye to {proper} $")

// after is whom a pronoun means after the clause: its subject, when it is somebody, or the one before, when it speaks of
// nobody.
func (t someone) after(c clause) someone {
	i := skipLeads(c, 0)
	if w := c.low(i); w == "my" || w == "our" {
		kin, several, end := kinAt(c, i+1)
		if kin == "" || several || end-i > subjectLimit {
			return t
		}
		next := someone{words: c.words[i:end], pronoun: pronounFor(kin)}
		if n := nameRun(c, end, 2); n > 0 {
			next.words = c.words[end : end+n]
		}
		return next
	}
	n := nameRun(c, i, 2)
	if next := c.low(i + n); n == 0 || !shared[next] && !auxiliaries[next] {
		if w := c.low(i); w == "she" || w == "he" {
			return t
		}
		for k := range c.words {
			if m, ok := at(c, k, goodbye); ok {
				return someone{words: c.words[m.from:m.to]}
			}
		}
		return t.unlessOthers(c, i)
	}
	if len(t.words) > 0 && c.words[i].start == t.words[0].start {
		return t
	}
	return someone{words: c.words[i : i+n]}.unlessOthers(c, i+n)
}

// unlessOthers is t unless somebody else is named from word i of the clause on, and may be meant as well. What stands
// after a preposition of place is no person.
func (t someone) unlessOthers(c clause, i int) someone {
	for ; t.pronoun == "" && i < len(c.words); i++ {
		before := c.low(i - 1)
		if properNoun(c, i) && !properNoun(c, i-1) && before != "in" && before != "at" && before != "from" || before == "my" && kinWord(c, i) != "" {
			return someone{}
		}
	}
	return t
}

// pronounFor is what is said of a kin, empty when either may be.
func pronounFor(kin string) string {
	switch {
	case women[kin]:
		return "she"
	case men[kin]:
		return "he"
	}
	return ""
}
