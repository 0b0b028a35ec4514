package understand

import (
	"slices"

	"familiar/memory/understand/english"
)

// someone is whom "she" and "he" mean: the subject of a clause before.
type someone struct {
	words []english.Word
	// pronoun is the one that is said of them, empty when either may be.
	pronoun string
}

// subjectLimit is the longest subject that is understood, in words.
const subjectLimit = 4

// The kin that "she" and "he" are said of; of others nobody can tell by their word.
var (
	women = english.Set("sister mother wife daughter aunt niece grandmother girlfriend fiancée granddaughter stepmother godmother mother-in-law sister-in-law")
	men   = english.Set("brother father husband son uncle nephew grandfather boyfriend grandson stepfather father-in-law brother-in-law")
)

// understood is the clause with whom its "she" or "he" means for its subject. What begins at the byte believed or after
// it is not the speaker's own and stays as it is.
func (t someone) understood(c english.Clause, believed int) english.Clause {
	i := english.SkipLeads(c, 0)
	w := c.Low(i)
	if _, naming := at(c, i, naming); naming {
		return c // "she has a dog, he's called Rex": whoever was spoken of last
	}
	if len(t.words) == 0 || w != "she" && w != "he" || t.pronoun != "" && t.pronoun != w || c.Words[i].Start >= believed {
		return c
	}
	c = english.NewClause(c.Text, slices.Concat(t.words, c.Words[i+1:]))
	c.Understood = true
	return c
}

// goodbye names whom somebody took leave of, who is spoken of next: "we had to say goodbye to Rex, he died on Sunday".
var goodbye = compileAll("say|said goodbye to {proper} $")

// after is whom a pronoun means after the clause: its subject, when it is somebody, or the one before, when it speaks of
// nobody.
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
			if m, ok := at(c, k, goodbye); ok {
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

// unlessOthers is t unless somebody else is named from word i of the clause on, and may be meant as well. What stands
// after a preposition of place is no person.
func (t someone) unlessOthers(c english.Clause, i int) someone {
	for ; t.pronoun == "" && i < len(c.Words); i++ {
		before := c.Low(i - 1)
		if english.ProperNoun(c, i) && !english.ProperNoun(c, i-1) && before != "in" && before != "at" && before != "from" || before == "my" && english.KinWord(c, i) != "" {
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
