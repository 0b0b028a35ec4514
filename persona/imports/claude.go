package imports

import (
	"errors"
	"fmt"
	"strings"
)

// claudeMessage is one message of a Claude conversation.
type claudeMessage struct {
	ID      loose  `json:"uuid"`
	Sender  loose  `json:"sender"`
	Text    loose  `json:"text"`
	Created moment `json:"created_at"`
	Content []struct {
		Type loose `json:"type"`
		Text loose `json:"text"`
	} `json:"content"`
	Attachments []struct{} `json:"attachments"`
	Files       []struct{} `json:"files"`
}

// claudeTalk collects one conversation: its id may come after its messages.
type claudeTalk struct {
	id, title string
	created   moment
	lines     []Line
	bytes     int
}

// readClaude reads conversations.json: a list of conversations, or one of them.
func readClaude(r *jsonReader) error {
	var talk claudeTalk
	begin := func() error { talk = claudeTalk{}; return nil }
	return r.each(func(key string) error { return talk.member(r, key) }, begin, func() error { return talk.end(r) })
}

func (t *claudeTalk) member(r *jsonReader, key string) error {
	var text loose
	switch key {
	case "uuid":
		err := r.value(&text)
		t.id = string(text)
		return err
	case "name":
		err := r.value(&text)
		t.title = string(text)
		return err
	case "created_at":
		return r.value(&t.created)
	case "chat_messages":
		return r.array("chat_messages", func() error { return t.message(r) })
	}
	return r.skip()
}

func (t *claudeTalk) message(r *jsonReader) error {
	var m claudeMessage
	if err := r.value(&m); err != nil {
		return err
	}
	if n := len(m.Attachments) + len(m.Files); n > 0 {
		r.sink.Skip("attached files", n)
	}
	if m.Sender != "human" && m.Sender != "assistant" {
		r.sink.Skip("messages of neither the person nor the assistant", 1)
		return nil
	}
	text := m.said()
	if t.bytes += len(text); t.bytes > maxConversation {
		return fmt.Errorf("the conversation %q has more than %d MiB of text", t.title, maxConversation>>20)
	}
	t.lines = append(t.lines, Line{ID: string(m.ID), Own: m.Sender == "assistant", Text: text, At: m.Created.Time})
	return nil
}

// said returns the texts of the message's parts. "text" has them all in one, with marks for tools in between.
func (m *claudeMessage) said() string {
	var parts []string
	for _, c := range m.Content {
		if c.Type == "text" && c.Text != "" {
			parts = append(parts, string(c.Text))
		}
	}
	if len(parts) == 0 {
		return string(m.Text)
	}
	return strings.Join(parts, "\n\n")
}

func (t *claudeTalk) end(r *jsonReader) error {
	if len(t.lines) == 0 {
		return nil
	}
	if t.id == "" {
		return errors.New(`a conversation has no "uuid"`)
	}
	r.begin(t.id, t.title, t.created.Time)
	for _, l := range t.lines {
		if err := r.say(l); err != nil {
			return err
		}
	}
	return r.emitter.end()
}
