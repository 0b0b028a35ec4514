package persona

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
func (cm commander) correctCommand(ctx context.Context, c commandRequest) (commandResult, error) {
	number, text, _ := strings.Cut(c.rest, " ")
	text = strings.TrimSpace(text)
	if id, ok := factNamed(number); ok && text != "" {
		return cm.correctFact(ctx, c, id, text)
	}
	id, ok := memoryNumber(number)
	if !ok || text == "" {
		return commandResult{text: "Say /correct NUMBER and how it should read, such as /correct 12 My dog is called Rex. /memory lists the numbers."}, nil
	}
	m, err := cm.Store.Turns.MemoryFor(ctx, c.hearing, id)
	own, ownErr := cm.isOwn(ctx, c, id)
	if ownErr != nil || own && err != nil {
		return commandResult{}, fmt.Errorf("find memory %d: %w", id, err)
	}
	if !own || m.Origin != model.OriginMessage || len(m.Sources) != 1 {
		return commandResult{text: fmt.Sprintf("Memory %d is nothing that you said here, so you cannot put it right. Tell me what is so, and I go by that.", id)}, nil
	}
	return commandResult{
		text:  fmt.Sprintf("Corrected: memory %d has your new words now, and what I concluded from the old ones is gone.", id),
		apply: cm.correct(correction{id, c.person, text, m.Created}),
	}, nil
}

// correct stores a correction together with the answer that says so.
func (cm commander) correct(t correction) func(context.Context, log.CommandAnswer) error {
	return func(ctx context.Context, answer log.CommandAnswer) error {
		said := channels.Message{Room: answer.Room.Room, Text: t.text, At: t.at}
		return cm.Store.Eraser.CorrectAndAnswer(ctx, cm.Card.Key, t.memory, model.AnnotatedMessage{Message: said, PersonID: t.person.ID},
			func(open []model.Loop) (model.Annotation, []int64) { return cm.reannotate(said, t.person, "", open) }, answer)
	}
}
