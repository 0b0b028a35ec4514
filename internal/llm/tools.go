package llm

import (
	"encoding/json"
	"fmt"
	"strings"

	"familiar/internal/lazyregexp"
	"familiar/prompts"
)

// Tools are sent and read here, on the wire, in each provider's format: langchaingo has none for ollama, mixes streamed
// calls into the text for openai, and fails on arguments that are no JSON for anthropic.

// name identifies the model for rounds: thoughts and calls go back unchanged only to where they came from.
func (s Settings) name() string { return s.Provider + " " + s.BaseURL + " " + s.Model }

// Can returns what the model may be asked. It changes when the model refuses something.
func (c *Client) Can() prompts.Abilities {
	c.manners.mu.Lock()
	defer c.manners.mu.Unlock()
	return prompts.Abilities{
		Tools:  !c.settings.NoTools && !c.manners.dropped[toolsField],
		Images: !c.settings.NoImages && (c.settings.Images || !c.manners.noImages),
	}
}

// The fields of tools.
const (
	toolsField  = "tools"
	choiceField = "tool_choice"
)

// toolsUnready is said by servers that fail, rather than refuse, because tools are not set up.
var toolsUnready = lazyregexp.New(`(?i)\btools?\b[^.]{0,60}(requires?|supported|enabled?|jinja)|(requires?|supports?|enabled?)[^.]{0,60}\btools?\b`)

// learnUnready learns from a failure that the model takes no tools, or no pictures. It reports whether the next request
// will be without.
func (m *manners) learnUnready(r refusal, body fields) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if body.hasImages() && imagesRefused.MatchString(r.text) {
		m.noImages = true
		return true
	}
	if body[toolsField] == nil || !toolsUnready.MatchString(r.text) {
		return false
	}
	m.dropped[toolsField] = true
	return true
}

// suited returns a prompt in the form that the model takes.
func (c *Client) suited(p prompts.Prompt) prompts.Prompt {
	can := c.Can()
	if len(p.Tools) > 0 && !can.Tools {
		p = p.WithoutTools()
	}
	if len(p.Images) > 0 && !can.Images {
		p = p.WithoutImages()
	}
	return p
}

// addTools adds the tools and rounds of a prompt to the body of its request.
func (f fields) addTools(s Settings, p prompts.Prompt) {
	if len(p.Tools) == 0 {
		return
	}
	if f.hasInput() {
		f.addInputTools(p)
		return
	}
	if !p.NoCalls || s.Provider != "ollama" { // which knows no other way to forbid calls
		f[toolsField] = encoded(toolsFor(s.Provider, p.Tools))
	}
	switch {
	case !p.NoCalls:
	case s.Provider == "anthropic":
		f[choiceField] = json.RawMessage(`{"type":"none"}`)
	case s.Provider != "ollama":
		f[choiceField] = json.RawMessage(`"none"`)
	}
	var messages []json.RawMessage
	if len(p.Rounds) == 0 || json.Unmarshal(f["messages"], &messages) != nil {
		return
	}
	for i, r := range p.Rounds {
		messages = append(messages, roundFor(s, i, r)...)
	}
	f["messages"] = encoded(messages)
}

func toolsFor(provider string, tools []prompts.Tool) (all []map[string]any) {
	for _, t := range tools {
		if provider == "anthropic" {
			all = append(all, map[string]any{"name": t.Name, "description": t.Description, "input_schema": t.Parameters})
			continue
		}
		all = append(all, map[string]any{"type": "function", "function": map[string]any{
			"name": t.Name, "description": t.Description, "parameters": t.Parameters,
		}})
	}
	return all
}

// roundFor returns the messages of a round: the model's, and those that answer it.
func roundFor(s Settings, number int, r prompts.Round) (messages []json.RawMessage) {
	own := r.By == s.name()
	if s.Provider == "anthropic" {
		return anthropicRound(number, r, own)
	}
	said := map[string]any{"role": "assistant", "content": r.Text}
	var extras fields
	if own && json.Unmarshal(r.Thoughts, &extras) == nil {
		for name, value := range extras {
			said[name] = value
		}
	}
	var calls []any
	var answers []json.RawMessage
	for i, c := range r.Calls {
		id := callID(number, i, c)
		switch {
		case s.Provider == "ollama":
			calls = append(calls, map[string]any{"function": map[string]any{"name": toolName(c), "arguments": json.RawMessage(arguments(c))}})
			answers = append(answers, encoded(map[string]any{"role": "tool", "content": r.Results[i], "tool_name": toolName(c)}))
			continue
		case own && c.Raw != nil && c.ID != "" && json.Valid([]byte(c.Arguments)):
			calls = append(calls, c.Raw)
		default:
			calls = append(calls, map[string]any{"id": id, "type": "function", "function": map[string]any{"name": toolName(c), "arguments": arguments(c)}})
		}
		answers = append(answers, encoded(map[string]any{"role": "tool", "tool_call_id": id, "content": r.Results[i]}))
	}
	said["tool_calls"] = calls
	return append([]json.RawMessage{encoded(said)}, answers...)
}

func anthropicRound(number int, r prompts.Round, own bool) []json.RawMessage {
	var blocks []any
	var thoughts []json.RawMessage
	if own && json.Unmarshal(r.Thoughts, &thoughts) == nil {
		for _, t := range thoughts {
			blocks = append(blocks, t)
		}
	}
	if strings.TrimSpace(r.Text) != "" {
		blocks = append(blocks, map[string]any{"type": "text", "text": r.Text})
	}
	var answers []any
	for i, c := range r.Calls {
		id := callID(number, i, c)
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": id, "name": toolName(c), "input": json.RawMessage(arguments(c))})
		answers = append(answers, map[string]any{"type": "tool_result", "tool_use_id": id, "content": r.Results[i]})
	}
	return []json.RawMessage{
		encoded(map[string]any{"role": "assistant", "content": blocks}),
		encoded(map[string]any{"role": "user", "content": answers}),
	}
}

// badID matches what no provider takes in a call's id or a tool's name.
var badID = lazyregexp.New(`[^A-Za-z0-9_-]`)

// callID returns the id of a call: the provider's, or else its place, in nine letters and digits as Mistral wants them.
func callID(round, place int, c prompts.Call) string {
	if c.ID != "" && !badID.MatchString(c.ID) {
		return c.ID
	}
	return fmt.Sprintf("call%03d%02d", round+1, place+1)
}

// longestName is how long the name of a tool may be.
const longestName = 64

// toolName returns the name of a call in a form that every provider takes.
func toolName(c prompts.Call) string {
	name := badID.ReplaceAllString(c.Name, "_")
	if name == "" {
		return "unknown"
	}
	return name[:min(len(name), longestName)]
}

// arguments returns the arguments of a call, an empty object if they are none.
func arguments(c prompts.Call) string {
	var object map[string]any
	if json.Unmarshal([]byte(c.Arguments), &object) != nil || object == nil {
		return "{}"
	}
	return c.Arguments
}
