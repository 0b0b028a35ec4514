package claim

import "math"

// What keeps a sentence from being the speaker's own plain claim.

// suppositions begin what is only imagined.
var suppositions = set("if wish unless imagine suppose supposing pretend pretending whether hypothetically assuming dreamed dreamt example " +
	"lyrics pretended")

// reports are the verbs of somebody else's words.
var reports = set("said says told tells asked asks claims claimed thinks thought believes believed wrote texted yelled shouted whispered sang " +
	"sings goes insists joked jokes replied answered")

// supposes says that the clause only imagines something: "what if I lived in Rome?".
func supposes(c clause) bool {
	i := skipLeads(c, 0)
	return c.low(i) == "what" && c.low(i+1) == "if" || suppositions[c.low(i)]
}

// Supposes says that a text only imagines what it says, from its beginning on: "if I had a horse …".
func Supposes(text string) bool {
	sentences := split(text)
	return len(sentences) > 0 && supposes(newClause(text, sentences[0].words))
}

// believable is the byte up to which the sentence is the speaker's own claim: what follows is supposed or reported.
func believable(s sentence) int {
	shouted := allCapitals(clause{words: s.words})
	for i, w := range s.words {
		if w.quoted || w.capital && i > 0 && !shouted { // part of a name: "Alta IF"
			continue
		}
		switch {
		case suppositions[w.low]:
			return w.start
		case reports[w.low] && !spokenBySpeaker(s, i) && !writes(s, i):
			return w.start
		case w.low == "not" && i+1 < len(s.words) && doubts[s.words[i+1].low]:
			return w.start
		case w.low == "say" && i+1 < len(s.words) && (i == 0 || s.words[i-1].low == "lets" || s.words[i-1].low == "us" || s.words[i-1].low == "let's" || s.words[i-1].low == "'s"):
			return w.start
		}
	}
	return math.MaxInt
}

// writes says that the verb at i tells who made something rather than what they said: "Ann wrote Dune".
func writes(s sentence, i int) bool {
	if i > 0 && (s.words[i-1].low == "who" || s.words[i-1].low == "that") {
		return s.words[i].low == "wrote" && s.words[min(i+1, len(s.words)-1)].capital
	}
	for _, w := range s.words[i+1:] {
		if !w.capital && !nameParticles[w.low] {
			return false
		}
	}
	return deeds[s.words[i].low] != "" && i+1 < len(s.words)
}

// doubts are the verbs that, denied, take back what follows.
var doubts = set("think believe know sure say saying said true remember recall mean")

// spokenBySpeaker says that the verb at i has the speaker for its subject: "I told you my name is Ann".
func spokenBySpeaker(s sentence, i int) bool {
	for k := i - 1; k >= 0 && k >= i-3; k-- {
		if w := s.words[k].low; w == "i" || w == "we" {
			return true
		} else if !adverbs[w] && w != "have" && w != "had" {
			return false
		}
	}
	return false
}

// jests says that the whole utterance is taken back as a joke.
func jests(sentences []sentence) bool {
	for _, s := range sentences {
		for i, w := range s.words {
			if w.quoted {
				continue
			}
			if w.low == "jk" || (w.low == "kidding" || w.low == "joking") && i > 0 && s.words[i-1].low != "not" {
				return true
			}
		}
	}
	return false
}
