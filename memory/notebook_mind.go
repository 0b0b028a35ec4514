package memory

import (
	"context"
	"fmt"
	"math"
	"slices"

	"familiar/memory/belief"
	"familiar/memory/internal/db"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
)

// Correct replaces the value of a belief of this notebook, as if the owner had said so: the old value stays as history. It
// fails with ErrNotFound if no active belief that may be known here has the id.
func (n *Notebook) Correct(ctx context.Context, id int64, value string) (model.Memory, error) {
	known, err := n.Beliefs(ctx, belief.Filter{Limit: math.MaxInt32})
	if err != nil {
		return model.Memory{}, err
	}
	at := slices.IndexFunc(known, func(b model.Belief) bool { return b.ID == id })
	if at < 0 {
		return model.Memory{}, fmt.Errorf("correct belief %d: %w", id, db.ErrNotFound)
	}
	b := known[at]
	subject := b.Subject
	if b.SubjectPerson == n.person.ID {
		subject = ""
	}
	return n.Believe(ctx, subject, b.Relation, value)
}

// Session returns what was said in a session of this notebook, oldest first, with the persona's answers; the latest
// session if id is 0. It fails with ErrNotFound if the notebook has no such session.
func (n *Notebook) Session(ctx context.Context, id int64) ([]model.Message, error) {
	s, err := n.store.Turns.LatestSession(ctx, n.owner.Persona, n.room.ID)
	if err == nil && id != 0 {
		s, err = n.store.Turns.Session(ctx, id)
	}
	if err == nil && (s.Persona != n.owner.Persona || s.RoomID != n.room.ID) {
		err = fmt.Errorf("read session %d: %w", id, db.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return n.store.Turns.SessionMessages(ctx, s.ID)
}

// concludedSalience is the salience of a conclusion.
const concludedSalience = 0.7

// Conclude stores what the program concludes from memories of this notebook, for example a pattern that it or its model
// sees in them, and returns it. It is recalled like other memories, in the reflective sector, but is never evidence, and
// goes when its sources are forgotten. A conclusion that says what an earlier one says stores nothing and returns the zero
// Memory. It fails for memories that nobody said or that this notebook does not know. Nothing concludes by itself: call it
// when and as often as you like.
func (n *Notebook) Conclude(ctx context.Context, text string, from ...int64) (model.Memory, error) {
	in := lifecycle.Inference{
		Audience: n.Audience(), Kind: model.Observation, Sector: model.Reflective, Text: text, Salience: concludedSalience,
	}
	if n.person.ID != 0 {
		in.About = []int64{n.person.ID}
	}
	h, err := n.Visibility(ctx)
	if err != nil {
		return model.Memory{}, err
	}
	for _, id := range from {
		m, err := n.store.Turns.MemoryFor(ctx, h, id)
		if err != nil {
			return model.Memory{}, fmt.Errorf("conclude from memory %d: %w", id, err)
		}
		in.Sources = append(in.Sources, m.Sources...)
	}
	done, err := n.store.Lifecycle.Infer(ctx, n.owner.Persona, 0, []lifecycle.Inference{in})
	if err != nil {
		return model.Memory{}, err
	}
	for why := range done.Rejected {
		return model.Memory{}, fmt.Errorf("conclude for %s: it cannot be stored: %s", n.owner.Persona, why)
	}
	if done.IDs[0] == 0 {
		return model.Memory{}, nil
	}
	return n.store.Entries.Memory(ctx, done.IDs[0])
}
