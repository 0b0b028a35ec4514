package world

import (
	"slices"
	"strings"

	"familiar/memory/lexical"
	"familiar/memory/understand/english"
)

// term is a word of a question that may name a relation, or what kind of thing is asked for: [start, end) are its bytes.
type term struct {
	start, end int
	sense      string
	// agent says that it names who did it: "founder". common says that it names a relation people commonly tell of.
	agent, common bool
}

// asks says whether a text asks something by its look alone.
func asks(text string) bool {
	if strings.HasSuffix(strings.TrimRight(text, " \n"), "?") {
		return true
	}
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return english.WordsOfQuestion[english.Normalize(first)]
}

// termsOf are the terms of a text in order, those within the bytes [from, to) left out.
func termsOf(text string, from, to int) (terms []term) {
	var words []english.Word
	for _, s := range english.Split(text) {
		for _, w := range s.Words {
			if w.End <= from || w.Start >= to {
				words = append(words, w)
			}
		}
	}
	for i := 0; i < len(words); {
		t, n := termAt(words, i)
		if n > 0 {
			terms = append(terms, t)
		}
		i += max(n, 1)
	}
	return terms
}

// termAt is the term that begins with the word at i and how many words it takes, 0 for none.
func termAt(words []english.Word, i int) (term, int) {
	v := known()
	phrase := ""
	for k, n := i, 0; k < len(words) && n < 3; k++ {
		if w := words[k].Low; k == i || !within[w] {
			phrase, n = strings.TrimLeft(phrase+" "+w, " "), n+1
		}
		if sense, ok := v.phrases[phrase]; ok && !within[words[k].Low] {
			if k+1 < len(words) && words[k+1].Low == "officer" {
				k++
			}
			return term{start: words[i].Start, end: words[k].End, sense: sense, common: true}, k - i + 1
		}
	}
	w := words[i]
	if sense := v.words[w.Low]; sense != "" {
		return term{w.Start, w.End, sense, v.agents[w.Low], !v.kinds[sense]}, 1
	}
	if stems := lexical.English.Terms(w.Low); len(stems) == 1 && !vague[w.Low] {
		return term{start: w.Start, end: w.End, sense: stems[0]}, 1
	}
	return term{}, 0
}

var (
	// within are the words that may stand within a phrase.
	within = english.Set("of the his her their into from for a")
	// vague are the words of questions that name no relation.
	vague = english.Set("name current currently hold holds held serve serves serving role associated affiliated associate belong belongs related responsible known thing " +
		"title does tell remind remember know recall guess mind mean called call name's exactly again still ever kind sort type things think say said told ask asked want please")
)

// wording is what a relation is asked for by: what it is, of what kind its values are, and whether these did something.
type wording struct {
	senses, kinds []string
	agent         bool
}

// wordingOf is the wording of a relation.
func wordingOf(relation string) (w wording) {
	if _, who, ok := strings.Cut(relation, ":"); ok {
		relation = who // "person_name:sister" is asked for as the sister
	}
	relation = strings.NewReplacer("_", " ", "/", " ").Replace(relation)
	for _, t := range termsOf(relation, 0, 0) {
		switch {
		case known().kinds[t.sense]:
			w.kinds = append(w.kinds, t.sense)
		case !slices.Contains(w.senses, t.sense):
			w.senses = append(w.senses, t.sense)
		}
		w.agent = w.agent || t.agent
	}
	w.agent = w.agent || english.LastWord(relation) == "by"
	return w
}

// valueKinds are the kinds of value that the wording of a relation may be asked for with.
func (w wording) valueKinds(relation string) []string {
	kinds := slices.Clone(w.kinds)
	if last := english.LastWord(relation); last == "in" || last == "of" {
		kinds = append(kinds, "place", "city", "country")
	}
	if w.agent {
		kinds = append(kinds, "person", "company")
	}
	return kinds
}

const (
	// missing is what a sense of the relation that the question does not have takes from a match, nearSense what a
	// related one gives, kindSense what the kind of value asked for gives.
	missing   = 0.4
	nearSense = 0.6
	kindSense = 0.3
	// perByte is what distance in the question takes: what is asked of a thing stands next to it.
	perByte = 0.001
	// kindReach is how many bytes from a relation's word the kind of its value may stand.
	kindReach = 60
)

// match weighs how well the wording fits those terms of a question that are not yet used, nearest to the byte at first.
// It returns which terms it takes and which byte the match is at, and no terms when it does not fit.
func (w wording) match(terms []term, used uint64, at int) (score float64, taken uint64, place int) {
	place = at
	for _, sense := range w.senses {
		i, worth := nearest(terms, used|taken, at, func(t term) float64 {
			switch {
			case t.sense == sense && t.agent && !w.agent && len(w.kinds) > 0:
				return nearSense
			case t.sense == sense:
				return 1
			case slices.Contains(known().near[t.sense], sense):
				return nearSense
			}
			return 0
		})
		if i < 0 {
			score -= missing
			continue
		}
		score += worth - perByte*float64(distance(terms[i], at))
		taken |= 1 << i
		place = terms[i].start
		if terms[i].agent && w.agent {
			score += kindSense
		}
	}
	if taken == 0 {
		return 0, 0, at
	}
	for _, kind := range w.kinds {
		i, worth := nearest(terms, used|taken, place, func(t term) float64 {
			if t.sense == kind {
				return kindSense
			}
			return 0
		})
		if i >= 0 && distance(terms[i], place) < kindReach {
			score, taken = score+worth, taken|1<<i
			break
		}
	}
	return score, taken, place
}

// termLimit is how many terms of a question are looked at.
const termLimit = 64

// nearest is the unused term that is worth most, the nearest of several; -1 when none is worth anything.
func nearest(terms []term, used uint64, at int, worth func(term) float64) (best int, value float64) {
	best = -1
	for i, t := range terms[:min(len(terms), termLimit)] {
		v := worth(t)
		if used&(1<<i) != 0 || v == 0 {
			continue
		}
		if best < 0 || v > value || v == value && distance(t, at) < distance(terms[best], at) {
			best, value = i, v
		}
	}
	return best, value
}

func distance(t term, at int) int { return max(t.start-at, at-t.start) }
