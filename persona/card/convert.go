package card

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml"

	"familiar/persona/character"
)

// fromFile is the file of a persona that is made from a character card.
type fromFile struct {
	Name           string    `yaml:"name"`
	Nickname       string    `yaml:"nickname,omitempty"`
	Description    string    `yaml:"description"`
	Personality    string    `yaml:"personality,omitempty"`
	Scenario       string    `yaml:"scenario,omitempty"`
	FirstMessages  []string  `yaml:"first_messages,omitempty"`
	GroupGreetings []string  `yaml:"group_greetings,omitempty"`
	Dialogue       string    `yaml:"example_dialogue,omitempty"`
	SystemPrompt   string    `yaml:"system_prompt,omitempty"`
	PostHistory    string    `yaml:"post_history_instructions,omitempty"`
	AuthorNote     *fromNote `yaml:"author_note,omitempty"`
	Rating         string    `yaml:"rating,omitempty"`
}

type fromNote struct {
	Text  string `yaml:"text"`
	Depth int    `yaml:"depth"`
	Role  string `yaml:"role"`
}

// FromCharacter returns the file of a persona that plays a character. What the file has no place for stays in the card;
// Unmapped names it.
func FromCharacter(key string, c *character.Character) ([]byte, error) {
	f := fromFile{
		Name: oneLine(c.Name), Nickname: oneLine(c.Nickname), Description: tidy(c.Description), Personality: tidy(c.Personality), Scenario: tidy(c.Scenario),
		FirstMessages: tidyEach(c.Greetings()), GroupGreetings: tidyEach(c.GroupOnly), Dialogue: tidy(c.Examples),
		SystemPrompt: tidy(c.SystemPrompt), PostHistory: tidy(c.PostHistory),
	}
	if slices.ContainsFunc(c.Tags, forAdults) {
		f.Rating = ratingAdult
	}
	if n := c.AuthorNote(); tidy(n.Text) != "" {
		f.AuthorNote = &fromNote{tidy(n.Text), n.Depth, n.Role}
	}
	data, err := yaml.MarshalWithOptions(f, yaml.UseLiteralStyleIfMultiline(true), yaml.IndentSequence(true))
	if err == nil && readsAs(key, data, f) {
		return data, nil
	}
	if data, err = quotedYAML(f); err != nil {
		return nil, fmt.Errorf("write the persona %s: %w", key, err)
	}
	if _, err := ParseCard(key+cardExt, data); err != nil {
		return nil, fmt.Errorf("the card does not make a persona: %w", err)
	}
	return data, nil
}

// forAdults reports whether a tag marks a card for adults.
func forAdults(tag string) bool {
	return slices.Contains([]string{"nsfw", "18+", "adult", "mature", "explicit", "r18"}, strings.ToLower(strings.TrimSpace(tag)))
}

// readsAs reports whether a file is read as it was meant.
func readsAs(key string, data []byte, f fromFile) bool {
	c, err := ParseCard(key+cardExt, data)
	if err != nil {
		return false
	}
	s, note := c.Sheet, fromNote{}
	if f.AuthorNote != nil {
		note = *f.AuthorNote
	}
	return c.Name == f.Name && s.Nickname == f.Nickname && c.Description == f.Description && s.Personality == f.Personality && s.Scenario == f.Scenario &&
		slices.Equal(s.FirstMessages, f.FirstMessages) && slices.Equal(s.GroupGreetings, f.GroupGreetings) && s.Dialogue == f.Dialogue &&
		s.SystemPrompt == f.SystemPrompt && s.PostHistory == f.PostHistory && s.Note.Text == note.Text
}

// quotedYAML writes the file with every text in quotes, which YAML reads like JSON.
func quotedYAML(f fromFile) ([]byte, error) {
	var out bytes.Buffer
	for _, line := range []struct {
		key   string
		value any
		empty bool
	}{
		{"name", f.Name, false},
		{"nickname", f.Nickname, f.Nickname == ""},
		{"description", f.Description, false},
		{"personality", f.Personality, f.Personality == ""},
		{"scenario", f.Scenario, f.Scenario == ""},
		{"first_messages", f.FirstMessages, len(f.FirstMessages) == 0},
		{"group_greetings", f.GroupGreetings, len(f.GroupGreetings) == 0},
		{"example_dialogue", f.Dialogue, f.Dialogue == ""},
		{"system_prompt", f.SystemPrompt, f.SystemPrompt == ""},
		{"post_history_instructions", f.PostHistory, f.PostHistory == ""},
		{"rating", f.Rating, f.Rating == ""},
	} {
		if line.empty {
			continue
		}
		value, err := json.Marshal(line.value)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%s: %s\n", line.key, value)
	}
	if n := f.AuthorNote; n != nil {
		text, err := json.Marshal(n.Text)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "author_note:\n  text: %s\n  depth: %d\n  role: %s\n", text, n.Depth, n.Role)
	}
	return out.Bytes(), nil
}

// tidy removes what no file needs: spaces around a text, carriage returns and control characters.
func tidy(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text))
}

func tidyEach(texts []string) (all []string) {
	for _, t := range texts {
		if t = tidy(t); t != "" {
			all = append(all, t)
		}
	}
	return all
}

// oneLine makes a name one line of at most maxName letters.
func oneLine(name string) string {
	runes := []rune(strings.Join(strings.Fields(tidy(name)), " "))
	return strings.TrimSpace(string(runes[:min(len(runes), maxName)]))
}

// ToCharacter returns the character that a persona plays, as the card that it was made from with what was changed since.
// source is nil for a persona that was not made from a card.
func ToCharacter(c *Card, source *character.Character) (*character.Character, error) {
	out, was := &character.Character{Spec: character.V3}, &Card{}
	if source != nil {
		copied := *source
		out = &copied
		text, err := FromCharacter(c.Key, source)
		if err != nil {
			return nil, err
		}
		if was, err = ParseCard(c.Key+cardExt, text); err != nil {
			return nil, err
		}
	}
	set := func(into *string, before, now string) {
		if before != now {
			*into = now
		}
	}
	set(&out.Name, was.Name, c.Name)
	set(&out.Nickname, was.Sheet.Nickname, c.Sheet.Nickname)
	set(&out.Description, was.Description, c.Description)
	set(&out.Personality, was.Sheet.Personality, c.personality())
	set(&out.Scenario, was.Sheet.Scenario, c.Sheet.Scenario)
	set(&out.Examples, was.Sheet.Dialogue, c.dialogues())
	set(&out.SystemPrompt, was.Sheet.SystemPrompt, c.Sheet.SystemPrompt)
	set(&out.PostHistory, was.Sheet.PostHistory, c.Sheet.PostHistory)
	if first := c.openings(); !slices.Equal(was.Sheet.FirstMessages, first) {
		out.FirstMessage, out.Alternates = "", nil
		if len(first) > 0 {
			out.FirstMessage, out.Alternates = first[0], first[1:]
		}
	}
	if !slices.Equal(was.Sheet.GroupGreetings, c.Sheet.GroupGreetings) {
		out.GroupOnly = c.Sheet.GroupGreetings
	}
	if was.Sheet.Note != c.Sheet.Note {
		if err := out.SetAuthorNote(c.Sheet.Note); err != nil {
			return nil, err
		}
	}
	if out.Book = nil; c.Sheet.Lore != nil {
		out.Book = c.Sheet.Lore.Book
	}
	return out, nil
}

// openings returns the first messages, or else the greetings as a card writes them.
func (c *Card) openings() []string {
	if len(c.Sheet.FirstMessages) > 0 {
		return c.Sheet.FirstMessages
	}
	var all []string
	for _, g := range c.Greetings {
		all = append(all, strings.ReplaceAll(g, "{name}", "{{user}}"))
	}
	return all
}

// personality returns the personality with what a card has no field for: traits, values, voice and limits.
func (c *Card) personality() string {
	p := c.Prompt()
	var parts []string
	add := func(label, text string) {
		if text != "" {
			parts = append(parts, label+text)
		}
	}
	add("", c.Sheet.Personality)
	add("Character: ", strings.Join(p.Traits, ", "))
	add("What matters to {{char}}: ", strings.Join(c.Values, "; "))
	add("How {{char}} sounds: ", c.Voice)
	add("Limits: ", strings.Join(c.Boundaries, " "))
	return strings.Join(parts, "\n")
}

// dialogues returns the example dialogues with the examples.
func (c *Card) dialogues() string {
	var b strings.Builder
	for _, e := range c.Examples {
		fmt.Fprintf(&b, "<START>\n{{user}}: %s\n{{char}}: %s\n", e.Person, e.Persona)
	}
	return strings.TrimSpace(b.String() + c.Sheet.Dialogue)
}
