package personas

import (
	"familiar/memory/model"
	"familiar/persona/card"
)

// cardView is a persona as --json shows it.
type cardView struct {
	Key         string                   `json:"key"`
	File        string                   `json:"file"`
	Name        string                   `json:"name"`
	Description string                   `json:"description"`
	Traits      []traitView              `json:"traits"`
	Values      []string                 `json:"values"`
	Voice       string                   `json:"voice"`
	Boundaries  []string                 `json:"boundaries"`
	Greetings   []string                 `json:"greetings"`
	Interests   []string                 `json:"interests,omitempty"`
	Examples    []exampleView            `json:"examples"`
	Sectors     map[model.Sector]float64 `json:"sectors"`
	Fading      model.Rates              `json:"fading"`
	Timezone    string                   `json:"timezone,omitempty"`
	Language    string                   `json:"language"`
	WorldFacts  bool                     `json:"world_facts"`
	Sheet       *sheetView               `json:"sheet,omitempty"`
}

// sheetView is what a character card adds.
type sheetView struct {
	Nickname       string   `json:"nickname,omitempty"`
	Personality    string   `json:"personality,omitempty"`
	Scenario       string   `json:"scenario,omitempty"`
	FirstMessages  []string `json:"first_messages,omitempty"`
	GroupGreetings []string `json:"group_greetings,omitempty"`
	Dialogue       string   `json:"example_dialogue,omitempty"`
	SystemPrompt   string   `json:"system_prompt,omitempty"`
	PostHistory    string   `json:"post_history_instructions,omitempty"`
	AuthorNote     string   `json:"author_note,omitempty"`
	NoteDepth      int      `json:"author_note_depth,omitempty"`
}

type traitView struct {
	Name     string  `json:"name"`
	Strength float64 `json:"strength"`
}

type exampleView struct {
	Person  string `json:"person"`
	Persona string `json:"persona"`
}

func showCard(c *card.Card, file string) cardView {
	v := cardView{
		Key: c.Key, File: file, Name: c.Name, Description: c.Description, Values: c.Values, Voice: c.Voice,
		Boundaries: c.Boundaries, Greetings: c.Greetings, Interests: c.Interests, Sectors: c.Sectors, Fading: c.Rates.WithDefaults(), Language: c.Language, WorldFacts: !c.WithoutFacts,
	}
	for _, t := range c.Traits {
		v.Traits = append(v.Traits, traitView(t))
	}
	for _, e := range c.Examples {
		v.Examples = append(v.Examples, exampleView(e))
	}
	if s := &c.Sheet; s.Directs() {
		v.Sheet = &sheetView{
			s.Nickname, s.Personality, s.Scenario, s.FirstMessages, s.GroupGreetings, s.Dialogue, s.SystemPrompt, s.PostHistory, s.Note.Text, s.Note.Depth,
		}
	}
	if c.Zone != nil {
		v.Timezone = c.Zone.String()
	}
	return v
}
