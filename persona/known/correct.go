package known

import (
	"context"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/model"
)

// Correction is a new text for what somebody said.
type Correction struct {
	Persona string
	// Message is the message, Person who said it.
	Message int64
	Person  model.Person
	Text    string
	// At is when the old text was said, which dates in the new one start from.
	At time.Time
}

// Correct gives a message a new text, as an edit on its network would, and returns the text it had. It fails with ErrNotFound unless the
// person said it and it was not forgotten.
func Correct(ctx context.Context, store *memory.Store, engine Engine, c Correction) (was string, err error) {
	said := channels.Message{Text: c.Text, At: c.At}
	return store.Eraser.Correct(ctx, c.Persona, c.Message, model.AnnotatedMessage{Message: said, PersonID: c.Person.ID},
		func(open []model.Loop) (model.Annotation, []int64) {
			return engine.Reannotate(said, c.Person, "", open)
		})
}
