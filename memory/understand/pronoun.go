package understand

import (
	"slices"

	"familiar/memory/understand/english"
)

// someone is the person whom "she" and "he" mean: the subject of an earlier clause.
type someone struct {
	words []english.Word
	// pronoun is the pronoun used for them, empty when either is possible.
	pronoun string
}

// subjectLimit is the longest understood subject in words.
const subjectLimit = 4

// The kin that "she" and "he" refer to. The word for any other kin does not determine a pronoun.
var (
	women = english.Set("sister mother wife daughter aunt niece grandmother girlfriend fiancée granddaughter stepmother godmother mother-in-law sister-in-law")
	men   = english.Set("brother father husband son uncle nephew grandfather boyfriend grandson stepfather father-in-law brother-in-law")
)

// understood returns the clause with its "she" or "he" replaced by the person it means. It does not change words from
// the byte believed on, which are not the speaker's own.
func (t someone) understood(c english.Clause, believed int) english.Clause {
	i := english.SkipLeads(c, 0)
	w := c.Low(i)
	if _, naming := naming.Find(c, i); naming {
		return c // "she has a dog, he's called Rex": the last one mentioned
	}
	if len(t.words) == 0 || w != "she" && w != "he" || t.pronoun != "" && t.pronoun != w || c.Words[i].Start >= believed {
		return c
	}
	c = english.NewClause(c.Text, slices.Concat(t.words, c.Words[i+1:]))
	c.Understood = true
	return c
}

// goodbye matches a farewell to somebody, who is the next subject: "we had to say goodbye to Rex, he died on Sunday".
var goodbye = english.CompileAll("say|said goodbye to {proper} $")

// after returns the person whom a pronoun after the clause means: the clause's subject if it is a person, or the one
// before if the clause mentions no person.
func (t someone) after(c english.Clause) someone {
	i := english.SkipLeads(c, 0)
	if w := c.Low(i); w == "my" || w == "our" {
		kin, several, end := english.KinAt(c, i+1)
		if kin == "" || several || end-i > subjectLimit {
			return t
		}
		next := someone{words: c.Words[i:end], pronoun: pronounFor(kin)}
		if n := english.NameRun(c, end, 2); n > 0 {
			next.words = c.Words[end : end+n]
		}
		return next
	}
	n := english.NameRun(c, i, 2)
	if next := c.Low(i + n); n == 0 || !english.Shared[next] && !english.Auxiliaries[next] {
		if w := c.Low(i); w == "she" || w == "he" {
			return t
		}
		for k := range c.Words {
			if m, ok := goodbye.Find(c, k); ok {
				return someone{words: c.Words[m.From:m.To]}
			}
		}
		return t.unlessOthers(c, i)
	}
	if len(t.words) > 0 && c.Words[i].Start == t.words[0].Start {
		return t
	}
	return someone{words: c.Words[i : i+n]}.unlessOthers(c, i+n)
}

// unlessOthers returns t unless the clause names another possible person from word i on. A word after a preposition
// of place is not a person.
func (t someone) unlessOthers(c english.Clause, i int) someone {
	for ; t.pronoun == "" && i < len(c.Words); i++ {
		before := c.Low(i - 1)
		if english.ProperNoun(c, i) && !english.ProperNoun(c, i-1) && before != "in" && before != "at" && before != "from" || before == "my" && english.KinWord(c, i) != "" {
			return someone{}
		}
	}
	return t
}

// pronounFor returns the pronoun for a kin, empty when either is possible.
func pronounFor(kin string) string {
	switch {
	case women[kin]:
		return "she"
	case men[kin]:
		return "he"
	}
	return ""
}
