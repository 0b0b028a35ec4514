package card

import (
	"slices"
	"strings"

	"familiar/persona/character"
	"familiar/persona/lore"
	"familiar/persona/macro"
)

// Sheet is what a character card says of a persona beyond Card's own fields. Its texts may hold placeholders (package
// macro), as may the description and the examples.
type Sheet struct {
	// Nickname is what {{char}} stands for, the name if empty.
	Nickname              string
	Personality, Scenario string
	// FirstMessages open a talk: the first greets somebody new, the others those who return if the persona has no
	// greetings. GroupGreetings do so in groups.
	FirstMessages, GroupGreetings []string
	// Dialogue holds example dialogues as character cards write them.
	Dialogue string
	// SystemPrompt are instructions, PostHistory those that stand after the talk.
	SystemPrompt, PostHistory string
	// Note stands within the talk.
	Note character.Note
	// Lore is the lorebook, nil for none.
	Lore *lore.Rules
}

// Directs reports whether the sheet says anything to a model.
func (s *Sheet) Directs() bool {
	return s.Personality+s.Scenario+s.Dialogue+s.SystemPrompt+s.PostHistory+s.Note.Text != "" || len(s.FirstMessages)+len(s.GroupGreetings) > 0 || s.Lore != nil
}

// Called returns what {{char}} stands for.
func (c *Card) Called() string {
	if c.Sheet.Nickname != "" {
		return c.Sheet.Nickname
	}
	return c.Name
}

// Tells reports whether the card's texts have a name.
func (c *Card) Tells(name string) bool {
	texts := []string{c.Description, c.Sheet.Personality, c.Sheet.Scenario}
	if c.Sheet.Lore != nil {
		for i := range c.Sheet.Lore.Book.Entries {
			texts = append(texts, c.Sheet.Lore.Book.Entries[i].Content)
		}
	}
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(name)) })
}

// Filled returns the card with its placeholders filled and the example dialogues among its examples. Filling it again
// changes nothing. Of values, Char is set here.
func (c *Card) Filled(v macro.Values) *Card {
	if c.filled {
		return c
	}
	f := *c
	f.filled = true
	v.Char, v.Description, v.Personality, v.Scenario = c.Called(), "", "", ""
	f.Description = v.Expand(c.Description)
	f.Sheet.Personality, f.Sheet.Scenario = v.Expand(c.Sheet.Personality), v.Expand(c.Sheet.Scenario)
	v.Description, v.Personality, v.Scenario = f.Description, f.Sheet.Personality, f.Sheet.Scenario
	f.Voice = v.Expand(c.Voice)
	f.Sheet.SystemPrompt, f.Sheet.PostHistory, f.Sheet.Note.Text = v.Expand(c.Sheet.SystemPrompt), v.Expand(c.Sheet.PostHistory), v.Expand(c.Sheet.Note.Text)
	f.Sheet.FirstMessages, f.Sheet.GroupGreetings = expandEach(v, c.Sheet.FirstMessages), expandEach(v, c.Sheet.GroupGreetings)
	f.Examples = nil
	for _, e := range slices.Concat(c.Examples, dialogue(c.Sheet.Dialogue, c.Name)) {
		f.Examples = append(f.Examples, Example{strings.TrimSpace(v.Expand(e.Person)), strings.TrimSpace(v.Expand(e.Persona))})
	}
	return &f
}

func expandEach(v macro.Values, texts []string) (all []string) {
	for _, t := range texts {
		if t = strings.TrimSpace(v.Expand(t)); t != "" {
			all = append(all, t)
		}
	}
	return all
}

// dialogue reads example dialogues: speeches that begin with {{user}}: or {{char}}: or the persona's name, in blocks behind
// <START>. Each pair of speeches is an example; a speech that answers nothing has no question.
func dialogue(text, name string) (all []Example) {
	for block := range strings.SplitSeq(startMark.Replace(text), "\x00") {
		var person, persona []string
		speaker := &persona // narration is the persona's
		flush := func() {
			if answer := strings.TrimSpace(strings.Join(persona, "\n")); answer != "" {
				all = append(all, Example{strings.TrimSpace(strings.Join(person, "\n")), answer})
			}
			person, persona = nil, nil
		}
		for line := range strings.Lines(block) {
			said, of := speech(strings.TrimRight(line, "\r\n"), name)
			switch of {
			case "user":
				if len(persona) > 0 {
					flush()
				}
				speaker = &person
			case "char":
				speaker = &persona
			}
			*speaker = append(*speaker, said)
		}
		flush()
	}
	return all
}

var startMark = strings.NewReplacer("<START>", "\x00", "<start>", "\x00", "<Start>", "\x00", "\x00", "")

// speech splits "{{user}}: Hi" into the words and "user" or "char", "" for a line that goes on.
func speech(line, name string) (said, of string) {
	head, rest, ok := strings.Cut(line, ":")
	if !ok {
		return line, ""
	}
	switch head = strings.ToLower(strings.TrimSpace(head)); head {
	case "{{user}}", "<user>", "you":
		return rest, "user"
	case "{{char}}", "<bot>", "<char>", strings.ToLower(name):
		return rest, "char"
	}
	return line, ""
}
