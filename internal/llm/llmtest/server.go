// Package llmtest is a model's provider for tests: a loopback server that speaks the wire format of OpenAI and of those
// who copied it, goes wrong in every way a test asks for, and keeps what it was asked. It shows what a client makes of
// bytes; where only the words matter, llm.Scripted is the model.
package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Answer answers one request.
type Answer func(w http.ResponseWriter, r *Request)

// Request is what the server was asked. The body of its http.Request has been read.
type Request struct {
	*http.Request
	// Fields are all of the body. What tests ask of it most has a name beside.
	Fields map[string]any `json:"-"`
	Model  string         `json:"model"`
	// Stream says that the answer is to come in pieces.
	Stream   bool      `json:"stream"`
	Messages []Message `json:"messages"`
	// Format is how the answer is to be written, nil when in words.
	Format *struct {
		Type string `json:"type"`
	} `json:"response_format"`
	// Input are the texts to be embedded.
	Input []string `json:"input"`
}

// Message is one message of a prompt. Its content is a string or a list of parts.
type Message struct {
	Role    string `json:"role"`
	Content any    `json:"content"`
}

// Prompt is the content of all messages.
func (r *Request) Prompt() string {
	var parts []string
	for _, m := range r.Messages {
		parts = append(parts, fmt.Sprint(m.Content))
	}
	return strings.Join(parts, "\n")
}

// Server is a provider on the loopback interface. Its API is at URL + "/v1", though it answers anywhere.
type Server struct {
	*httptest.Server

	mu      sync.Mutex
	answers []Answer
	asked   []*Request
}

// Serve starts a server that answers each request with the next of answers, and with the last one for ever. It is closed
// when the test ends.
func Serve(t testing.TB, answers ...Answer) *Server {
	t.Helper()
	s := &Server{answers: answers}
	s.Server = httptest.NewServer(http.HandlerFunc(s.handle))
	t.Cleanup(s.Close)
	return s
}

// Asked are the requests so far, in the order they came.
func (s *Server) Asked() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
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
		return nil, fmt.Errorf("read the request's fields: %w", err)
	}
	if err := json.Unmarshal(body, r); err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	return r, nil
}

// next keeps the request and takes its answer.
func (s *Server) next(r *Request) Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r)
	answer := s.answers[0]
	if len(s.answers) > 1 {
		s.answers = s.answers[1:]
	}
	return answer
}
