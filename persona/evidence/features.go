package evidence

import (
	"math"
	"slices"
	"strings"

	"familiar/memory/concept"
	"familiar/memory/understand/reader"
	"familiar/memory/wordvec"
)

// Feature is one sign that a line answers a question, or that it does not, about 0–1.
type Feature int

// The features. The topic is the words of the question that a line should share. The clause is that of the line that shares most.
// Features in pairs of "Has" and "Lacks" are both 0 if the question does not ask for it.
const (
	// Any is 1 for every line.
	Any Feature = iota
	// Clause is the share of the topic, by weight, that the clause has, Rest how much more the line has, Around how much more it has
	// together with a line right beside it.
	Clause
	Rest
	Around
	// Concepts and ConceptsRest are the share of the topic whose words are missing but whose concepts are there, Near those with a
	// related concept.
	Concepts
	ConceptsRest
	Near
	// Alike is the share of the topic that the clause does not have in its words, but in words that keep the same company.
	// AlikeRest is how much more the whole line has.
	Alike
	AlikeRest
	// The line has the kind of answer that the question word asks for: a time, a number, a name, a place.
	TimeHas
	TimeLacks
	NumberHas
	NumberLacks
	NameHas
	NameLacks
	PlaceHas
	PlaceLacks
	// The line is by the asker, or by another, if they ask about themselves.
	OfAsker
	OfOther
	// The line mentions a relative that the question names, none of them, or one though the question names none.
	PersonShared
	PersonMissing
	PersonOther
	// NamedMissing is 1 if a name of the question is not in the line.
	NamedMissing
	// IsQuestion is 1 if the line ends with a question mark.
	IsQuestion
	// Adds is how much content the line has beside the topic, Empty is 1 if it has none at all.
	Adds
	// How much more of the topic the line has that the same author said right before, in its words, and in concepts and words that keep
	// the same company. BeforeSoon is 1 if it was said within minutes.
	BeforeShares
	BeforeMeans
	BeforeSoon
	// AfterCorrects is how likely the line that the same author said right after corrects or changes something.
	AfterCorrects
	// EarlierShares and LaterShares are the largest shares of the topic that an earlier and a later line of the same author have.
	EarlierShares
	LaterShares
	// What the line is to the earlier line of the same author that is most about the topic: how much that one is, how many other words
	// both have, whether both have the kind of answer that is asked for, and whether it was said soon after. Echoed is how likely a
	// later line with words of this one corrects or changes something.
	EchoTopic
	EchoWords
	EchoKind
	EchoSoon
	Echoed
	// Recent is the place of the line, from 0 for the earliest to 1 for the latest.
	Recent
	Empty
	// TwoWords is 1 if the clause has at least two words of the topic, TakesBack if the line has words of a correction.
	TwoWords
	TakesBack
	// The line mentions a kind of what is asked for: "which instrument".
	TypeHas
	TypeLacks
	// Unshared is 1 if the line shares nothing with the question, SupposedCue if it has words of a supposition.
	Unshared
	SupposedCue
	// KindHas is how likely the line tells the kind of fact that is asked for about whom the question asks about, KindOther about
	// somebody else, KindDenied denies or replaces it. KindLacks is how much surer the question is of its kind than the line,
	// KindNone how likely the question asks for nothing that anybody told.
	KindHas
	KindOther
	KindLacks
	KindDenied
	KindNone
	// How likely the line is supposed or quoted, small talk, a request, a correction or change, as the trained reader reads it.
	IsSupposed
	IsChat
	IsAsking
	IsCorrection
	// FactsOfOthers is how likely the question is about the asker if the line tells only of others, FactsAny 1 if it tells anything.
	FactsOfOthers
	FactsAny
	// featureCount is the number of features.
	featureCount
)

// Values holds a value or a weight per feature.
type Values [featureCount]float64

func (v *Values) score(w *Values) (sum float64) {
	for f := range v {
		sum += v[f] * w[f]
	}
	return sum
}

// question is a question as its language reads it.
type question struct {
	*language
	tokens   []token
	mentions []concept.Mention
	// topic are the tokens that a line should share, with the sum of their weights.
	topic  []int
	weight float64
	wants  [kinds]bool
	// self reports that the asker asks about themselves.
	self   bool
	people map[concept.Concept]bool
	// asked is which kind of fact is asked for, and about whom.
	asked reader.Question
	// sort is the concept that the answer is a kind of, "which instrument", if sorted.
	sort   concept.Concept
	sorted bool
}

func newQuestion(l *language, said string) question {
	q := question{language: l, tokens: l.tokens(said), people: map[concept.Concept]bool{}, asked: reader.Ask(said)}
	plain := plainsOf(q.tokens)
	cue := make([]bool, len(plain)) // the words that tell which kind of answer is asked for
	for k, ps := range l.asks {
		for _, p := range ps {
			for i := range plain {
				if i+len(p) <= len(plain) && slices.Equal(plain[i:i+len(p)], p) {
					q.wants[k] = true
					for j := range p {
						cue[i+j] = true
					}
				}
			}
		}
	}
	seen := map[string]bool{}
	for i, t := range q.tokens {
		q.self = q.self || l.self[t.plain]
		if !cue[i] && t.content && !l.frame[t.plain] && !seen[t.stem] {
			seen[t.stem] = true
			q.topic = append(q.topic, i)
			q.weight += l.weight(t.stem)
		}
	}
	q.mentions = l.mentions(stemsOf(q.tokens))
	conceptVectors(q.tokens, q.mentions)
	for _, m := range q.mentions {
		if isPerson(m.Concept) {
			q.people[m.Concept] = true
		}
	}
	q.findSort()
	return q
}

// sortReach is how far after "what" or "which" the word may be that the answer is a kind of: "what kind of car", in words.
const sortReach = 3

// findSort finds what the answer is a kind of: what the first word with a concept after "what" or "which" means.
func (q *question) findSort() {
	after := -1
	for i, t := range q.tokens {
		if q.what[t.plain] {
			after = i
			break
		}
	}
	if after < 0 {
		return
	}
	for _, m := range q.mentions {
		if m.From > after && m.From <= after+sortReach && m.Kind == 0 && !q.people[m.Concept] && !q.frame[q.tokens[m.From].plain] {
			q.sort, q.sorted = m.Concept, true
			return
		}
	}
}

// weigh returns the features of one line.
func (q *question) weigh(lines []line, i int) Answer {
	x := &lines[i]
	a := Answer{Line: i}
	v := &a.Values
	v[Any] = 1
	best := q.bestClause(x, &a)
	v[Clause], v[Rest] = best.words, x.shares-best.words
	all := q.conceptsIn(x, clause{0, len(x.tokens)})
	v[Alike] = best.alike
	v[AlikeRest] = max(0, q.alike(x, clause{0, len(x.tokens)})-best.alike)
	v[Concepts], v[ConceptsRest], v[Near] = best.concepts, max(0, all.exact-best.concepts), max(0, all.near)
	q.kinds(x, clause{0, len(x.tokens)}, v)
	q.persons(lines, i, v)
	q.surroundings(lines, i, v)
	q.facts(x, v)
	if strings.HasSuffix(strings.TrimSpace(x.Text), "?") {
		v[IsQuestion] = 1
	}
	if q.sorted {
		v.either(TypeHas, TypeLacks, q.hasKind(x))
	}
	if v[Clause]+v[Rest]+v[Around]+v[Concepts]+v[ConceptsRest]+v[Near] == 0 {
		v[Unshared] = 1
	}
	if x.supposes {
		v[SupposedCue] = 1
	}
	fresh := 0
	content := 0
	for _, t := range x.tokens {
		if t.content {
			content++
			if !q.has(t.stem) && !q.frame[t.plain] {
				fresh++
			}
		}
	}
	v[Adds] = math.Log1p(float64(min(fresh, 6))) / math.Log1p(6)
	if content == 0 {
		v[Empty] = 1
	}
	if len(lines) > 1 {
		v[Recent] = float64(i) / float64(len(lines)-1)
	}
	if best.count >= 2 {
		v[TwoWords] = 1
	}
	if x.takesBack {
		v[TakesBack] = 1
	}
	return a
}

func (q *question) has(stem string) bool {
	for _, i := range q.topic {
		if q.tokens[i].stem == stem {
			return true
		}
	}
	return false
}

// covered returns the share of the topic that something has, by weight.
func (q *question) covered(has func(stem string) bool) float64 {
	if q.weight == 0 {
		return 0
	}
	sum := 0.0
	for _, i := range q.topic {
		if s := q.tokens[i].stem; has(s) {
			sum += q.weightOf(s)
		}
	}
	return sum / q.weight
}

func (q *question) weightOf(stem string) float64 { return q.language.weight(stem) }

// match is what a clause shares with the question.
type match struct {
	clause
	words, concepts, alike float64
	count                  int
}

// bestClause finds the clause that shares most and notes its bounds.
func (q *question) bestClause(x *line, a *Answer) (best match) {
	top := -1.0
	for _, c := range x.clauses {
		m := match{clause: c}
		in := func(stem string) bool { return inClause(x, c, stem) }
		m.words = q.covered(in)
		m.concepts = q.conceptsIn(x, c).exact
		m.alike = q.alike(x, c)
		for _, i := range q.topic {
			if in(q.tokens[i].stem) {
				m.count++
			}
		}
		var v Values
		q.kinds(x, c, &v)
		score := m.words + q.askedIn(x, c) + 0.7*m.concepts + 0.5*m.alike + 0.2*(v[TimeHas]+v[NumberHas]+v[NameHas]+v[PlaceHas])
		if score > top {
			top, best = score, m
		}
	}
	if len(x.tokens) > 0 && len(x.clauses) > 0 {
		a.Start, a.End = x.tokens[best.from].start, x.tokens[best.to-1].end
	}
	return best
}

// alike returns the share of the topic whose words are not in the clause, but words that keep the same company.
func (q *question) alike(x *line, c clause) (sum float64) {
	if q.weight == 0 {
		return 0
	}
	for _, i := range q.topic {
		t := &q.tokens[i]
		if t.vector == 0 || inClause(x, c, t.stem) {
			continue
		}
		most := 0.0
		for _, o := range x.tokens[c.from:c.to] {
			if o.content && o.vector != 0 {
				most = max(most, wordvec.Likeness(t.vector, o.vector))
			}
		}
		sum += q.weightOf(t.stem) / q.weight * min(1, max(0, most-wordvec.LeastAlike)/(wordvec.FullyAlike-wordvec.LeastAlike))
	}
	return sum
}

type sharedConcepts struct{ exact, near float64 }

// conceptsIn returns the share of the topic whose words are not in the clause, but their concepts are.
func (q *question) conceptsIn(x *line, c clause) (s sharedConcepts) {
	if q.weight == 0 {
		return s
	}
	for _, i := range q.topic {
		stem := q.tokens[i].stem
		if inClause(x, c, stem) {
			continue
		}
		exact, near := false, false
		for _, m := range q.mentions {
			if i < m.From || i >= m.To {
				continue
			}
			for _, o := range x.mentions {
				if o.From < c.from || o.To > c.to {
					continue
				}
				if m.Matches(o) {
					exact = true
				} else if isNear(m.Concept, o.Concept) {
					near = true
				}
			}
		}
		switch w := q.weightOf(stem) / q.weight; {
		case exact:
			s.exact += w
		case near:
			s.near += w
		}
	}
	return s
}

func inClause(x *line, c clause, stem string) bool {
	for _, t := range x.tokens[c.from:c.to] {
		if t.stem == stem {
			return true
		}
	}
	return false
}

func isNear(a, b concept.Concept) bool {
	for _, n := range a.Near() {
		if n == b {
			return true
		}
	}
	for _, n := range b.Near() {
		if n == a {
			return true
		}
	}
	return false
}
