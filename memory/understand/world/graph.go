package world

import (
	"slices"
	"strings"
	"time"

	"familiar/memory/understand/english"
)

// A question may ask for something of something of what it names: "the birthplace of the author of X". What is believed
// is then followed from what is named, one fact after the other: each holds now, its value is what the next is about.

const (
	// maxHops is how many facts a question is followed over, maxSteps bounds the search: past it the best path so far is taken.
	maxHops, maxSteps = 4, 2000
	// hopCost is what each fact on the way takes from a path's score: of two that answer as well the shorter is meant.
	// leapCost is what one takes that the question does not speak of.
	hopCost, leapCost = 0.05, 0.7
	// nameWorth is what each word of the name a path starts from adds to its score.
	nameWorth = 0.3
	// askedShare is which share of what the question asks a path must answer.
	askedShare = 0.5
)

// Fact is a belief that may lead to another.
type Fact struct {
	// Key tells subjects apart, Subject is its name, Value what the next fact is about; both in lower case.
	Key, Subject, Value string
	Relation            string
	Updated             time.Time
}

// Graph are facts by what they are about. Build it once for the same facts; it may be used side by side.
type Graph struct {
	facts []Fact
	of    map[string][]int // of each relation one: the last told
	names map[string][]name
}

type name struct {
	words []string
	key   string
}

// noFacts are the relations of wishes, moods and tastes: they lead nowhere.
var noFacts = english.Set("plan promise instruction feels remember likes dislikes call_me")

// NewGraph files facts; a Fact without a key is passed over.
func NewGraph(facts []Fact) *Graph {
	g := &Graph{facts: facts, of: map[string][]int{}, names: map[string][]name{}}
	for i, f := range facts {
		if f.Key == "" || noFacts[f.Relation] {
			continue
		}
		known := g.of[f.Key]
		if words := strings.FieldsFunc(f.Subject, betweenWords); len(known) == 0 && len(words) > 0 {
			g.names[words[0]] = append(g.names[words[0]], name{words, f.Key})
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

func betweenWords(r rune) bool { return !english.IsWord(r) }

// start is a place in a question that names what something is known of: [from, to) are its bytes.
type start struct {
	key            string
	from, to, size int
}

// starts finds the longest names in a text, and where who asks speaks of themselves, whose facts have the key self.
func (g *Graph) starts(text, self string) (found []start) {
	var at [][2]int
	var low []string
	for i := 0; i < len(text); {
		n := strings.IndexFunc(text[i:], english.IsWord)
		if n < 0 {
			break
		}
		end := strings.IndexFunc(text[i+n:], betweenWords)
		if end < 0 {
			end = len(text) - i - n
		}
		at, low = append(at, [2]int{i + n, i + n + end}), append(low, strings.ToLower(text[i+n:i+n+end]))
		i += n + end
	}
	for i := 0; i < len(low); {
		longest := name{}
		for _, n := range g.names[low[i]] {
			if len(n.words) > len(longest.words) && len(n.words) <= len(low)-i && slices.Equal(n.words, low[i:i+len(n.words)]) {
				longest = n
			}
		}
		if self != "" && (low[i] == "my" || low[i] == "i") {
			longest = name{low[i : i+1], self}
		}
		n := len(longest.words)
		if n > 0 {
			found = append(found, start{longest.key, at[i][0], at[i+n-1][1], n})
		}
		i += max(n, 1)
	}
	return found
}

// path is a chain of facts for one question, from what it names on.
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
	// wordings are those of the relations met so far, senses what they are asked for by.
	wordings map[string]wording
	senses   map[string]bool
}

func (s *search) wording(relation string) wording {
	w, met := s.wordings[relation]
	if !met {
		w = wordingOf(relation)
		w.kinds = w.valueKinds(relation)
		s.wordings[relation] = w
		for _, sense := range w.senses {
			s.senses[sense] = true
		}
	}
	return w
}

// Answer follows a question over the facts and returns the places of those that answer it, from what it names on; none
// when they answer too little of it. self is the key of who asks, empty when nobody is known.
func (g *Graph) Answer(question, self string) []int {
	if !asks(question) {
		return nil
	}
	var best path
	wordings, senses := map[string]wording{}, map[string]bool{}
	for _, n := range g.starts(question, self) {
		s := search{Graph: g, terms: termsOf(question, n.from, n.to), wordings: wordings, senses: senses}
		s.from(n.key, n.from, path{score: nameWorth * float64(n.size)}, false)
		if len(s.best.facts) > 0 && s.best.score > best.score && s.enough() {
			best = s.best
		}
	}
	return best.facts
}

// enough says that the best path answers enough of what is asked.
func (s *search) enough() bool {
	asked, answered := map[string]bool{}, map[string]bool{}
	for i, t := range s.terms[:min(len(s.terms), termLimit)] {
		if !s.senses[t.sense] && !t.common {
			continue // no fact is told in such a word
		}
		asked[t.sense] = true
		if s.best.used&(1<<i) != 0 {
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
		if slices.Contains(so.facts, i) {
			continue
		}
		f := s.facts[i]
		next := path{facts: append(slices.Clone(so.facts), i)}
		if score, taken, place := s.wording(f.Relation).match(s.terms, so.used, at); taken != 0 && score > 0 {
			next.score, next.used = so.score+score-hopCost, so.used|taken
			s.from(f.Value, place, next, leapt)
		} else if !leapt && len(s.of[f.Value]) > 0 {
			next.score, next.used = so.score-leapCost, so.used
			s.from(f.Value, at, next, true)
		}
	}
}
