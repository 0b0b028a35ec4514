package memoryapi

import (
	"context"
	"strings"
	"unicode/utf8"

	"familiar/memory/entry"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/understand"
)

// Note is what the operator tells a persona themselves.
type Note struct {
	Persona string
	// Audience is everybody for lore, private to a person for what is told about them.
	Audience model.Audience
	Text     string
	Sector   model.Sector
	Salience float64
	Pinned   bool
	Tags     []string
	// Supersedes is the note that this one corrects, 0 for none.
	Supersedes int64
}

// Tell stores a note of the operator. Passwords and keys in it are redacted. What is told about a person is analysed like a message
// and believed until they say otherwise.
func (a *API) Tell(ctx context.Context, n Note) (model.Memory, error) {
	text := log.Redact(strings.TrimSpace(model.CleanText(n.Text)))
	switch size := utf8.RuneCountInString(text); {
	case size == 0:
		return model.Memory{}, invalid("the text is empty: say what to remember")
	case size > maxText:
		return model.Memory{}, invalid("the text has %d characters: at most %d are remembered at once", size, maxText)
	case len(n.Tags) > maxTags:
		return model.Memory{}, invalid("%d tags are too many: use at most %d", len(n.Tags), maxTags)
	case !(n.Salience >= 0 && n.Salience <= 1):
		return model.Memory{}, invalid("salience is %v: use 0 to 1", n.Salience)
	}
	told := entry.NewMemory{
		Persona: n.Persona, Audience: n.Audience, Origin: model.OriginOperator, Sector: n.Sector, Text: text, Salience: n.Salience, Pinned: n.Pinned,
		Tags: n.Tags, Supersedes: n.Supersedes,
	}
	if n.Audience.Kind != model.Private {
		return a.Store.Entries.Remember(ctx, told)
	}
	told.About = []int64{n.Audience.Ref}
	reading := understand.Analyze(understand.Utterance{Text: text, At: a.Now().In(a.Zone)})
	return a.Store.Turns.RecordOperatorNote(ctx, told, reading)
}
