package command

import (
	"context"
	"fmt"
	"strings"
	"time"

	"familiar/channels"
	"familiar/memory/log"
	"familiar/memory/model"
)

// correction is a new text for one of the person's own memories.
type correction struct {
	memory int64
	person model.Person
	text   string
	// at is when the old text was said, which dates in the new one start from.
	at time.Time
}

// correctCommand gives what the person said a new text, as an edit on their network would.
func (r Runner) correctCommand(ctx context.Context, c call) (result, error) {
	number, text, _ := strings.Cut(c.rest, " ")
	text = strings.TrimSpace(text)
	if id, ok := factNamed(number); ok && text != "" {
		return r.correctFact(ctx, c, id, text)
	}
	id, ok := memoryNumber(number)
	if !ok || text == "" {
		return c.told("correct.usage"), nil
	}
	m, err := r.Store.Turns.MemoryFor(ctx, c.hearing, id)
	own, ownErr := r.known().IsOwn(ctx, c.asker(), id)
	if ownErr != nil || own && err != nil {
		return result{}, fmt.Errorf("find memory %d: %w", id, err)
	}
	if !own || m.Origin != model.OriginMessage || len(m.Sources) != 1 {
		return c.told("correct.notyours", "id", id), nil
	}
	return result{
		text:  c.say("correct.done"),
		apply: r.correct(correction{id, c.person, text, m.Created}),
	}, nil
}

// correct stores a correction together with the answer that says so.
func (r Runner) correct(t correction) func(context.Context, log.CommandAnswer) error {
	return func(ctx context.Context, answer log.CommandAnswer) error {
		said := channels.Message{Room: answer.Room.Room, Text: t.text, At: t.at}
		return r.Store.Eraser.CorrectAndAnswer(ctx, r.Card.Key, t.memory, model.AnnotatedMessage{Message: said, PersonID: t.person.ID},
			func(open []model.Loop) (model.Annotation, []int64) {
				return r.Engine.Reannotate(said, t.person, "", open)
			}, answer)
	}
}
