package llm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/internal/llm"
	"familiar/prompts"
)

// key is the secret no error may show.
const key = "sk-canary/8+fb1"

// wire is a loopback server that answers each request with the next of its handlers, the last one for ever.
type wire struct {
	*httptest.Server
	mu       sync.Mutex
	handlers []http.HandlerFunc
	requests []request
}

type request struct {
	path   string
	header http.Header
	body   map[string]any
}

func serve(t *testing.T, handlers ...http.HandlerFunc) *wire {
	t.Helper()
	w := &wire{handlers: handlers}
	w.Server = httptest.NewServer(http.HandlerFunc(w.handle))
	t.Cleanup(w.Close)
	return w
}

func (w *wire) handle(rw http.ResponseWriter, r *http.Request) {
	var body map[string]any
	raw, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(raw, &body)
	}
	if err != nil {
		http.Error(rw, err.Error(), http.StatusBadRequest)
		return
	}
	w.mu.Lock()
	w.requests = append(w.requests, request{r.URL.Path, r.Header.Clone(), body})
	next := w.handlers[0]
	if len(w.handlers) > 1 {
		w.handlers = w.handlers[1:]
	}
	w.mu.Unlock()
	next(rw, r)
}

func (w *wire) asked() []request {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]request(nil), w.requests...)
}

// client is a client of the server whose waits take no time; waits are noted.
func (w *wire) client(t *testing.T, change func(*llm.Settings)) (*llm.Client, *[]time.Duration) {
	t.Helper()
	var waits []time.Duration
	s := llm.Settings{
		Provider: "openai", Model: "test-model", BaseURL: w.URL + "/v1", APIKey: key, Timeout: 10 * time.Second,
		MaxTokens: 200, Temperature: 0.5, Retries: 2, Now: time.Now, Rand: func() float64 { return 0.5 },
		Sleep: func(ctx context.Context, d time.Duration) error {
			waits = append(waits, d)
			return ctx.Err()
		},
	}
	if change != nil {
		change(&s)
	}
	c, err := llm.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return c, &waits
}

// prompt is what the tests ask.
func prompt() prompts.Prompt {
	return prompts.Prompt{
		Name: "reply", System: "Be brief.", MaxTokens: 50,
		Messages: []prompts.Message{{Role: prompts.User, Text: "hi"}, {Role: prompts.Assistant, Text: "hello"}, {Role: prompts.User, Text: "how are you?"}},
		Slices:   []prompts.Slice{{Name: "talk", Tokens: 12}},
	}
}

// says answers with a status and a body.
func says(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// streams sends pieces one by one and then ends, or hangs until the client leaves.
func streams(hang bool, pieces ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, p := range pieces {
			fmt.Fprint(w, p)
			w.(http.Flusher).Flush()
		}
		if hang {
			<-r.Context().Done()
		}
	}
}

func hangs(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

const openaiAnswer = `{"choices":[{"index":0,"message":{"role":"assistant","content":"I am well."},"finish_reason":"stop"}],` +
	`"usage":{"prompt_tokens":21,"completion_tokens":4,"total_tokens":25}}`

// delta is one event of OpenAI's stream.
func delta(text, finish string) string {
	reason := "null"
	if finish != "" {
		reason = `"` + finish + `"`
	}
	return fmt.Sprintf("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q},\"finish_reason\":%s}]}\n\n", text, reason)
}

const (
	openaiUsage = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":21,\"completion_tokens\":4,\"total_tokens\":25}}\n\n"
	openaiDone  = "data: [DONE]\n\n"
)

// collect is a stream callback and what it got.
func collect() (func(string), *strings.Builder) {
	var b strings.Builder
	return func(d string) { b.WriteString(d) }, &b
}
