package command

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"familiar/memory/model"
)

// factNumber is how a fact is named in lists and commands: facts and memories are counted apart.
func factNumber(id int64) string { return fmt.Sprintf("f%d", id) }

// factNamed parses "f12" or "F12".
func factNamed(word string) (int64, bool) {
	digits, ok := strings.CutPrefix(strings.ToLower(word), "f")
	id, err := strconv.ParseInt(digits, 10, 64)
	return id, ok && err == nil && id > 0
}

// ownFact returns the fact with a number, and the person's own memories that it rests on, the latest last. There is no
// fact if the room may not hear it, or if others than the person told it.
func (r Runner) ownFact(ctx context.Context, c call, id int64) (fact model.Belief, memories []model.Memory, err error) {
	facts, err := r.factsOf(ctx, c)
	i := slices.IndexFunc(facts, func(b model.Belief) bool { return b.ID == id })
	if err != nil || i < 0 {
		return model.Belief{}, nil, err
	}
	var said []int64
	for _, e := range facts[i].Evidence {
		if e.AuthorID == c.person.ID && e.Stance > 0 {
			said = append(said, e.MessageID)
		}
	}
	memories, err = r.Store.Recall.MadeOf(ctx, c.hearing, c.person.ID, said)
	return facts[i], memories, err
}

// forgetFact forgets everything of the person's own that a fact rests on.
func (r Runner) forgetFact(ctx context.Context, c call, id int64) (result, error) {
	_, memories, err := r.ownFact(ctx, c, id)
	if err != nil || len(memories) == 0 {
		return c.told("forget.nofact", "fact", factNumber(id)), err
	}
	if len(memories) == 1 {
		return r.forgetNumber(ctx, c, memories[0].ID)
	}
	return r.propose(ctx, c, memories)
}

// correctFact puts a fact right in the message that told it last: its words for the fact become the new ones.
func (r Runner) correctFact(ctx context.Context, c call, id int64, text string) (result, error) {
	fact, memories, err := r.ownFact(ctx, c, id)
	if err != nil || len(memories) == 0 {
		return c.told("correct.nofact", "fact", factNumber(id)), err
	}
	told := memories[len(memories)-1]
	for _, e := range fact.Evidence {
		if e.AuthorID == c.person.ID && e.Stance > 0 && e.Quote != "" && strings.Contains(told.Text, e.Quote) {
			text = strings.Replace(told.Text, e.Quote, strings.TrimRight(text, "."), 1)
			break
		}
	}
	return result{
		text:  c.say("correct.fact.done", "fact", factNumber(id)),
		apply: r.correct(correction{told.ID, c.person, text, told.Created}),
	}, nil
}
