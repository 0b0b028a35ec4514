package world

import (
	"slices"
	"strings"

	"familiar/memory/lexical"
	"familiar/memory/understand/english"
)

// term is a sense that a question may ask for; start is the byte where its words begin.
type term struct {
	start int
	sense string
}

// termLimit is the number of terms of a question that are read: each has a bit in a path.
const termLimit = 64

// termsOf returns the terms of words in order. Words for who did something also ask for a person.
func termsOf(words []english.Word) (terms []term) {
	for len(words) > 0 && len(terms) < termLimit-1 {
		first := words[0]
		sense, n := senseOf(words)
		if sense != "" {
			terms = append(terms, term{first.Start, sense})
		}
		if known().is("agents", first.Low) {
			terms = append(terms, term{first.Start, "person"})
		}
		words = words[n:]
	}
	return terms
}

// senseOf returns the sense of the longest phrase that the words begin with and its number of words, otherwise the
// sense of the first word.
func senseOf(words []english.Word) (sense string, n int) {
	v, phrase := known(), words[0].Low
	sense, n = v.senses[phrase], 1
	if stems := lexical.English.Terms(phrase); sense == "" && len(stems) == 1 && !v.is("vague", phrase) {
		sense = stems[0]
	}
	for k := 1; k < min(len(words), 5); k++ {
		if w := words[k].Low; !v.is("within", w) {
			phrase += " " + w
			if s := v.senses[phrase]; s != "" {
				sense, n = s, k+1
			}
		}
	}
	return sense, n
}

// wording is what a relation is asked for by: its senses, and the kinds its values may be of. named are the kinds that
// the relation itself names.
type wording struct{ senses, named, kinds []string }

func wordingOf(relation string) (w wording) {
	if _, who, ok := strings.Cut(relation, ":"); ok {
		relation = who // "person_name:sister" is asked for as the sister
	}
	relation = strings.NewReplacer("_", " ", "/", " ").Replace(relation)
	for _, t := range termsOf(english.Words(relation)) {
		if known().is("kinds", t.sense) {
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
	// missing is the cost of a sense of the relation that the question does not have, nearSense the worth of a related
	// one, kindSense that of the kind of value asked for.
	missing, nearSense, kindSense = 0.4, 0.6, 0.3
	// perByte is the cost of distance in the question: what is asked of a thing is next to it. kindReach is how many
	// bytes away from a relation's word the kind of its value may be.
	perByte, kindReach = 0.001, 60
)

// match scores how well the wording fits the unused terms of a question, those nearest to the byte at first. It returns
// the terms it uses as bits, 0 when it does not fit, and the byte of the match.
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
		score += worth - perByte*float64(terms[i].distance(at))
		taken, place = taken|1<<i, terms[i].start
	}
	for k := 0; k < len(w.kinds) && taken != 0; k++ {
		if i := nearest(terms, used|taken, place, w.kinds[k]); i >= 0 && terms[i].distance(place) < kindReach {
			return score + kindSense, taken | 1<<i, place
		}
	}
	return score, taken, place
}

// nearest returns the unused term of a sense that is nearest to the byte at, -1 for none.
func nearest(terms []term, used uint64, at int, sense string) int {
	best := -1
	for i, t := range terms {
		if t.sense == sense && used&(1<<i) == 0 && (best < 0 || t.distance(at) < terms[best].distance(at)) {
			best = i
		}
	}
	return best
}

func (t term) distance(at int) int { return max(t.start-at, at-t.start) }
