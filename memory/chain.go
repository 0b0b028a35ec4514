package memory

import (
	"slices"
	"strconv"
	"strings"

	"familiar/memory/understand"
)

// A question may ask for something of something of what it names: "the birthplace of the author of X". What is believed
// is then followed from what is named, one fact after the other: each holds now, its value is what the next is about.

const (
	// maxHops is how many facts a question is followed over.
	maxHops = 4
	// hopCost is what each fact on the way takes from a way's score: of two that answer as well the shorter is meant.
	// leapCost is what one takes that the question does not speak of.
	hopCost, leapCost = 0.05, 0.7
	// nameWorth is what each word of the name a way starts from adds to its score.
	nameWorth = 0.3
	// askedShare is which share of what the question asks by a way must answer.
	askedShare = 0.5
)

// facts are the beliefs that lead somewhere, by what they are about.
type facts struct {
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
func newFacts(settled []Belief, keys []string) *facts {
	f := &facts{of: map[string][]fact{}, names: map[string][]name{}}
	for i, b := range settled {
		if b.Status != Active || !leads(b.Relation) {
			continue
		}
		if _, known := f.of[keys[i]]; !known && b.Subject != "" {
			f.name(foldValue(b.Subject), keys[i])
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
func (f *facts) name(folded, key string) {
	if words := foldedWords(folded); len(words) > 0 {
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
func (f *facts) named(text string, asker int64) []named {
	var at [][2]int
	var low []string
	for start, end := range eachWord(text) {
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
			longest = name{low[i : i+1], subjectKey(asker, "")}
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
type way struct {
	facts []int // the places of the beliefs, from what the question names on
	score float64
	used  uint64
}

// walk is the search for the best way from one name.
type walk struct {
	*facts
	terms []understand.Term
	best  way
	steps int
	// wordings are those of the relations met so far, senses what they are asked for by.
	wordings map[string]understand.Wording
	senses   map[string]bool
}

// maxSteps bounds a walk: past it the best way so far is taken.
const maxSteps = 2000

// wording is the relation's.
func (w *walk) wording(relation string) understand.Wording {
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
func (f *facts) answer(text string, asker int64) []int {
	if !understand.Asks(text) {
		return nil
	}
	var best way
	wordings, senses := map[string]understand.Wording{}, map[string]bool{}
	for _, n := range f.named(text, asker) {
		w := walk{facts: f, terms: understand.Terms(text, n.start, n.end), wordings: wordings, senses: senses}
		w.from(n.key, n.start, way{score: nameWorth * float64(n.words)}, false)
		if len(w.best.facts) > 0 && w.best.score > best.score && w.enough() {
			best = w.best
		}
	}
	return best.facts
}

// enough says that the best way answers enough of what is asked.
func (w *walk) enough() bool {
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
func (w *walk) from(key string, at int, so way, leapt bool) {
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
		next := way{facts: append(slices.Clone(so.facts), f.belief)}
		if score, taken, place := w.wording(f.relation).Match(w.terms, so.used, at); taken != 0 && score > 0 {
			next.score, next.used = so.score+score-hopCost, so.used|taken
			w.from(foldValue(f.value), place, next, leapt)
		} else if value := foldValue(f.value); !leapt && len(w.of[value]) > 0 {
			next.score, next.used = so.score-leapCost, so.used
			w.from(value, at, next, true)
		}
	}
}

// link is a step of an answer: a memory, and which of how many it is.
type link struct{ step, of int }

// String is the step as it is shown: "hop 2 of 3".
func (l link) String() string { return "hop " + strconv.Itoa(l.step) + " of " + strconv.Itoa(l.of) }

// follow adds the memories that a question leads to, the one that answers it first. Each is what its belief was last
// heard from, and so in the belief's own audience.
func (f *found) follow(tx *conn, b *believed, r reach, q Query) error {
	chain := b.graph().answer(q.Text, q.Asker)
	if len(chain) == 0 || len(chain) == 1 && b.beliefs[chain[0]].SubjectPerson != 0 {
		return nil // what people say of themselves they say in many words, which are found better by those of the question
	}
	links := make([]Belief, len(chain))
	for i, at := range chain {
		links[i] = b.beliefs[at]
	}
	if err := b.addEvidence(tx, links); err != nil {
		return err
	}
	for i, one := range slices.Backward(links) {
		scope := slices.IndexFunc(r.at, func(a ScopeRevision) bool { return a.Audience == one.Audience })
		if scope < 0 {
			continue
		}
		if c, ok := r.scopes[scope].saying(scope, latestFor(one)); ok && !slices.Contains(q.Recent, c.message) {
			if slices.ContainsFunc(f.chain, func(l candidate) bool { return l.id == c.id }) {
				continue // one message told both
			}
			c.hop = link{i + 1, len(links)}
			f.chain = append(f.chain, c)
		}
	}
	return nil
}

// latestFor is the last message that speaks for a belief, 0 when none does.
func latestFor(b Belief) (message int64) {
	for _, e := range b.Evidence {
		if e.Stance > 0 {
			message = max(message, e.MessageID)
		}
	}
	return message
}

// saying is the candidate for what a message said.
func (x *scopeIndex) saying(scope int, message int64) (candidate, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for o, e := range slices.Backward(x.entries) {
		if e.message == message && message != 0 && e.memory != 0 {
			return x.candidate(scope, o), true
		}
	}
	return candidate{}, false
}
