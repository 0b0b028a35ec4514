package understand

import (
	"familiar/memory/understand/english"
)

// Which sentences are not the speaker's own plain claims.

// suppositions holds the words that begin a hypothetical statement.
var suppositions = english.Set("if wish unless imagine suppose supposing pretend pretending whether hypothetically assuming dreamed dreamt example " +
	"lyrics pretended")

// supposes reports whether the clause is hypothetical: "what if I lived in Rome?".
func supposes(c english.Clause) bool {
	i := english.SkipLeads(c, 0)
	return c.Low(i) == "what" && c.Low(i+1) == "if" || suppositions[c.Low(i)]
}

// notMeant is how likely a passage must be supposed or quoted to claim nothing.
const notMeant = 0.7

// meant reports whether the passage at the byte is the speaker's own assertion: not supposed, not somebody else's words.
func (r *reading) meant(at int) bool {
	for _, p := range r.passages {
		if p.Start <= at && at < p.End {
			return p.Class != "supposes" && p.Class != "quotes" || p.Sure < notMeant
		}
	}
	return true
}

// jests reports whether the utterance is marked as a joke.
func jests(sentences []english.Sentence) bool {
	for _, s := range sentences {
		for i, w := range s.Words {
			if w.Quoted {
				continue
			}
			if w.Low == "jk" || (w.Low == "kidding" || w.Low == "joking") && i > 0 && s.Words[i-1].Low != "not" {
				return true
			}
		}
	}
	return false
}
