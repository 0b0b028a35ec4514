package llm

import (
	"encoding/json"
	"slices"

	"familiar/internal/lazyregexp"
)

// systemRefused is said by models whose template knows no system message.
var systemRefused = lazyregexp.New(`(?i)system (role|message|prompt)s?[^.]{0,30}\b(not|un)|(not|un)\s?support[^.]{0,20}['"` + "`" + `]?system['"` + "`" + `]?\b|` +
	`only user and assistant roles`)

// learnRoles learns from a refusal of a body that the model takes no system message. It reports whether the next request
// will be without.
func (m *manners) learnRoles(r refusal, body fields) bool {
	messages, ok := body.messages()
	if !ok || messages[0].Role != "system" || !systemRefused.MatchString(r.text) {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.noSystem = true
	return true
}

// message is a message of OpenAI's and ollama's format.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// messages returns the messages of a body, if there are two or more and all are plain text.
func (f fields) messages() (all []message, ok bool) {
	return all, json.Unmarshal(f["messages"], &all) == nil && len(all) > 1
}

// foldSystem puts the system message in front of the first message.
func (f fields) foldSystem() {
	messages, ok := f.messages()
	if !ok || messages[0].Role != "system" || messages[1].Role != "user" {
		return
	}
	messages[1].Content = messages[0].Content + "\n\n" + messages[1].Content
	f["messages"] = encoded(slices.Delete(messages, 0, 1))
}
