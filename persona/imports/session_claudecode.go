package imports

import (
	"encoding/json"
	"path"
	"strings"
)

// claudeCodeRecord is a line of a session of Claude Code, as far as people and the assistant speak in it.
type claudeCodeRecord struct {
	Type    loose  `json:"type"`
	ID      loose  `json:"uuid"`
	Session loose  `json:"sessionId"`
	At      moment `json:"timestamp"`
	Dir     loose  `json:"cwd"`
	// Side is what helpers of the assistant say to each other, Meta what the program adds, Compact a summary in place of messages,
	// Failed an error of the model's provider.
	Side    flag `json:"isSidechain"`
	Meta    flag `json:"isMeta"`
	Compact flag `json:"isCompactSummary"`
	Failed  flag `json:"isApiErrorMessage"`
	Message struct {
		Model   loose `json:"model"`
		Content said  `json:"content"`
	} `json:"message"`
}

// flag is true where a program writes true: anything else is false.
type flag bool

// UnmarshalJSON implements json.Unmarshaler.
func (f *flag) UnmarshalJSON(data []byte) error {
	*f = string(data) == "true"
	return nil
}

// synthetic is the model of what the program says in the assistant's place.
const synthetic = "<synthetic>"

// interrupted is how the program notes that the person stopped the assistant.
const interrupted = "[Request interrupted by user"

// claudeCode reads a line of ~/.claude/projects/*/*.jsonl.
func (s *Session) claudeCode(raw []byte) error {
	var r claudeCodeRecord
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	switch {
	case r.Type != "user" && r.Type != "assistant":
		return leftOut("records that are no messages")
	case bool(r.Side):
		return leftOut("messages between helpers of the assistant")
	case bool(r.Meta), bool(r.Compact), bool(r.Failed), r.Message.Model == synthetic:
		return leftOut("messages that the program wrote")
	}
	own := r.Type == "assistant"
	text := r.Message.Content.text
	if !own {
		text = unwrapped(text, commandArguments)
		if strings.HasPrefix(text, interrupted) {
			return leftOut("messages that the program wrote")
		}
	}
	if strings.TrimSpace(text) == "" {
		return leftOut("tool calls, results and thoughts")
	}
	if r.Session != "" {
		if err := s.within(string(r.Session), projectOf(string(r.Dir))); err != nil {
			return err
		}
	}
	return s.speak(Line{ID: string(r.ID), Own: own, Text: text, At: r.At.Time})
}

// commandArguments is the element around what a person wrote after a command.
const commandArguments = "command-args"

// projectOf returns the name of a project by its directory on any system.
func projectOf(dir string) string {
	if dir = strings.ReplaceAll(dir, `\`, "/"); dir == "" {
		return ""
	}
	return path.Base(dir)
}
