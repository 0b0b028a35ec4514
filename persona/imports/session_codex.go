package imports

import (
	"encoding/json"
	"strings"
)

// codexRecord is a line of a rollout of Codex: an envelope around a payload, or, in old rollouts, the payload itself.
type codexRecord struct {
	codexPayload
	At      moment       `json:"timestamp"`
	Payload codexPayload `json:"payload"`
}

// codexPayload is what a line is about.
type codexPayload struct {
	Type    loose `json:"type"`
	ID      loose `json:"id"`
	Role    loose `json:"role"`
	Dir     loose `json:"cwd"`
	Content said  `json:"content"`
	// Message is the text of an event.
	Message loose `json:"message"`
}

// codex reads a line of ~/.codex/sessions/**/rollout-*.jsonl. What people and the assistant say is there twice, as an item of the
// model's context and as an event: the second is left out.
func (s *Session) codex(raw []byte) error {
	var r codexRecord
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	kind, p := string(r.Type), r.Payload
	switch {
	case kind == "session_meta":
		return s.codexSession(p)
	case kind == "" && r.ID != "" && r.Role == "": // the first line of an old rollout
		return s.codexSession(r.codexPayload)
	case kind == "message":
		return s.codexItem(r.codexPayload, r.At)
	case kind == "response_item" && p.Type == "message":
		return s.codexItem(p, r.At)
	case kind == "event_msg" && (p.Type == "user_message" || p.Type == "agent_message"):
		return s.codexSays("event", p.Type == "agent_message", string(p.Message), r.At)
	case kind == "response_item":
		return leftOut("tool calls, results and thoughts")
	}
	return leftOut("records that are no messages")
}

// codexSession begins the conversation.
func (s *Session) codexSession(p codexPayload) error {
	if p.ID == "" {
		return leftOut("records that are no messages")
	}
	return s.within(string(p.ID), projectOf(string(p.Dir)))
}

// codexItem reads an item of the model's context. Roles other than these two are the program.
func (s *Session) codexItem(p codexPayload, at moment) error {
	if p.Role != "user" && p.Role != "assistant" {
		return leftOut("messages that the program wrote")
	}
	return s.codexSays("item", p.Role == "assistant", p.Content.text, at)
}

// codexSays takes one of the two records of a message.
func (s *Session) codexSays(record string, own bool, text string, at moment) error {
	if !own {
		text = unwrapped(text, "")
	}
	if text = strings.TrimSpace(text); text == "" {
		return leftOut("messages that the program wrote")
	}
	role := map[bool]string{true: "own", false: "person"}[own]
	if other := map[string]string{"event": "item", "item": "event"}[record]; s.p.Twin == digest(other, role, text) {
		s.p.Twin = ""
		return leftOut("messages that are there twice")
	}
	s.p.Twin = digest(record, role, text)
	return s.speak(Line{Own: own, Text: text, At: at.Time})
}
