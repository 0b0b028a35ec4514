package llm

import (
	"encoding/json"
	"strings"

	"familiar/internal/tokens"
	"familiar/prompts"
)

// leastCached is the shortest beginning of a prompt that Anthropic keeps, in tokens. For some models it is longer; a mark on
// a shorter beginning has no effect and costs nothing.
const leastCached = 1024

// cacheMark asks Anthropic to keep everything up to the block that has it.
var cacheMark = json.RawMessage(`{"type":"ephemeral"}`)

// block is a part of a message in Anthropic's format.
type block = map[string]json.RawMessage

// applyCache marks what the next prompts will begin with, since Anthropic caches only what is marked: the system message
// and, while a talk goes on, all messages before the last one, which holds what is only true for this answer. Nobody reads
// what a job's prompt would leave in the cache, and writing costs more than reading.
//
// Gateways pass the marks on to Anthropic's models, which they call anthropic/NAME.
func (m *manners) applyCache(s Settings, p prompts.Prompt, body fields) {
	gateway := s.Provider == "openai" && strings.HasPrefix(s.Model, "anthropic/")
	if s.Provider != "anthropic" && !gateway || m.noCache {
		return
	}
	length := tokens.Estimate(p.System)
	if length >= leastCached {
		body.markSystem()
	}
	for _, message := range p.Messages[:max(0, len(p.Messages)-1)] {
		length += tokens.Estimate(message.Text)
	}
	if p.Room != 0 && length >= leastCached {
		body.markBeforeLast()
	}
}

// learnCache learns from a refusal of a body that the server takes no marks. It reports whether the next request will be
// without.
func (m *manners) learnCache(r refusal, body fields) bool {
	if !strings.Contains(r.text, "cache_control") || !strings.Contains(string(body["system"])+string(body["messages"]), `"cache_control"`) {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.noCache = true
	return true
}

// markSystem marks the end of the system message.
func (f fields) markSystem() {
	var system string
	if json.Unmarshal(f["system"], &system) == nil && system != "" {
		f["system"] = marked(system)
		return
	}
	f.mark(func(messages []block) int { // in OpenAI's format it is the first message
		if string(messages[0]["role"]) != `"system"` {
			return -1
		}
		return 0
	})
}

// marked returns a text as a block with a mark.
func marked(text string) json.RawMessage {
	return encoded([]block{{"type": encoded("text"), "text": encoded(text), "cache_control": cacheMark}})
}

// markBeforeLast marks the end of the message before the last one, if it ends with text.
func (f fields) markBeforeLast() {
	f.mark(func(messages []block) int { return len(messages) - 2 })
}

// mark marks the end of the message that which names by its index, -1 for none, if it ends with text.
func (f fields) mark(which func(messages []block) int) {
	var messages []block
	if json.Unmarshal(f["messages"], &messages) != nil || len(messages) == 0 {
		return
	}
	at := which(messages)
	if at < 0 {
		return
	}
	var text string
	var content []block
	switch raw := messages[at]["content"]; {
	case json.Unmarshal(raw, &text) == nil && text != "":
		messages[at]["content"] = marked(text)
	case json.Unmarshal(raw, &content) == nil && len(content) > 0 && string(content[len(content)-1]["type"]) == `"text"`:
		content[len(content)-1]["cache_control"] = cacheMark
		messages[at]["content"] = encoded(content)
	default:
		return
	}
	f["messages"] = encoded(messages)
}
