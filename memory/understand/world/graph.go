package world

import (
	"slices"
	"time"

	"familiar/memory/understand/english"
)

const (
	// maxHops is how many facts a question is followed over, maxSteps how many are tried at all.
	maxHops, maxSteps = 4, 2000
	// hopCost is what each fact takes from a path's score, leapCost what one takes that the question does not speak of.
	hopCost, leapCost = 0.05, 0.7
	// nameWorth is what each word of the name a path starts from adds to its score.
	nameWorth = 0.3
	// askedShare is which share of what the question asks a path must answer.
	askedShare = 0.5
)

// Fact is a belief that may lead to another.
type Fact struct {
	// Key tells subjects apart, Subject is the subject's name, Value the key of what the next fact may be about.
	Key, Subject, Value, Relation string
	Updated                       time.Time
}

// Graph follows questions over facts: "the birthplace of the author of X" from X to its author to a place. It never changes.
type Graph struct {
	facts []Fact
	of    map[string][]int  // by key, of each relation the last told
	names map[string][]name // by the first word
}

type name struct {
	words []english.Word
	key   string
}

// noFacts are the relations of wishes, moods and tastes: they lead nowhere.
var noFacts = english.Set("plan promise instruction feels remember likes dislikes call_me")

// NewGraph files facts. One without a key is passed over.
func NewGraph(facts []Fact) *Graph {
	g := &Graph{facts: facts, of: map[string][]int{}, names: map[string][]name{}}
	for i, f := range facts {
		if f.Key == "" || noFacts[f.Relation] {
			continue
		}
		known := g.of[f.Key]
		if words := english.Words(f.Subject); len(known) == 0 && len(words) > 0 {
			g.names[words[0].Low] = append(g.names[words[0].Low], name{words, f.Key})
		}
		switch at := slices.IndexFunc(known, func(k int) bool { return facts[k].Relation == f.Relation }); {
		case at < 0:
			g.of[f.Key] = append(known, i)
		case !f.Updated.Before(facts[known[at]].Updated):
			known[at] = i
		}
	}
	return g
}

// named is the longest name that begins with the first word, where who asks goes by the key self.
func (g *Graph) named(words []english.Word, self string) (longest name) {
	if first := words[0].Low; self != "" && (first == "my" || first == "i") {
		return name{words[:1], self}
	}
	for _, n := range g.names[words[0].Low] {
		if len(n.words) > len(longest.words) && len(n.words) <= len(words) &&
			slices.EqualFunc(n.words, words[:len(n.words)], func(a, b english.Word) bool { return a.Low == b.Low }) {
			longest = n
		}
	}
	return longest
}

// path is a chain of facts, the terms of the question that they use as bits, and its score.
type path struct {
	facts []int
	score float64
	used  uint64
}

// search looks for the best path from one name.
type search struct {
	*Graph
	terms    []term
	best     path
	steps    int
	wordings map[string]wording // of the relations met so far
}

// Answer follows a question over the facts and returns the places of those that answer it, from what it names on; none
// when they answer too little of it. self is the key of who asks, empty when nobody is known.
func (g *Graph) Answer(question, self string) []int {
	if !english.Asks(question) {
		return nil
	}
	var best path
	wordings := map[string]wording{}
	words := english.Words(question)
	for i := 0; i < len(words); i++ {
		n := g.named(words[i:], self)
		end := i + len(n.words)
		if end == i {
			continue
		}
		s := search{Graph: g, terms: termsOf(slices.Concat(words[:i], words[end:])), wordings: wordings}
		s.from(n.key, words[i].Start, path{score: nameWorth * float64(end-i)}, false)
		if len(s.best.facts) > 0 && s.best.score > best.score && s.enough() {
			best = s.best
		}
		i = end - 1
	}
	return best.facts
}

// enough says that the best path answers enough of what is asked in words that facts are told in.
func (s *search) enough() bool {
	asked, answered := map[string]bool{}, map[string]bool{}
	for i, t := range s.terms {
		told := known().relations[t.sense] != nil && !known().kinds[t.sense]
		for _, w := range s.wordings {
			told = told || slices.Contains(w.senses, t.sense)
		}
		if told {
			asked[t.sense] = true
		}
		if told && s.best.used&(1<<i) != 0 {
			answered[t.sense] = true
		}
	}
	return len(answered) > 0 && float64(len(answered)) >= askedShare*float64(len(asked))
}

// from goes on from what key names. at is the byte of the question that led here, leapt that a fact was passed over
// which the question does not speak of.
func (s *search) from(key string, at int, so path, leapt bool) {
	if len(so.facts) > 0 && so.score > s.best.score {
		s.best = so
	}
	if s.steps++; len(so.facts) == maxHops || s.steps > maxSteps {
		return
	}
	for _, i := range s.of[key] {
		f := s.facts[i]
		w, met := s.wordings[f.Relation]
		if !met {
			w = wordingOf(f.Relation)
			s.wordings[f.Relation] = w
		}
		next := path{facts: append(slices.Clone(so.facts), i)}
		if slices.Contains(so.facts, i) {
			continue
		} else if score, taken, place := w.match(s.terms, so.used, at); taken != 0 && score > 0 {
			next.score, next.used = so.score+score-hopCost, so.used|taken
			s.from(f.Value, place, next, leapt)
		} else if !leapt && len(s.of[f.Value]) > 0 {
			next.score, next.used = so.score-leapCost, so.used
			s.from(f.Value, at, next, true)
		}
	}
}
