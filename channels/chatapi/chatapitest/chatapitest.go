// Package chatapitest is a program that talks to a persona with OpenAI's chat completions, as chat clients do. It has its own
// reading of the protocol.
package chatapitest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// Message is one message of a conversation.
type Message struct {
	Role    string `json:"role"`
	Content any    `json:"content"`
}

// User and Assistant return messages.
func User(text string) Message      { return Message{"user", text} }
func Assistant(text string) Message { return Message{"assistant", text} } //nolint:revive // see User

// Request is a chat completion. Extra has fields besides these.
type Request struct {
	Model    string
	User     string
	Messages []Message
	Stream   bool
	Extra    map[string]any
	Header   http.Header
}

// Reply is what a program got.
type Reply struct {
	Status int
	Header http.Header
	// Text is the whole reply. Pieces are those of a stream; Comments counts its comments.
	Text     string
	Pieces   []string
	Comments int
	ID       string
	// Finish is the finish reason, Done reports that a stream ended as it should.
	Finish string
	Done   bool
	// Tokens is the total of the usage, 0 if there is none.
	Tokens int
	// Error has the message, the type, the param and the code of an error.
	Error struct{ Message, Type, Param, Code string }
	// Body is what was received.
	Body string
}

// Client is a program.
type Client struct {
	// URL is the base URL, which ends with /v1.
	URL, Token string
	HTTP       *http.Client
}

// Chat sends a request and reads the reply. It fails if there is no complete answer.
func (c *Client) Chat(ctx context.Context, q Request) (Reply, error) {
	return c.Follow(ctx, q, nil)
}

// Follow is Chat, and calls began once the answer of a stream has begun, and each time that it grows, with the text so far.
func (c *Client) Follow(ctx context.Context, q Request, began func(soFar string)) (Reply, error) {
	body := map[string]any{"model": q.Model, "messages": q.Messages}
	if q.Stream {
		body["stream"] = true
	}
	if q.User != "" {
		body["user"] = q.User
	}
	for key, value := range q.Extra {
		body[key] = value
	}
	text, err := json.Marshal(body)
	if err != nil {
		return Reply{}, fmt.Errorf("write a request: %w", err)
	}
	return c.post(ctx, q, text, began)
}

// Post sends a body as it is.
func (c *Client) Post(ctx context.Context, body []byte) (Reply, error) {
	return c.post(ctx, Request{}, body, nil)
}

// Get asks for a path below the base URL.
func (c *Client) Get(ctx context.Context, path string) (Reply, error) {
	return c.do(ctx, http.MethodGet, path, nil, nil, nil)
}

func (c *Client) post(ctx context.Context, q Request, body []byte, began func(string)) (Reply, error) {
	return c.do(ctx, http.MethodPost, "/chat/completions", q.Header, body, began)
}

func (c *Client) do(ctx context.Context, method, path string, header http.Header, body []byte, began func(string)) (got Reply, err error) {
	r, err := http.NewRequestWithContext(ctx, method, c.URL+path, bytes.NewReader(body))
	if err != nil {
		return got, fmt.Errorf("make a request: %w", err)
	}
	for key, values := range header {
		r.Header[key] = values
	}
	r.Header.Set("Authorization", "Bearer "+c.Token)
	r.Header.Set("Content-Type", "application/json")
	response, err := c.HTTP.Do(r)
	if err != nil {
		return got, fmt.Errorf("send a request: %w", err)
	}
	defer response.Body.Close() //nolint:errcheck // it was only read
	got.Status, got.Header = response.StatusCode, response.Header
	if response.Header.Get("Content-Type") == "text/event-stream" {
		return got, got.stream(response.Body, began)
	}
	whole, err := io.ReadAll(response.Body)
	if err != nil {
		return got, fmt.Errorf("read an answer: %w", err)
	}
	got.Body = string(whole)
	return got, got.take(whole)
}

// chunk is an answer, or one piece of it.
type chunk struct {
	ID      string
	Choices []struct {
		Message, Delta struct{ Content *string }
		FinishReason   *string `json:"finish_reason"`
	}
	Usage *struct {
		TotalTokens int `json:"total_tokens"`
	}
	Error *struct{ Message, Type, Param, Code string }
}

func (r *Reply) take(body []byte) error {
	var c chunk
	if err := json.Unmarshal(body, &c); err != nil {
		return fmt.Errorf("read %q: %w", body, err)
	}
	if c.ID != "" {
		r.ID = c.ID
	}
	if c.Error != nil {
		r.Error = *c.Error
	}
	if c.Usage != nil {
		r.Tokens = c.Usage.TotalTokens
	}
	for _, one := range c.Choices {
		for _, content := range []*string{one.Message.Content, one.Delta.Content} {
			if content != nil && *content != "" {
				r.Text += *content
				r.Pieces = append(r.Pieces, *content)
			}
		}
		if one.FinishReason != nil {
			r.Finish = *one.FinishReason
		}
	}
	return nil
}

// stream reads server-sent events until the stream ends.
func (r *Reply) stream(body io.Reader, began func(string)) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		line := lines.Text()
		r.Body += line + "\n"
		data, event := strings.CutPrefix(line, "data: ")
		switch {
		case strings.HasPrefix(line, ":"):
			r.Comments++
		case data == "[DONE]":
			r.Done = true
		case event:
			if err := r.take([]byte(data)); err != nil {
				return err
			}
			if began != nil {
				began(r.Text)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read a stream: %w", err)
	}
	return nil
}

// Teller says one message after the other as a program that does not wait for replies: each request ends once its message is
// stored.
type Teller struct {
	Client  *Client
	Request Request

	mu   sync.Mutex
	sent map[string]Request
}

// Say sends a text, or what was sent under the same event before. It tries again until the message is stored.
func (t *Teller) Say(event, text string) {
	t.mu.Lock()
	q, again := t.sent[event]
	if !again {
		q = t.Request
		q.Stream, q.Messages = true, []Message{User(text)}
		if n := len(t.sent); n > 0 { // something was answered before
			q.Messages = []Message{Assistant(fmt.Sprint("answer ", n)), User(text)}
		}
		if t.sent == nil {
			t.sent = make(map[string]Request)
		}
		t.sent[event] = q
	}
	t.mu.Unlock()
	t.Tell(q)
}

// Tell sends a request until its message is stored, and does not wait for the reply.
func (t *Teller) Tell(q Request) {
	for range 10_000 {
		ctx, cancel := context.WithCancel(context.Background())
		got, err := t.Client.Follow(ctx, q, func(string) { cancel() })
		cancel()
		if err != nil && got.Status == http.StatusOK || got.Status != 0 && got.Status != http.StatusServiceUnavailable && got.Status != http.StatusTooManyRequests {
			return
		}
	}
}
