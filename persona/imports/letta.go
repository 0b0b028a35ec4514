package imports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// lettaBlock is a block of an agent's memory.
type lettaBlock struct {
	ID    loose `json:"id"`
	Label loose `json:"label"`
	Value loose `json:"value"`
}

// lettaMessage is a message of an agent. The content is a text or a list of parts.
type lettaMessage struct {
	ID      loose           `json:"id"`
	Role    loose           `json:"role"`
	Text    loose           `json:"text"`
	Content json.RawMessage `json:"content"`
	Created moment          `json:"created_at"`
	Calls   []struct {
		Function struct {
			Name      loose `json:"name"`
			Arguments loose `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// lettaPassage is an entry of the archival memory.
type lettaPassage struct {
	Text loose `json:"text"`
}

// lettaAgent is one agent while it is read.
type lettaAgent struct {
	id, name, about string
	blocks          []lettaBlock
	blockIDs        texts
	lines           []Line
	bytes           int
	passages        []string
}

// lettaFile is what is kept of an agent file.
type lettaFile struct {
	*jsonReader
	agents []*lettaAgent
	blocks []lettaBlock
}

// readLetta reads an agent file: the present form has lists of agents and blocks, the earlier one is a single agent.
func readLetta(r *jsonReader) error {
	f := &lettaFile{jsonReader: r}
	alone := &lettaAgent{}
	err := r.object("the file", func(key string) error {
		switch key {
		case "agents":
			return r.array(key, f.agent)
		case "blocks":
			return r.value(&f.blocks)
		}
		return f.member(alone, key)
	})
	if err != nil {
		return err
	}
	switch {
	case len(f.agents) == 0:
		f.agents = append(f.agents, alone)
	default: // some programs keep the archive beside the agents
		f.agents[0].passages = append(f.agents[0].passages, alone.passages...)
	}
	if len(f.agents) > 1 {
		return fmt.Errorf("the file has %d agents: export each into a file of its own", len(f.agents))
	}
	return f.pass(f.agents[0])
}

func (f *lettaFile) agent() error {
	a := &lettaAgent{}
	f.agents = append(f.agents, a)
	return f.object("an agent", func(key string) error { return f.member(a, key) })
}

func (f *lettaFile) member(a *lettaAgent, key string) error {
	var text loose
	switch key {
	case "id":
		err := f.value(&text)
		a.id = string(text)
		return err
	case "name":
		err := f.value(&text)
		a.name = strings.TrimSpace(string(text))
		return err
	case "description":
		err := f.value(&text)
		a.about = strings.TrimSpace(string(text))
		return err
	case "core_memory", "memory_blocks":
		var blocks []lettaBlock
		err := f.value(&blocks)
		a.blocks = append(a.blocks, blocks...)
		return err
	case "block_ids":
		return f.value(&a.blockIDs)
	case "messages":
		return f.array(key, func() error { return f.message(a) })
	case "passages", "archival_memory", "archival_passages":
		return f.array(key, func() error { return f.passage(a) })
	case "tools", "sources", "files":
		return f.array(key, func() error { f.sink.Skip("tools, sources and files of the agent", 1); return f.skip() })
	}
	return f.skip()
}

func (f *lettaFile) passage(a *lettaAgent) error {
	var p lettaPassage
	if err := f.value(&p); err != nil {
		return err
	}
	if a.bytes += len(p.Text); a.bytes > maxConversation {
		return fmt.Errorf("the agent's memory has more than %d MiB of text", maxConversation>>20)
	}
	a.passages = append(a.passages, string(p.Text))
	return nil
}

func (f *lettaFile) message(a *lettaAgent) error {
	var m lettaMessage
	if err := f.value(&m); err != nil {
		return err
	}
	text := m.said()
	if text == "" {
		f.sink.Skip("system messages, thoughts and tool calls", 1)
		return nil
	}
	if a.bytes += len(text); a.bytes > maxConversation {
		return fmt.Errorf("the agent's memory has more than %d MiB of text", maxConversation>>20)
	}
	a.lines = append(a.lines, Line{ID: string(m.ID), Own: m.Role == "assistant", Text: text, At: m.Created.Time})
	return nil
}

// said returns what the person or the agent said to the other, "" for everything else.
func (m *lettaMessage) said() string {
	switch m.Role {
	case "user":
		return unpacked(m.body())
	case "assistant":
		for _, c := range m.Calls {
			if c.Function.Name == "send_message" { // earlier agents speak by calling a tool, and think aloud in the content
				return unpacked(string(c.Function.Arguments))
			}
		}
		if len(m.Calls) == 0 {
			return strings.TrimSpace(m.body())
		}
	}
	return ""
}

// body returns the text of the message.
func (m *lettaMessage) body() string {
	var parts []struct {
		Type loose `json:"type"`
		Text loose `json:"text"`
	}
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return cmp.Or(text, string(m.Text))
	}
	var said []string
	if json.Unmarshal(m.Content, &parts) == nil {
		for _, p := range parts {
			if p.Type == "text" || p.Type == "" {
				said = append(said, string(p.Text))
			}
		}
	}
	return cmp.Or(strings.Join(said, "\n"), string(m.Text))
}

// unpacked returns the message in a JSON envelope, or the text itself. Envelopes of other kinds, such as the heartbeats that
// the program sends in the person's place, hold nothing that was said.
func unpacked(text string) string {
	var envelope struct {
		Type    loose  `json:"type"`
		Message *loose `json:"message"`
	}
	if json.Unmarshal([]byte(text), &envelope) != nil {
		return strings.TrimSpace(text)
	}
	if envelope.Message == nil || envelope.Type != "" && envelope.Type != "user_message" {
		return ""
	}
	return strings.TrimSpace(string(*envelope.Message))
}

// pass passes on the agent: its persona block, what its other blocks and its archive hold, and its talk.
func (f *lettaFile) pass(a *lettaAgent) error {
	if a.name == "" {
		return fmt.Errorf("the agent has no name: add %q", "name")
	}
	persona := Persona{Name: a.name, Description: a.about}
	var others []lettaBlock
	for _, b := range append(a.blocks, f.blocks...) {
		switch {
		case len(a.blockIDs) > 0 && b.ID != "" && !slices.Contains(a.blockIDs, string(b.ID)):
		case b.Label == "persona":
			persona.Description = strings.TrimSpace(string(b.Value))
		default:
			others = append(others, b)
		}
	}
	if err := f.persona(persona); err != nil {
		return err
	}
	for _, b := range others {
		if err := f.document(Document{Name: cmp.Or(string(b.Label), "notes") + " of " + a.name, Text: string(b.Value), Private: true}); err != nil {
			return err
		}
	}
	if err := f.document(Document{Name: "archive of " + a.name, Text: list(a.passages), Markdown: true, Private: true}); err != nil {
		return err
	}
	f.begin(a.name+"/"+cmp.Or(a.id, "agent"), "chat with "+a.name, f.fallback)
	for _, l := range a.lines {
		if err := f.say(l); err != nil {
			return err
		}
	}
	return f.end()
}
