package command

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"familiar/persona/known"
)

// factNumber is how a fact is named in lists and commands: facts and memories are counted apart.
func factNumber(id int64) string { return fmt.Sprintf("f%d", id) }

// factNamed parses "f12" or "F12".
func factNamed(word string) (int64, bool) {
	digits, ok := strings.CutPrefix(strings.ToLower(word), "f")
	id, err := strconv.ParseInt(digits, 10, 64)
	return id, ok && err == nil && id > 0
}

// forgetFact forgets everything of the person's own that a fact rests on.
func (r Runner) forgetFact(ctx context.Context, c call, id int64) (result, error) {
	_, memories, err := r.known().OwnFact(ctx, c.asker(), id)
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
	fact, memories, err := r.known().OwnFact(ctx, c.asker(), id)
	if err != nil || len(memories) == 0 {
		return c.told("correct.nofact", "fact", factNumber(id)), err
	}
	told := memories[len(memories)-1]
	text = known.Reworded(told.Text, c.person.ID, fact, text)
	return result{
		text:  c.say("correct.fact.done", "fact", factNumber(id)),
		apply: r.correct(correction{told.ID, c.person, text, told.Created}),
	}, nil
}
