package memory

import (
	"slices"
	"strconv"

	"familiar/memory/understand/world"
)

// hopStep is how much the score of each fact on the way lies below that of the one it leads to.
const hopStep = 0.05

// graph is what is believed as facts that lead from one thing to another.
func (b *believed) graph() *world.Graph {
	b.once.Do(func() {
		facts := make([]world.Fact, len(b.beliefs))
		for i, one := range b.beliefs {
			if one.Status == Active {
				facts[i] = world.Fact{Key: b.keys[i], Subject: foldValue(one.Subject), Value: foldValue(one.Value), Relation: one.Relation, Updated: one.Updated}
			}
		}
		b.facts = world.NewGraph(facts)
	})
	return b.facts
}

// link is a step of an answer: a memory, and which of how many it is.
type link struct{ step, of int }

// String is the step as it is shown: "hop 2 of 3".
func (l link) String() string { return "hop " + strconv.Itoa(l.step) + " of " + strconv.Itoa(l.of) }

// follow adds the memories that a question leads to, the one that answers it first. Each is what its belief was last
// heard from, and so in the belief's own audience.
func (f *found) follow(tx *conn, b *believed, r reach, q Query) error {
	if q.WithoutFacts {
		return nil
	}
	self := ""
	if q.Asker != 0 {
		self = subjectKey(q.Asker, "")
	}
	chain := b.graph().Answer(q.Text, self)
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
