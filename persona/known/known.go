// Package known is what a persona knows of somebody, as this person may see and change it: with commands in a chat, and on a page of
// their own. Nothing here shows what the person may not hear where they ask, or changes what others said.
package known

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand/rel"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// most is how many facts and memories are read at most.
const most = 500

// Engine is what reading and changing needs of the persona's engine.
type Engine interface {
	// EmbedQuery returns the query embedding of what the person called asker asks, nil if there is none.
	EmbedQuery(ctx context.Context, asker, text string) *recall.QueryEmbedding
	// Reannotate analyzes a message as a turn would have done and finds the open loops that it answers. before is the
	// persona's message right before it.
	Reannotate(m channels.Message, person model.Person, before string, open []model.Loop) (model.Annotation, []int64)
}

// Reader reads what one persona knows.
type Reader struct {
	Store  *memory.Store
	Engine Engine
	// WithoutFacts says that the persona takes no facts about the world from what is said.
	WithoutFacts bool
	// Zone is used for people whose timezone is unknown.
	Zone *time.Location
	Now  func() time.Time
}

// Asker is who asks, and what they may hear where they ask.
type Asker struct {
	Person  model.Person
	Hearing memory.Visibility
}

// Facts returns what is believed about the person, and about what they spoke of, that they may hear.
func (r Reader) Facts(ctx context.Context, a Asker) ([]model.Belief, error) {
	facts, err := r.Store.Beliefs.Beliefs(ctx, a.Hearing, belief.Filter{Limit: most})
	return slices.DeleteFunc(slices.Clone(facts), func(b model.Belief) bool {
		return b.SubjectPerson != a.Person.ID && (b.SubjectPerson != 0 || b.AuthorID != a.Person.ID)
	}), err
}

// OwnFact returns the fact with a number, and the person's own memories that it rests on, the latest last. There is no fact if they may
// not hear it, and there are no memories if others than the person told it.
func (r Reader) OwnFact(ctx context.Context, a Asker, id int64) (fact model.Belief, memories []model.Memory, err error) {
	facts, err := r.Facts(ctx, a)
	i := slices.IndexFunc(facts, func(b model.Belief) bool { return b.ID == id })
	if err != nil || i < 0 {
		return model.Belief{}, nil, err
	}
	var said []int64
	for _, e := range facts[i].Evidence {
		if e.AuthorID == a.Person.ID && e.Stance > 0 {
			said = append(said, e.MessageID)
		}
	}
	memories, err = r.Store.Recall.MadeOf(ctx, a.Hearing, a.Person.ID, said)
	return facts[i], memories, err
}

// FactText returns a fact in words.
func FactText(b model.Belief) string {
	if b.Sentence != "" {
		return b.Sentence
	}
	return rel.Describe(b.Subject, b.Relation, b.Value)
}

// Reworded returns a message of a person's in which a fact of theirs has new words: those for the fact, or all of it where these are
// not found.
func Reworded(said string, person int64, fact model.Belief, text string) string {
	for _, e := range fact.Evidence {
		if e.AuthorID == person && e.Stance > 0 && e.Quote != "" && strings.Contains(said, e.Quote) {
			return strings.Replace(said, e.Quote, strings.TrimRight(text, "."), 1)
		}
	}
	return text
}

// Portrait returns the portrait of the person where nobody else hears it: only they read it. They correct it by saying what is so,
// or forget it.
func (r Reader) Portrait(ctx context.Context, a Asker) ([]model.Memory, error) {
	if !a.Hearing.Room().Direct {
		return nil, nil
	}
	drawn, err := r.Store.Lifecycle.InferencesAbout(ctx, a.Hearing, a.Person.ID, model.Portrait, 1)
	return slices.DeleteFunc(drawn, func(m model.Memory) bool { return m.Audience.Kind != model.Private }), err
}

// Memories returns the memories that the person may hear and that tell something, salient ones first. capped reports that there
// may be more.
func (r Reader) Memories(ctx context.Context, a Asker) (memories []model.Memory, capped bool, err error) {
	all, err := r.Store.Recall.MemoriesFor(ctx, a.Hearing, most)
	if err != nil {
		return nil, false, err
	}
	capped = len(all) == most
	memories, err = r.statements(ctx, all)
	return memories, capped, err
}

// About returns the facts and memories that words find. capped reports that there may be more memories, of which at most limit are
// looked at.
func (r Reader) About(ctx context.Context, a Asker, about string, limit int) (facts []model.Belief, memories []model.Memory, capped bool, err error) {
	about = words.Cut(about, scene.QueryLimit)
	if facts, err = r.Facts(ctx, a); err != nil {
		return nil, nil, false, err
	}
	asked := words.Content(about)
	facts = slices.DeleteFunc(facts, func(b model.Belief) bool { return words.SharedWith(asked, FactText(b)) == 0 })
	recalled, err := r.recalled(ctx, a, about, limit)
	if err != nil {
		return nil, nil, false, err
	}
	memories, err = r.statements(ctx, strong(recalled))
	return facts, memories, len(recalled.Hits) == limit, err
}

// recalled returns what words recall where the person asks.
func (r Reader) recalled(ctx context.Context, a Asker, about string, limit int) (recall.Result, error) {
	about = words.Cut(about, scene.QueryLimit)
	return r.Store.Recall.Find(ctx, a.Hearing, recall.Query{
		Text: about, Near: r.Engine.EmbedQuery(ctx, a.Person.Name, about), Asker: a.Person.ID, Now: r.Now().In(a.Person.Location(r.Zone)),
		Limit: limit, WithoutFacts: r.WithoutFacts,
	})
}

// strong returns the memories of the hits that are not weak.
func strong(found recall.Result) (memories []model.Memory) {
	for _, hit := range found.Hits {
		if !hit.Weak {
			memories = append(memories, hit.Memory)
		}
	}
	return memories
}

// Said returns what the person said themselves of what words recall.
func (r Reader) Said(ctx context.Context, a Asker, about string, limit int) (found []model.Memory, err error) {
	recalled, err := r.recalled(ctx, a, about, limit)
	return slices.DeleteFunc(strong(recalled), func(m model.Memory) bool {
		return m.Origin != model.OriginMessage || m.AuthorID != a.Person.ID
	}), err
}

// statements leaves out messages that only ask something or greet: they tell nothing about anybody.
func (r Reader) statements(ctx context.Context, memories []model.Memory) ([]model.Memory, error) {
	if err := r.Store.Entries.FillAnalyses(ctx, memories, func(model.Memory) bool { return true }); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(memories, func(m model.Memory) bool {
		if m.Origin != model.OriginMessage {
			return false
		}
		read, ok := m.Stored.Current()
		asks := words.AsksOnly(m.Text) || ok && read.Question != nil && len(words.Sentences(m.Text)) == 1
		return ok && len(read.Claims) == 0 && (asks || read.Phatic) || !ok && asks
	}), nil
}

// IsOwn reports whether a memory is one that the person may forget where they ask: their own statement, or their portrait, that
// they may hear there.
func (r Reader) IsOwn(ctx context.Context, a Asker, id int64) (bool, error) {
	m, err := r.Store.Turns.MemoryFor(ctx, a.Hearing, id)
	if errors.Is(err, memory.ErrNotFound) {
		return false, nil
	}
	return m.AuthorID == a.Person.ID || m.Kind == model.Portrait && a.Hearing.Room().Direct && m.Audience.Kind == model.Private, err
}

// Correctable returns the memory with a number if it is what the person said in one message, and they may hear it where they ask. It fails
// with ErrNotFound otherwise.
func (r Reader) Correctable(ctx context.Context, a Asker, id int64) (model.Memory, error) {
	m, err := r.Store.Turns.MemoryFor(ctx, a.Hearing, id)
	if err != nil {
		return model.Memory{}, fmt.Errorf("find memory %d: %w", id, err)
	}
	if m.AuthorID != a.Person.ID || m.Origin != model.OriginMessage || len(m.Sources) != 1 {
		return model.Memory{}, fmt.Errorf("memory %d is not what person %d said: %w", id, a.Person.ID, memory.ErrNotFound)
	}
	return m, nil
}
