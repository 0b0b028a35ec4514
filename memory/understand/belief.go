package understand

import (
	"math"

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

// reports holds the verbs that introduce somebody else's words.
var reports = english.Set("said says told tells asked asks claims claimed thinks thought believes believed wrote texted yelled shouted whispered sang " +
	"sings goes insists joked jokes replied answered")

// believable returns the byte up to which the sentence is the speaker's own claim. The rest is supposed or reported.
func believable(s english.Sentence) int {
	shouted := allCapitals(english.Clause{Words: s.Words})
	for i, w := range s.Words {
		if w.Quoted || w.Capital && i > 0 && !shouted { // part of a name: "Alta IF"
			continue
		}
		switch {
		case suppositions[w.Low]:
			return w.Start
		case reports[w.Low] && !spokenBySpeaker(s, i) && !writes(s, i):
			return w.Start
		case w.Low == "not" && i+1 < len(s.Words) && doubts[s.Words[i+1].Low]:
			return w.Start
		case w.Low == "say" && i+1 < len(s.Words) && (i == 0 || s.Words[i-1].Low == "lets" || s.Words[i-1].Low == "us" || s.Words[i-1].Low == "let's" || s.Words[i-1].Low == "'s"):
			return w.Start
		}
	}
	return math.MaxInt
}

// writes reports whether the verb at i tells who created something rather than what they said: "Ann wrote Dune".
func writes(s english.Sentence, i int) bool {
	if i > 0 && (s.Words[i-1].Low == "who" || s.Words[i-1].Low == "that") {
		return s.Words[i].Low == "wrote" && s.Words[min(i+1, len(s.Words)-1)].Capital
	}
	for _, w := range s.Words[i+1:] {
		if !w.Capital && !english.NameParticles[w.Low] {
			return false
		}
	}
	return (s.Words[i].Low == "wrote" || s.Words[i].Low == "sang") && i+1 < len(s.Words)
}

// doubts holds the verbs that deny what follows when they are negated.
var doubts = english.Set("think believe know sure say saying said true remember recall mean")

// spokenBySpeaker reports whether the speaker is the subject of the verb at i: "I told you my name is Ann".
func spokenBySpeaker(s english.Sentence, i int) bool {
	for k := i - 1; k >= 0 && k >= i-3; k-- {
		if w := s.Words[k].Low; w == "i" || w == "we" {
			return true
		} else if !english.Adverbs[w] && w != "have" && w != "had" {
			return false
		}
	}
	return false
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
