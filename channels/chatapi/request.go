package chatapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"
)

// maxText is how long the text of one message of the user may be, in bytes.
const maxText = 256 << 10

// request is the body of a chat completion, as far as it means something here. Parameters that steer a model's sampling are
// read over: the persona's settings decide.
type request struct {
	Model         string       `json:"model"`
	Messages      []rawMessage `json:"messages"`
	User          string       `json:"user"`
	Stream        bool         `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	N                   *int `json:"n"`
	MaxTokens           int  `json:"max_tokens"`
	MaxCompletionTokens int  `json:"max_completion_tokens"`
}

// rawMessage is one message of a request. Its content is a string, an array of parts, or null.
type rawMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// part is one part of a message's content.
type part struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	ImageURL struct {
		URL string `json:"url"`
	} `json:"image_url"`
	File struct {
		Name string `json:"filename"`
	} `json:"file"`
}

// content is what one message says.
type content struct {
	text  string
	parts []part // that are no text
}

// The roles of messages.
const (
	system    = "system"
	developer = "developer"
	user      = "user"
	assistant = "assistant"
)

// parseRequest reads the body of a chat completion.
func parseRequest(body []byte) (q request, _ *apiError) {
	if !utf8.Valid(body) {
		return q, badRequest("", "the body is not UTF-8")
	}
	if err := json.Unmarshal(body, &q); err != nil {
		return q, badRequest("", "the body is not a chat completion in JSON: "+err.Error())
	}
	switch {
	case q.Model == "":
		return q, badRequest("model", "model is missing: GET /v1/models lists them")
	case len(q.Messages) == 0:
		return q, badRequest("messages", "messages is missing or empty")
	case q.N != nil && *q.N != 1:
		return q, badRequest("n", "n must be 1: a persona says one thing")
	}
	for i, m := range q.Messages {
		switch m.Role {
		case system, developer, user, assistant, "tool", "function":
		default:
			return q, badRequest(fmt.Sprintf("messages[%d].role", i), "the role is none of system, developer, user, assistant, tool and function")
		}
	}
	return q, nil
}

// read returns what message i says.
func (q request) read(i int) (c content, _ *apiError) {
	raw, param := q.Messages[i].Content, fmt.Sprintf("messages[%d].content", i)
	if len(raw) == 0 || string(raw) == "null" {
		return c, nil
	}
	if raw[0] == '"' {
		if err := json.Unmarshal(raw, &c.text); err != nil {
			return c, badRequest(param, "the content is no valid text")
		}
		return c, nil
	}
	var parts []part
	if err := json.Unmarshal(raw, &parts); err != nil {
		return c, badRequest(param, "the content is neither a text nor a list of parts")
	}
	var texts []string
	for _, p := range parts {
		if p.Type == "text" {
			texts = append(texts, p.Text)
			continue
		}
		c.parts = append(c.parts, p)
	}
	c.text = strings.Join(texts, "\n")
	return c, nil
}

// fresh returns the range of the messages after the last answer that is followed by something of the user. What an assistant
// message at the very end begins is not continued.
func (q request) fresh() (from, to int) {
	to = len(q.Messages)
	for to > 0 && q.Messages[to-1].Role != user {
		to--
	}
	for from = to; from > 0 && q.Messages[from-1].Role != assistant; from-- {
	}
	return from, to
}

// before returns what the assistant said last before message i, as it stands in the request.
func (q request) before(i int) string {
	for i--; i >= 0; i-- {
		if q.Messages[i].Role == assistant {
			return string(q.Messages[i].Content)
		}
	}
	return ""
}

// nth returns how many earlier messages of the user say the same as message i after the same answer, so that the second of
// two that are alike is another message than the first.
func (q request) nth(i int) (n int) {
	same, before := string(q.Messages[i].Content), ""
	at := q.before(i)
	for j, m := range q.Messages[:i] {
		switch m.Role {
		case assistant:
			before = string(q.Messages[j].Content)
		case user:
			if before == at && string(m.Content) == same {
				n++
			}
		}
	}
	return n
}

// badRequest is the error for a request that will never be answered. param names what is wrong, "" for the whole.
func badRequest(param, text string) *apiError {
	return &apiError{status: http.StatusBadRequest, kind: "invalid_request_error", param: param, message: text}
}
