package world

import (
	"slices"
	"strings"

	"familiar/memory/lexical"
	"familiar/memory/understand/english"
)

// term is a sense that a question may ask for; bit marks it in a path.
type term struct {
	sense string
	bit   uint64
}

// termsOf returns the terms of words in order. Words for who did something also ask for a person.
func termsOf(words []english.Word) (terms []term) {
	add := func(sense string) { terms = append(terms, term{sense, 1 << len(terms)}) }
	for len(words) > 0 && len(terms) < 63 {
		sense, n := senseOf(words)
		if sense != "" {
			add(sense)
		}
		if known().is("agents", words[0].Low) {
			add("person")
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

// wording is what a relation is asked for by: its senses, and the kinds its values may be of.
type wording struct{ senses, kinds []string }

func wordingOf(relation string) (w wording) {
	if _, who, ok := strings.Cut(relation, ":"); ok {
		relation = who // "person_name:sister" is asked for as the sister
	}
	relation = strings.NewReplacer("_", " ", "/", " ").Replace(relation)
	for _, t := range termsOf(english.Words(relation)) {
		if known().is("kinds", t.sense) {
			w.kinds = append(w.kinds, t.sense)
		} else if !slices.Contains(w.senses, t.sense) {
			w.senses = append(w.senses, t.sense)
		}
	}
	if len(w.senses) == 0 {
		w.senses = w.kinds
	}
	switch last := english.LastWord(relation); {
	case last == "by" || slices.Contains(w.kinds, "person"):
		w.kinds = append(w.kinds, "person", "company")
	case last == "in" || last == "of":
		w.kinds = append(w.kinds, "place", "city", "country")
	}
	return w
}

// missing is the cost of an absent sense; nearSense and kindSense are the worth of a related one and of the kind asked for.
const missing, nearSense, kindSense = 0.4, 0.6, 0.3

// match scores how well the wording fits the unused terms of a question. It returns the terms it uses as bits, 0 when it
// does not fit.
func (w wording) match(terms []term, used uint64) (score float64, taken uint64) {
	find := func(fits func(sense string) bool) int {
		return slices.IndexFunc(terms, func(t term) bool { return (used|taken)&t.bit == 0 && fits(t.sense) })
	}
	for _, sense := range w.senses {
		if i := find(func(s string) bool { return s == sense }); i >= 0 {
			score, taken = score+1, taken|terms[i].bit
		} else if i = find(func(s string) bool { return known().is("near-"+sense, s) }); i >= 0 {
			score, taken = score+nearSense, taken|terms[i].bit
		} else {
			score -= missing
		}
	}
	if i := find(func(s string) bool { return slices.Contains(w.kinds, s) }); i >= 0 && taken != 0 {
		score, taken = score+kindSense, taken|terms[i].bit
	}
	return score, taken
}
