package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// modelKey is the secret that must show nowhere but in the request.
const modelKey = "sk-canary-7f3a+9/Zq"

// provider is a loopback server that speaks OpenAI's wire format. Every request is kept and answered by its handler.
type provider struct {
	*httptest.Server
	handle func(w http.ResponseWriter, r *http.Request, asked request)

	mu    sync.Mutex
	asked []request
}

// request is what a provider was asked.
type request struct {
	Model    string `json:"model"`
	Stream   bool   `json:"stream"`
	Messages []struct {
		Role    string `json:"role"`
		Content any    `json:"content"`
	} `json:"messages"`
	Format *struct {
		Type string `json:"type"`
	} `json:"response_format"`

	authorization string
}

// text is the whole prompt.
func (r request) text() string {
	var parts []string
	for _, m := range r.Messages {
		parts = append(parts, fmt.Sprint(m.Content))
	}
	return strings.Join(parts, "\n")
}

// extracts says that what people claimed is to be filed, as JSON.
func (r request) extracts() bool { return r.Format != nil }

func provide(t *testing.T, handle func(w http.ResponseWriter, r *http.Request, asked request)) *provider {
	t.Helper()
	p := &provider{handle: handle}
	p.Server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.Close)
	return p
}

func (p *provider) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	asked := request{authorization: r.Header.Get("Authorization")}
	if err == nil {
		err = json.Unmarshal(body, &asked)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	p.asked = append(p.asked, asked)
	p.mu.Unlock()
	p.handle(w, r, asked)
}

// requests are those that came so far.
func (p *provider) requests() []request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]request(nil), p.asked...)
}

// home is a home whose persona speaks through p; more is added to the configuration.
func (p *provider) home(t *testing.T, more string) string {
	t.Helper()
	return configure(t, fmt.Sprintf(`model:
  provider: openai
  model: test-1
  base_url: %s/v1
  api_key: env:MODEL_KEY
  retries: 1
  timeout: 5s
%s`, p.URL, more))
}

// keyed is the environment that holds the key.
var keyed = []string{"MODEL_KEY=" + modelKey}

// answers streams text in pieces, or sends it whole, as was asked, and charges 100 and 10 tokens.
func answers(w http.ResponseWriter, asked request, text string) {
	if !asked.Stream {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":%s},"finish_reason":"stop"}],%s}`,
			quoted(text), charged)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, piece := range strings.SplitAfter(text, " ") {
		streams(w, piece)
	}
	fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`, "\n\n")
	fmt.Fprintf(w, "data: {\"choices\":[],%s}\n\ndata: [DONE]\n\n", charged)
}

// streams sends one piece of an answer.
func streams(w http.ResponseWriter, piece string) {
	fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%s},\"finish_reason\":null}]}\n\n", quoted(piece))
	w.(http.Flusher).Flush()
}

const (
	charged       = `"usage":{"prompt_tokens":100,"completion_tokens":10,"total_tokens":110}`
	chargedTokens = 110
)

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string
	}
	return string(b)
}
