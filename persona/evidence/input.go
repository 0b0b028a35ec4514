package evidence

import (
	"strings"

	"familiar/memory/concept"
	"familiar/memory/understand/sentences"
	"familiar/memory/when"
	"familiar/memory/wordvec"
	"familiar/persona/evidence/network"
)

// What the network sees of a question and its lines.

// longest is how many words of a line the network sees: those around the clause that shares most.
const longest = 120

// askedLongest is how many words of a question the network sees: the last ones, as for the trained reader.
const askedLongest = 40

// The network takes as many features as there are.
var (
	_ [network.LineValues - featureCount]struct{}
	_ [featureCount - network.LineValues]struct{}
)

func flag(is bool) float32 {
	if is {
		return 1
	}
	return 0
}

// input returns a question and lines for the network.
func (q *question) input(lines []line, answers []Answer) *network.Input {
	var given []network.Line
	for _, a := range answers {
		given = append(given, q.lineInput(&lines[a.Line], &a))
	}
	return network.NewInput(q.words(), q.whole(), given)
}

func (q *question) words() (all []network.Word) {
	topic := map[int]bool{}
	for _, i := range q.topic {
		topic[i] = true
	}
	after, found := false, false
	for i, t := range q.tokens {
		after = after || q.what[t.plain]
		w := network.Word{Vector: t.vector, Flags: []float32{
			flag(t.content), flag(t.named), flag(topic[i]), flag(q.what[t.plain]), flag(q.language.self[t.plain]), float32(q.weightOf(t.stem)),
		}}
		if topic[i] {
			w.Topic = float32(q.weightOf(t.stem))
			w.Sort = after && !found
			found = found || after
		}
		all = append(all, w)
	}
	if !found && len(q.topic) > 0 {
		all[q.topic[0]].Sort = true
	}
	return all[max(0, len(all)-askedLongest):]
}

// whole returns the features of the whole question.
func (q *question) whole() []float32 {
	all := make([]float32, 0, network.Wholes)
	for _, w := range q.wants {
		all = append(all, flag(w))
	}
	all = append(all, flag(q.self), flag(q.sorted), flag(len(q.people) > 0), flag(q.tag == "en"))
	all = append(all, q.asked.OfAsker, q.asked.OfPersona, q.asked.OfOther, q.asked.OfNobody, q.asked.Recalls)
	if len(q.asked.Kinds) == 0 {
		return append(all, make([]float32, len(sentences.AskedKinds))...)
	}
	return append(all, q.asked.Kinds...)
}

func (q *question) lineInput(x *line, a *Answer) network.Line {
	values := make([]float32, featureCount)
	for f, v := range a.Values {
		values[f] = float32(v)
	}
	from := a.window(x)
	to := min(len(x.tokens), from+longest)
	l := network.Line{Values: values, Words: make([]network.Word, 0, to-from)}
	spans := when.Find(x.text, x.At)
	for _, c := range x.clauses {
		if c.to <= from || c.from >= to {
			continue
		}
		self, others := q.about(x, c)
		for k := max(c.from, from); k < min(c.to, to); k++ {
			t := &x.tokens[k]
			flags := append(make([]float32, 0, network.LineFlags), flag(k == c.from), flag(t.start >= a.Start && t.end <= a.End), self, others)
			flags = append(flags, flag(k > 0 && q.places[x.tokens[k-1].plain]), float32(min(k, 40))/40, float32(q.weightOf(t.stem)))
			flags = append(flags, flag(inSpan(t, spans)))
			flags = q.wordFlags(flags, t)
			flags = q.meaningFlags(flags, x, k)
			flags = q.factFlags(flags, x, t)
			l.Words = append(l.Words, network.Word{Vector: t.vector, Flags: flags})
		}
	}
	return l
}

// window returns from which word on the network sees a long line.
func (a *Answer) window(x *line) int {
	if len(x.tokens) <= longest {
		return 0
	}
	at := 0
	for at+1 < len(x.tokens) && x.tokens[at].start < a.Start {
		at++
	}
	return max(0, min(at-longest/3, len(x.tokens)-longest))
}

// about reports whether a clause speaks of its author, and of others.
func (q *question) about(x *line, c clause) (self, others float32) {
	for _, t := range x.tokens[c.from:c.to] {
		self, others = max(self, flag(q.language.self[t.plain])), max(others, flag(q.others[t.plain]))
	}
	for _, m := range x.mentions {
		if m.From >= c.from && m.From < c.to && isPerson(m.Concept) {
			others = 1
		}
	}
	return self, others
}

func inSpan(t *token, spans []when.Span) bool {
	for _, s := range spans {
		if t.start >= s.Start && t.end <= s.End {
			return true
		}
	}
	return false
}

// wordFlags appends what a word is by itself.
func (q *question) wordFlags(flags []float32, t *token) []float32 {
	_, used := q.common[t.stem]
	return append(flags, flag(t.content), flag(t.named), flag(t.plain[0] >= '0' && t.plain[0] <= '9'), flag(q.numbers[t.plain]),
		flag(q.has(t.stem)), flag(used))
}

// meaningFlags appends whether a word means a person, what the question means, something near that, or a kind of what is asked for.
func (q *question) meaningFlags(flags []float32, x *line, k int) []float32 {
	var person, exact, near, kind bool
	for _, m := range x.mentions {
		if k < m.From || k >= m.To {
			continue
		}
		person = person || isPerson(m.Concept)
		kind = kind || q.sorted && m.Kind != 0 && (m.Concept == q.sort || isNear(m.Concept, q.sort))
		for _, o := range q.mentions {
			exact = exact || o.Matches(m)
			near = near || isNear(o.Concept, m.Concept)
		}
	}
	return append(flags, flag(person), flag(exact), flag(near), flag(kind))
}

// factFlags appends whether a word belongs to a fact that the trained reader found, of the kind that is asked for, denied or
// replaced, of somebody else.
func (q *question) factFlags(flags []float32, x *line, t *token) []float32 {
	var asked, fact, denied, other float32
	for _, r := range x.readings {
		for _, f := range r.Facts {
			if t.start < f.Start || t.end > f.End {
				continue
			}
			asked, fact = max(asked, float32(q.asked.AskedFor(f.Relation)*f.Sure)), max(fact, float32(f.Sure))
			denied = max(denied, flag(f.Denied || f.Replaced))
			other = max(other, flag(f.SubjectStart != f.SubjectEnd))
		}
	}
	return append(flags, asked, fact, denied, other)
}

// conceptVectors returns the vectors of words in other languages than English: those of the English names of their concepts.
func conceptVectors(tokens []token, mentions []concept.Mention) {
	for _, m := range mentions {
		name, _, _ := strings.Cut(m.Concept.Key(), "_")
		for k := m.From; k < m.To; k++ {
			if tokens[k].vector == 0 {
				tokens[k].vector = wordvec.Find(name)
			}
		}
	}
}
