package recall

import (
	"slices"

	"familiar/memory/belief"
	"familiar/memory/internal/db"
	"familiar/memory/model"
	"familiar/memory/understand/english"
)

// follow adds the memories that answer the question by following beliefs from fact to fact, the answer first. Each
// memory is the message in which its belief was last heard, so its audience is the belief's own.
func (f *rankState) follow(tx *db.Tx, b *belief.VisibleBeliefs, r scopeSet, q Query) error {
	if q.WithoutFacts || !english.Asks(q.Text) { // the graph answers nothing else, and need not be built for it
		return nil
	}
	self := ""
	if q.Asker != 0 {
		self = model.SubjectKey(q.Asker, "")
	}
	chain := b.Graph().Answer(q.Text, self)
	if len(chain) == 0 || len(chain) == 1 && b.Beliefs[chain[0]].SubjectPerson != 0 {
		return nil // what people say about themselves is better found by the words of the question
	}
	links := make([]model.Belief, len(chain))
	for i, at := range chain {
		links[i] = b.Beliefs[at]
	}
	if err := b.AddEvidence(tx, links); err != nil {
		return err
	}
	for i, one := range slices.Backward(links) {
		scope := slices.IndexFunc(r.at, func(a model.ScopeRevision) bool { return a.Audience == one.Audience })
		if scope < 0 {
			continue
		}
		if c, ok := r.scopes[scope].messageCandidate(scope, latestFor(one), f.skip); ok {
			if indexOf(f.chain, c.id) >= 0 {
				continue // one message said both
			}
			c.hop = belief.Hop{Step: i + 1, Of: len(links)}
			f.chain = append(f.chain, c)
		}
	}
	return nil
}

// latestFor returns the last message that supports a belief, 0 for none.
func latestFor(b model.Belief) (message int64) {
	for _, e := range b.Evidence {
		if e.Stance > 0 {
			message = max(message, e.MessageID)
		}
	}
	return message
}

// messageCandidate returns the candidate for a message, unless it is skipped.
func (x *scopeIndex) messageCandidate(scope int, message int64, skip func(scope, ordinal int) bool) (candidate, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for o, e := range slices.Backward(x.entries) {
		if e.message == message && message != 0 && e.memory != 0 {
			return x.candidate(scope, o), !skip(scope, o)
		}
	}
	return candidate{}, false
}
