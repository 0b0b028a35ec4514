package imports

import (
	"encoding/json"
	"errors"
	"strings"
)

// chatRecord is a line with one message under the keys that programs use for it.
type chatRecord map[string]json.RawMessage

// The keys of a message, the first that is there counts.
var (
	roleKeys    = []string{"role", "sender", "author", "speaker", "from", "type"}
	contentKeys = []string{"content", "text", "message", "body", "value"}
	timeKeys    = []string{"timestamp", "created_at", "createdAt", "time", "at", "date", "ts", "created"}
	idKeys      = []string{"id", "uuid", "message_id", "messageId"}
	talkKeys    = []string{"conversation_id", "conversationId", "session_id", "sessionId", "thread_id", "chat_id", "conversation", "session"}
	titleKeys   = []string{"title", "project", "conversation_title"}
)

// speakers tells who speaks under a name of a role: true for the assistant.
var speakers = map[string]bool{
	"user": false, "human": false, "person": false, "me": false, "you": false, "prompt": false,
	"assistant": true, "ai": true, "bot": true, "model": true, "gpt": true, "agent": true, "chatgpt": true, "claude": true, "codex": true,
	"gemini": true, "copilot": true, "response": true,
}

// silent are the roles of programs.
var silent = map[string]bool{"system": true, "developer": true, "tool": true, "function": true, "tool result": true, "tool call": true}

// chatLine reads a line of a chat: one message, or {"messages": […]} with a conversation of its own, perhaps the beginning of the
// one in the next line.
func (s *Session) chatLine(raw []byte) error {
	var r chatRecord
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	list := r["messages"]
	if list == nil {
		return s.chatMessage(r)
	}
	var messages []chatRecord
	if err := json.Unmarshal(list, &messages); err != nil {
		return err
	}
	id, title := r.text(talkKeys), r.text(titleKeys)
	if id == "" {
		id = r.text(idKeys)
	}
	if err := s.restart(title); err != nil {
		return err
	}
	if id != "" {
		if err := s.within(id, title); err != nil {
			return err
		}
	}
	for _, m := range messages {
		if err := s.chatMessage(m); err != nil {
			var other *otherRecord
			if !errors.As(err, &other) {
				return err
			}
			s.sink.Skip(other.what, 1)
		}
	}
	return nil
}

// chatMessage reads one message.
func (s *Session) chatMessage(r chatRecord) error {
	role := strings.ToLower(strings.TrimSpace(r.role()))
	own, known := speakers[role]
	switch {
	case silent[role]:
		return leftOut("messages of the program and its tools")
	case !known:
		return leftOut("records that name neither the person nor an assistant")
	}
	text := r.content()
	if !own {
		text = unwrapped(text, "")
	}
	if strings.TrimSpace(text) == "" {
		return leftOut("tool calls, results and thoughts")
	}
	if id := r.text(talkKeys); id != "" {
		if err := s.within(id, r.text(titleKeys)); err != nil {
			return err
		}
	}
	return s.speak(Line{ID: r.text(idKeys), Own: own, Text: text, At: readTime(r.text(timeKeys))})
}

// first returns the value of the first of keys that is there.
func (r chatRecord) first(keys []string) json.RawMessage {
	for _, key := range keys {
		if v := r[key]; len(v) > 0 && string(v) != "null" {
			return v
		}
	}
	return nil
}

// text returns the value of the first of keys, if it is a text or a number.
func (r chatRecord) text(keys []string) string {
	var l loose
	if l.UnmarshalJSON(r.first(keys)) != nil {
		return ""
	}
	return string(l)
}

// inner returns the value of a key as an object, nil if it is none.
func (r chatRecord) inner(key string) chatRecord {
	var in chatRecord
	if v := r[key]; len(v) == 0 || v[0] != '{' || json.Unmarshal(v, &in) != nil {
		return nil
	}
	return in
}

// role returns who speaks. It may be within the message, or within what describes the author.
func (r chatRecord) role() string {
	if role := r.inner("message").text([]string{"role"}); role != "" {
		return role
	}
	if role := r.inner("author").text(roleKeys); role != "" {
		return role
	}
	return r.text(roleKeys)
}

// content returns what was said, which may be within the message.
func (r chatRecord) content() string {
	if in := r.inner("message"); in != nil {
		return in.content()
	}
	var t said
	if err := t.UnmarshalJSON(r.first(contentKeys)); err != nil {
		return ""
	}
	return t.text
}
