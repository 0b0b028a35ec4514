// Package llmtest is a model provider for tests: a loopback server with OpenAI's wire format that can fail in every way
// a test needs, and records its requests. It tests how a client handles bytes; where only the text matters, use
// llm.Scripted.
package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Answer answers one request.
type Answer func(w http.ResponseWriter, r *Request)

// Request is a received request. The body of its http.Request has been read.
type Request struct {
	*http.Request
	// Fields is the whole body. The most used fields are also separate.
	Fields map[string]any `json:"-"`
	Model  string         `json:"model"`
	// Stream requests a streamed answer.
	Stream   bool      `json:"stream"`
	Messages []Message `json:"messages"`
	// Format is the requested response format, nil for text.
	Format *struct {
		Type string `json:"type"`
	} `json:"response_format"`
	// Input are the texts to embed.
	Input Texts `json:"input"`
}

// Texts are texts to embed. The input of OpenAI's Responses interface is none.
type Texts []string

// UnmarshalJSON implements json.Unmarshaler. It never fails.
func (t *Texts) UnmarshalJSON(raw []byte) error {
	var texts []string
	if json.Unmarshal(raw, &texts) == nil {
		*t = texts
	}
	return nil
}

// Message is one message of a prompt. Its content is a string or a list of parts.
type Message struct {
	Role    string `json:"role"`
	Content any    `json:"content"`
}

// Prompt returns the content of all messages.
func (r *Request) Prompt() string {
	var parts []string
	if instructions, ok := r.Fields["instructions"]; ok { // of OpenAI's Responses interface
		parts = append(parts, fmt.Sprint(instructions, r.Fields["input"]))
	}
	for _, m := range r.Messages {
		parts = append(parts, fmt.Sprint(m.Content))
	}
	return strings.Join(parts, "\n")
}

// Has reports whether the request has a field; OBJECT.FIELD is a field within an object.
func (r *Request) Has(field string) bool {
	outer, inner, nested := strings.Cut(field, ".")
	value, ok := r.Fields[outer]
	if !ok || !nested {
		return ok
	}
	object, _ := value.(map[string]any)
	_, ok = object[inner]
	return ok
}

// Server is a provider on loopback. Its API is at URL + "/v1", but it responds on every path.
type Server struct {
	*httptest.Server

	mu       sync.Mutex
	answers  []Answer
	requests []*Request
}

// Serve is Start for a test: the server is closed when it ends. The test fails if an answer without a limit was asked for
// (S16).
func Serve(t testing.TB, answers ...Answer) *Server {
	t.Helper()
	s := Start(answers...)
	t.Cleanup(func() {
		s.Close()
		for i, r := range s.Requests() {
			if !r.bounded() {
				t.Errorf("request %d sets no limit on the answer: %v", i, slices.Sorted(maps.Keys(r.Fields)))
			}
		}
	})
	return s
}

// bounded reports whether a request limits its answer, or asks for no text.
func (r *Request) bounded() bool {
	if len(r.Messages) == 0 && !r.Has("instructions") {
		return true
	}
	return slices.ContainsFunc([]string{"max_tokens", "max_completion_tokens", "max_output_tokens", "options.num_predict"}, r.Has)
}

// Start starts a server that answers each request with the next of answers, and repeats the last one. The caller closes
// it.
func Start(answers ...Answer) *Server {
	s := &Server{answers: answers}
	s.Server = httptest.NewServer(http.HandlerFunc(s.handle))
	return s
}

// Requests returns the requests so far, in order.
func (s *Server) Requests() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

func (s *Server) handle(w http.ResponseWriter, hr *http.Request) {
	r, err := read(hr)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.next(r)(w, r)
}

func read(hr *http.Request) (*Request, error) {
	r := &Request{Request: hr}
	body, err := io.ReadAll(hr.Body)
	if err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	if err := json.Unmarshal(body, &r.Fields); err != nil {
		return nil, fmt.Errorf("parse the request's fields: %w", err)
	}
	if err := json.Unmarshal(body, r); err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	return r, nil
}

// next records the request and returns its answer.
func (s *Server) next(r *Request) Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	answer := s.answers[0]
	if len(s.answers) > 1 {
		s.answers = s.answers[1:]
	}
	return answer
}
