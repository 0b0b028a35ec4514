package imports

import (
	"encoding/json"
	"fmt"
	"strings"
)

// texts is a text or a list of texts.
type texts []string

// UnmarshalJSON implements json.Unmarshaler. Items that are no texts are left out.
func (t *texts) UnmarshalJSON(data []byte) error {
	var many []loose
	if len(data) > 0 && data[0] == '[' {
		if err := json.Unmarshal(data, &many); err != nil {
			return err
		}
	} else {
		many = make([]loose, 1)
		if err := many[0].UnmarshalJSON(data); err != nil {
			return err
		}
	}
	for _, m := range many {
		if text := strings.TrimSpace(string(m)); text != "" {
			*t = append(*t, text)
		}
	}
	return nil
}

// elizaLine is a message of an example. Earlier versions say "user" for "name".
type elizaLine struct {
	Name    loose `json:"name"`
	User    loose `json:"user"`
	Content struct {
		Text loose `json:"text"`
	} `json:"content"`
}

// elizaCharacter is what is taken from a character file.
type elizaCharacter struct {
	name                                   string
	system                                 string
	bio, lore, topics, adjectives, knowing texts
	style                                  struct {
		All, Chat texts
	}
	examples [][]elizaLine
}

// readEliza reads a character.json of elizaOS.
func readEliza(r *jsonReader) error {
	var c elizaCharacter
	if err := r.object("the file", func(key string) error { return c.member(r, key) }); err != nil {
		return err
	}
	if c.name == "" {
		return fmt.Errorf("the character has no name: add %q", "name")
	}
	if err := r.persona(c.persona()); err != nil {
		return err
	}
	if err := r.document(Document{Name: "lore of " + c.name, Text: list(c.lore), Markdown: true}); err != nil {
		return err
	}
	return r.document(Document{Name: "knowledge of " + c.name, Text: list(c.knowing), Markdown: true})
}

func (c *elizaCharacter) member(r *jsonReader, key string) error {
	var text loose
	switch key {
	case "name":
		err := r.value(&text)
		c.name = strings.TrimSpace(string(text))
		return err
	case "system":
		err := r.value(&text)
		c.system = strings.TrimSpace(string(text))
		return err
	case "bio":
		return r.value(&c.bio)
	case "lore":
		return r.value(&c.lore)
	case "topics":
		return r.value(&c.topics)
	case "adjectives":
		return r.value(&c.adjectives)
	case "style":
		return r.value(&c.style)
	case "messageExamples":
		return r.value(&c.examples)
	case "knowledge":
		return c.knowledge(r)
	case "postExamples", "settings", "secrets", "plugins", "clients", "clientConfig", "modelProvider", "templates":
		r.sink.Skip("settings and secrets of the other program", 1)
	}
	return r.skip()
}

// knowledge reads texts, and counts the files that the list only names.
func (c *elizaCharacter) knowledge(r *jsonReader) error {
	return r.array("knowledge", func() error {
		var item json.RawMessage
		if err := r.value(&item); err != nil {
			return err
		}
		var text loose
		if err := text.UnmarshalJSON(item); err != nil {
			return err
		}
		if text == "" {
			r.sink.Skip("files of knowledge that are not in this file: add them with `familiar memory ingest`", 1)
		} else {
			c.knowing = append(c.knowing, string(text))
		}
		return nil
	})
}

// persona returns the character as a persona.
func (c *elizaCharacter) persona() Persona {
	p := Persona{Name: c.name}
	about := []string{strings.Join(c.bio, " ")}
	if len(c.topics) > 0 {
		about = append(about, "Likes to talk about "+strings.Join(c.topics, ", ")+".")
	}
	if c.system != "" {
		about = append(about, c.system)
	}
	p.Description = strings.TrimSpace(strings.Join(about, "\n\n"))
	var voice []string
	if len(c.adjectives) > 0 {
		voice = append(voice, "In a few words: "+strings.Join(c.adjectives, ", ")+".")
	}
	voice = append(append(voice, c.style.All...), c.style.Chat...)
	p.Voice = strings.Join(voice, "\n")
	for _, talk := range c.examples {
		for i := 1; i < len(talk); i++ {
			asked, answered := talk[i-1], talk[i]
			if speakerOf(answered) == c.name && speakerOf(asked) != c.name {
				p.Examples = append(p.Examples, Example{Person: string(asked.Content.Text), Persona: string(answered.Content.Text)})
			}
		}
	}
	return p
}

func speakerOf(l elizaLine) string {
	if l.Name != "" {
		return string(l.Name)
	}
	return string(l.User)
}

// list writes texts as a Markdown list, so that each becomes a passage or shares one with its neighbours.
func list(items []string) string {
	var out strings.Builder
	for _, item := range items {
		fmt.Fprintf(&out, "- %s\n\n", strings.Join(strings.Fields(item), " "))
	}
	return out.String()
}
