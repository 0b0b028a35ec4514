package belief

import (
	"slices"
	"strconv"
	"strings"

	"familiar/memory/model"
	"familiar/memory/understand"
)

// A question may ask for something of something of what it names: "the birthplace of the author of X". What is believed
// is then followed from what is named, one fact after the other: each holds now, its value is what the next is about.

const (
	// maxHops is how many facts a question is followed over.
	maxHops = 4
	// hopCost is what each fact on the way takes from a way's score: of two that answer as well the shorter is meant.
	// leapCost is what one takes that the question does not speak of.
	HopCost, leapCost = 0.05, 0.7
	// nameWorth is what each word of the name a way starts from adds to its score.
	nameWorth = 0.3
	// askedShare is which share of what the question asks by a way must answer.
	askedShare = 0.5
)

// facts are the beliefs that lead somewhere, by what they are about.
type beliefGraph struct {
	of    map[string][]fact // of each relation one: the last told
	names map[string][]name // of what they are about, by the first word
}

type name struct {
	words []string
	key   string
}

type fact struct {
	belief   int // its place among the beliefs
	relation string
	value    string // what a next fact is about
}

// newFacts files the active beliefs of which one holds at a time.
func newFacts(settled []model.Belief, keys []string) *beliefGraph {
	f := &beliefGraph{of: map[string][]fact{}, names: map[string][]name{}}
	for i, b := range settled {
		if b.Status != model.Active || !leads(b.Relation) {
			continue
		}
		if _, known := f.of[keys[i]]; !known && b.Subject != "" {
			f.name(model.NormalizeValue(b.Subject), keys[i])
		}
		next := fact{i, b.Relation, b.Value}
		known := f.of[keys[i]]
		switch at := slices.IndexFunc(known, func(k fact) bool { return k.relation == b.Relation }); {
		case at < 0:
			f.of[keys[i]] = append(known, next)
		case !b.Updated.Before(settled[known[at].belief].Updated):
			known[at] = next
		}
	}
	return f
}

// name lets what has a key be meant by a name.
func (f *beliefGraph) name(folded, key string) {
	if words := NormalizedWords(folded); len(words) > 0 {
		f.names[words[0]] = append(f.names[words[0]], name{words, key})
	}
}

// leads says that a relation is a fact about its subject rather than a wish, a mood or a taste.
func leads(relation string) bool {
	switch relation {
	case "plan", "promise", "instruction", "feels", "remember", "likes", "dislikes", "call_me":
		return false
	}
	return true
}

// named is a place in a question that names what something is known of.
type named struct {
	key        string
	start, end int // bytes
	words      int
}

// named finds the longest names in a text, and where who asks speaks of themselves.
func (f *beliefGraph) named(text string, asker int64) []named {
	var at [][2]int
	var low []string
	for start, end := range EachWord(text) {
		at, low = append(at, [2]int{start, end}), append(low, strings.ToLower(text[start:end]))
	}
	var out []named
	for i := 0; i < len(low); {
		longest := name{}
		for _, n := range f.names[low[i]] {
			if len(n.words) > len(longest.words) && len(n.words) <= len(low)-i && slices.Equal(n.words, low[i:i+len(n.words)]) {
				longest = n
			}
		}
		if asker != 0 && (low[i] == "my" || low[i] == "i") {
			longest = name{low[i : i+1], model.SubjectKey(asker, "")}
		}
		n := len(longest.words)
		if n > 0 {
			out = append(out, named{longest.key, at[i][0], at[i+n-1][1], n})
		}
		i += max(n, 1)
	}
	return out
}

// way is a walk over facts for one question.
type path struct {
	facts []int // the places of the beliefs, from what the question names on
	score float64
	used  uint64
}

// walk is the search for the best way from one name.
type pathSearch struct {
	*beliefGraph
	terms []understand.Term
	best  path
	steps int
	// wordings are those of the relations met so far, senses what they are asked for by.
	wordings map[string]understand.Wording
	senses   map[string]bool
}

// maxSteps bounds a walk: past it the best way so far is taken.
const maxSteps = 2000

// wording is the relation's.
func (w *pathSearch) wording(relation string) understand.Wording {
	known, met := w.wordings[relation]
	if !met {
		known = understand.WordingOf(relation)
		w.wordings[relation] = known
		for _, s := range known.Senses() {
			w.senses[s] = true
		}
	}
	return known
}

// answer follows a question over the facts and returns the places of the beliefs that answer it, from what it names on;
// none when they answer too little of it.
func (f *beliefGraph) Answer(text string, asker int64) []int {
	if !understand.Asks(text) {
		return nil
	}
	var best path
	wordings, senses := map[string]understand.Wording{}, map[string]bool{}
	for _, n := range f.named(text, asker) {
		w := pathSearch{beliefGraph: f, terms: understand.Terms(text, n.start, n.end), wordings: wordings, senses: senses}
		w.from(n.key, n.start, path{score: nameWorth * float64(n.words)}, false)
		if len(w.best.facts) > 0 && w.best.score > best.score && w.enough() {
			best = w.best
		}
	}
	return best.facts
}

// enough says that the best way answers enough of what is asked.
func (w *pathSearch) enough() bool {
	asked, answered := map[string]bool{}, map[string]bool{}
	for i, t := range w.terms[:min(len(w.terms), 64)] {
		if !w.senses[t.Sense] && !t.Common {
			continue // no fact is told in such a word
		}
		asked[t.Sense] = true
		if w.best.used&(1<<i) != 0 {
			answered[t.Sense] = true
		}
	}
	return len(answered) > 0 && float64(len(answered)) >= askedShare*float64(len(asked))
}

// from goes on from what key names. at is the byte of the question that led here, leapt that a fact was passed over
// which the question does not speak of.
func (w *pathSearch) from(key string, at int, so path, leapt bool) {
	if len(so.facts) > 0 && so.score > w.best.score {
		w.best = so
	}
	if w.steps++; len(so.facts) == maxHops || w.steps > maxSteps {
		return
	}
	for _, f := range w.of[key] {
		if slices.Contains(so.facts, f.belief) {
			continue
		}
		next := path{facts: append(slices.Clone(so.facts), f.belief)}
		if score, taken, place := w.wording(f.relation).Match(w.terms, so.used, at); taken != 0 && score > 0 {
			next.score, next.used = so.score+score-HopCost, so.used|taken
			w.from(model.NormalizeValue(f.value), place, next, leapt)
		} else if value := model.NormalizeValue(f.value); !leapt && len(w.of[value]) > 0 {
			next.score, next.used = so.score-leapCost, so.used
			w.from(value, at, next, true)
		}
	}
}

// link is a step of an answer: a memory, and which of how many it is.
type Link struct{ Step, Of int }

// String is the step as it is shown: "hop 2 of 3".
func (l Link) String() string { return "hop " + strconv.Itoa(l.Step) + " of " + strconv.Itoa(l.Of) }
