package imports

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// maxNodes bounds the messages of one conversation tree.
const maxNodes = 200_000

// gptNode is a node of the tree of a ChatGPT conversation.
type gptNode struct {
	Parent  loose       `json:"parent"`
	Message *gptMessage `json:"message"`
}

type gptMessage struct {
	ID     loose `json:"id"`
	Author struct {
		Role loose `json:"role"`
	} `json:"author"`
	Created   moment `json:"create_time"`
	Recipient loose  `json:"recipient"`
	Content   struct {
		Type  loose             `json:"content_type"`
		Parts []json.RawMessage `json:"parts"`
	} `json:"content"`
	Metadata struct {
		Hidden bool `json:"is_visually_hidden_from_conversation"`
	} `json:"metadata"`
}

// gptTree collects one conversation. Its messages are a tree, since answers can be asked for again; what was shown last is the
// path from the root to the current node.
type gptTree struct {
	id, title string
	created   time.Time
	current   string
	parents   map[string]string
	lines     map[string]Line
	newest    string
	bytes     int
}

// readChatGPT reads conversations.json: a list of conversations, or one of them.
func readChatGPT(r *jsonReader) error {
	var tree gptTree
	begin := func() error {
		tree = gptTree{parents: map[string]string{}, lines: map[string]Line{}}
		return nil
	}
	return r.each(func(key string) error { return tree.member(r, key) }, begin, func() error { return tree.end(r) })
}

func (t *gptTree) member(r *jsonReader, key string) error {
	var text loose
	var at moment
	switch key {
	case "id", "conversation_id":
		err := r.value(&text)
		if text != "" {
			t.id = string(text)
		}
		return err
	case "title":
		err := r.value(&text)
		t.title = string(text)
		return err
	case "current_node":
		err := r.value(&text)
		t.current = string(text)
		return err
	case "create_time":
		err := r.value(&at)
		t.created = at.Time
		return err
	case "mapping":
		return r.object("mapping", func(id string) error { return t.node(r, id) })
	}
	return r.skip()
}

// node keeps what is needed of a node.
func (t *gptTree) node(r *jsonReader, id string) error {
	var n gptNode
	if err := r.value(&n); err != nil {
		return err
	}
	if len(t.parents) >= maxNodes {
		return fmt.Errorf("the conversation %q has more than %d messages", t.title, maxNodes)
	}
	t.parents[id] = string(n.Parent)
	m := n.Message
	if m == nil {
		return nil
	}
	text, why := m.text()
	if why != "" {
		r.sink.Skip(why, 1)
		return nil
	}
	if t.bytes += len(text); t.bytes > maxConversation {
		return fmt.Errorf("the conversation %q has more than %d MiB of text", t.title, maxConversation>>20)
	}
	t.lines[id] = Line{ID: id, Own: m.Author.Role == "assistant", Text: text, At: m.Created.Time}
	if newest, ok := t.lines[t.newest]; !ok || !m.Created.Before(newest.At) {
		t.newest = id
	}
	return nil
}

// text returns what the person saw, or why there is nothing.
func (m *gptMessage) text() (text, why string) {
	switch {
	case m.Metadata.Hidden || m.Author.Role == "system":
		return "", "hidden and system messages"
	case m.Author.Role != "user" && m.Author.Role != "assistant", m.Recipient != "" && m.Recipient != "all":
		return "", "tool calls and their results"
	case m.Content.Type != "" && m.Content.Type != "text" && m.Content.Type != "multimodal_text":
		return "", "thoughts, code and other contents that are no talk"
	}
	var parts []string
	for _, raw := range m.Content.Parts {
		var part struct {
			Text loose `json:"text"`
		}
		var said string
		if json.Unmarshal(raw, &said) != nil && json.Unmarshal(raw, &part) == nil {
			said = string(part.Text) // a transcribed voice; a picture has no text
		}
		if strings.TrimSpace(said) != "" {
			parts = append(parts, said)
		}
	}
	if len(parts) == 0 {
		return "", "pictures and messages without text"
	}
	return strings.Join(parts, "\n\n"), ""
}

// end passes on the path to the current node.
func (t *gptTree) end(r *jsonReader) error {
	if len(t.parents) == 0 {
		return nil
	}
	if t.id == "" {
		return errors.New(`a conversation has no "id"`)
	}
	if _, ok := t.parents[t.current]; !ok {
		t.current = t.newest
	}
	var path []string
	for id, steps := t.current, 0; id != "" && steps < len(t.parents); steps++ {
		if _, ok := t.lines[id]; ok {
			path = append(path, id)
		}
		id = t.parents[id]
	}
	if others := len(t.lines) - len(path); others > 0 {
		r.sink.Skip("answers on other branches", others)
	}
	r.begin(t.id, t.title, t.created)
	for i := len(path) - 1; i >= 0; i-- {
		if err := r.say(t.lines[path[i]]); err != nil {
			return err
		}
	}
	return r.emitter.end()
}
