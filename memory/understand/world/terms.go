package world

import (
	"slices"
	"strings"

	"familiar/memory/lexical"
	"familiar/memory/understand/english"
)

// term is a sense that a word or a phrase of a question may ask for, start the byte where it begins.
type term struct {
	start int
	sense string
}

// termLimit is how many terms of a question are looked at: each has a bit in a path.
const termLimit = 64

// termsOf are the terms of words in order. Who did something is also asked for as a person.
func termsOf(words []english.Word) (terms []term) {
	v := known()
	for len(words) > 0 && len(terms) < termLimit-1 {
		first := words[0]
		sense, n := v.phraseAt(words)
		if sense == "" {
			sense = v.words[first.Low]
		}
		if stems := lexical.English.Terms(first.Low); sense == "" && len(stems) == 1 && !vague[first.Low] {
			sense = stems[0]
		}
		if sense != "" {
			terms = append(terms, term{first.Start, sense})
		}
		if v.agents[first.Low] {
			terms = append(terms, term{first.Start, "person"})
		}
		words = words[n:]
	}
	return terms
}

// phraseAt is the sense of the phrase that the words begin with, and how many words that are.
func (v *vocabulary) phraseAt(words []english.Word) (string, int) {
	phrase := words[0].Low
	for k := 1; k < min(len(words), 5); k++ {
		if w := words[k].Low; !within[w] {
			phrase += " " + w
			if sense := v.phrases[phrase]; sense != "" {
				return sense, k + 1
			}
		}
	}
	return "", 1
}

var (
	// within are the words that may stand within a phrase.
	within = english.Set("of the his her their into from for a")
	// vague are the words of questions that name no relation.
	vague = english.Set("name current currently hold holds held serve serves serving role associated affiliated associate belong belongs related responsible known thing officer " +
		"title does tell remind remember know recall guess mind mean called call name's exactly again still ever kind sort type things think say said told ask asked want please")
)

// wording is what a relation is asked for by: its senses, and of what kind its values are. named are the kinds that stand
// in the relation itself.
type wording struct{ senses, named, kinds []string }

// wordingOf is the wording of a relation.
func wordingOf(relation string) (w wording) {
	if _, who, ok := strings.Cut(relation, ":"); ok {
		relation = who // "person_name:sister" is asked for as the sister
	}
	relation = strings.NewReplacer("_", " ", "/", " ").Replace(relation)
	for _, t := range termsOf(english.Words(relation)) {
		if known().kinds[t.sense] {
			w.named = append(w.named, t.sense)
		} else if !slices.Contains(w.senses, t.sense) {
			w.senses = append(w.senses, t.sense)
		}
	}
	w.kinds = slices.Clone(w.named)
	switch last := english.LastWord(relation); {
	case last == "by" || slices.Contains(w.named, "person"):
		w.kinds = append(w.kinds, "person", "company")
	case last == "in" || last == "of":
		w.kinds = append(w.kinds, "place", "city", "country")
	}
	return w
}

const (
	// missing is what a sense of the relation that the question does not have takes from a match, nearSense what a
	// related one gives, kindSense what the kind of value asked for gives.
	missing, nearSense, kindSense = 0.4, 0.6, 0.3
	// perByte is what distance in the question takes: what is asked of a thing stands next to it. kindReach is how many
	// bytes from a relation's word the kind of its value may stand.
	perByte, kindReach = 0.001, 60
)

// match weighs how well the wording fits those terms of a question that are not yet used, nearest to the byte at first.
// It returns which terms it takes as bits and which byte the match is at, and no terms when it does not fit.
func (w wording) match(terms []term, used uint64, at int) (score float64, taken uint64, place int) {
	place = at
	for _, sense := range w.senses {
		i, worth := nearest(terms, used|taken, at, sense), 1.0
		for _, other := range known().near[sense] {
			if i < 0 {
				i, worth = nearest(terms, used|taken, at, other), nearSense
			}
		}
		if i < 0 {
			score -= missing
			continue
		}
		score += worth - perByte*float64(distance(terms[i], at))
		taken, place = taken|1<<i, terms[i].start
	}
	for k := 0; k < len(w.kinds) && taken != 0; k++ {
		if i := nearest(terms, used|taken, place, w.kinds[k]); i >= 0 && distance(terms[i], place) < kindReach {
			return score + kindSense, taken | 1<<i, place
		}
	}
	return score, taken, place
}

// nearest is the unused term of a sense that is nearest to the byte at, -1 for none.
func nearest(terms []term, used uint64, at int, sense string) int {
	best := -1
	for i, t := range terms {
		if t.sense == sense && used&(1<<i) == 0 && (best < 0 || distance(t, at) < distance(terms[best], at)) {
			best = i
		}
	}
	return best
}

func distance(t term, at int) int { return max(t.start-at, at-t.start) }
