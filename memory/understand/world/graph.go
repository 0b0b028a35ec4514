package world

import (
	"math/bits"
	"slices"
	"time"

	"familiar/memory/understand/english"
)

const (
	// maxHops is the longest path in facts, maxSteps the number of facts tried for a question.
	maxHops, maxSteps = 4, 2000
	// hopCost is the cost of each fact of a path, leapCost that of a fact that the question does not mention, nameWorth
	// the worth of each word of the name that a path starts from.
	hopCost, leapCost, nameWorth = 0.05, 0.7, 0.3
	askedShare                   = 0.5 // of what the question asks, the least that a path must answer
)

// Fact is a belief that may lead to another.
type Fact struct {
	// Key identifies the subject, Subject is its name, Value the key of what the next fact may be about.
	Key, Subject, Value, Relation string
	Updated                       time.Time
}

// Graph follows questions over facts: "the birthplace of the author of X" from X to its author to a place. It never changes.
type Graph struct {
	facts    []Fact
	of       map[string][]int   // the newest fact of each relation, by key
	names    map[string]string  // keys by name
	wordings map[string]wording // by relation
}

// NewGraph returns the graph of the facts that have a key.
func NewGraph(facts []Fact) *Graph {
	g := &Graph{facts: facts, of: map[string][]int{}, names: map[string]string{}, wordings: map[string]wording{}}
	for i, f := range facts {
		if f.Key == "" || known().is("fruitless", f.Relation) {
			continue
		}
		if _, met := g.wordings[f.Relation]; !met {
			g.wordings[f.Relation] = wordingOf(f.Relation)
		}
		told := g.of[f.Key]
		if name := english.Normalize(f.Subject); g.names[name] == "" {
			g.names[name] = f.Key
		}
		switch at := slices.IndexFunc(told, func(k int) bool { return facts[k].Relation == f.Relation }); {
		case at < 0:
			g.of[f.Key] = append(told, i)
		case !f.Updated.Before(facts[told[at]].Updated):
			told[at] = i
		}
	}
	return g
}

// named returns the key of the longest name that the words begin with and its number of words, "" and 1 for none. The
// speaker has the key self.
func (g *Graph) named(text string, words []english.Word, self string) (key string, n int) {
	if first := words[0].Low; self != "" && (first == "my" || first == "i") {
		return self, 1
	}
	for n = min(len(words), maxName); n > 0 && key == ""; n-- {
		key = g.names[english.Normalize(text[words[0].Start:words[n-1].End])]
	}
	return key, n + 1
}

// path is a chain of facts with its score. used are the terms of the question that it answers, as bits.
type path struct {
	facts []int
	score float64
	used  uint64
}

// search looks for the best path from one name.
type search struct {
	*Graph
	terms []term
	best  path
	steps int
}

// Answer follows a question over the facts, starting from a name in it, and returns the indices of those that answer it;
// none when they answer too little of it. self is the key of the person who asks, "" when unknown.
func (g *Graph) Answer(question, self string) []int {
	if !english.Asks(question) {
		return nil
	}
	var best path
	words := english.Words(question)
	for i, n, key := 0, 0, ""; i < len(words); i += n {
		if key, n = g.named(question, words[i:], self); key == "" {
			continue
		}
		s := search{Graph: g, terms: termsOf(slices.Concat(words[:i], words[i+n:]))}
		s.from(key, path{score: nameWorth * float64(n)}, false)
		if s.best.score > best.score && s.enough() {
			best = s.best
		}
	}
	return best.facts
}

// enough reports whether the best path answers enough of the terms that name a relation.
func (s *search) enough() bool {
	asked, answered := 0, 0
	for _, t := range s.terms {
		if _, relates := known().relations[t.sense]; relates && !known().is("kinds", t.sense) {
			asked++
			answered += bits.OnesCount64(s.best.used & t.bit)
		}
	}
	return float64(answered) >= askedShare*float64(asked)
}

// from extends a path by the facts about key. leapt means that the path has a fact that the question does not mention.
func (s *search) from(key string, so path, leapt bool) {
	if len(so.facts) > 0 && so.score > s.best.score {
		s.best = so
	}
	if s.steps++; len(so.facts) == maxHops || s.steps > maxSteps {
		return
	}
	for _, i := range s.of[key] {
		f := s.facts[i]
		if slices.Contains(so.facts, i) {
			continue
		}
		facts := append(slices.Clone(so.facts), i)
		if score, taken := s.wordings[f.Relation].match(s.terms, so.used); taken != 0 && score > 0 {
			s.from(f.Value, path{facts, so.score + score - hopCost, so.used | taken}, leapt)
		} else if !leapt && len(s.of[f.Value]) > 0 {
			s.from(f.Value, path{facts, so.score - leapCost, so.used}, true)
		}
	}
}
