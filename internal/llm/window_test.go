package llm_test

// P14: the context window is the model's: what is configured, what its provider tells, or what all models of the kind have.

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
)

// windows are what providers tell of their models, shortened to what matters.
var windows = []struct {
	name, provider, model string
	bodies                map[string]string
	want                  int
	// header is a header that the request must have.
	header string
}{
	{"Ollama, by its file", "ollama", "qwen3:8b", map[string]string{"POST /api/show": `{"parameters":"num_ctx                        16384\nstop \"<|im_end|>\"","model_info":{"qwen3.context_length":40960}}`}, 16384, ""},
	{"Ollama, as much as is cheap", "ollama", "llama3.2", map[string]string{"POST /api/show": `{"model_info":{"general.architecture":"llama","llama.context_length":131072}}`}, llm.DefaultWindow, ""},
	{"Ollama, a small one", "ollama", "tiny", map[string]string{"POST /api/show": `{"model_info":{"llama.context_length":2048}}`}, 2048, ""},
	{"Anthropic", "anthropic", "claude-x", map[string]string{"GET /v1/models/claude-x": `{"type":"model","id":"claude-x","max_input_tokens":1000000,"max_tokens":64000}`}, 1_000_000, "X-Api-Key"},
	{"Anthropic, an older server", "anthropic", "claude-x", map[string]string{"GET /v1/models/claude-x": `{"type":"model","id":"claude-x"}`}, 0, "Anthropic-Version"},
	{"Google", "googleai", "gemini-x", map[string]string{"GET /v1beta/models/gemini-x": `{"name":"models/gemini-x","inputTokenLimit":1048576,"outputTokenLimit":65536}`}, 1_048_576, "X-Goog-Api-Key"},
	{"OpenRouter", "openai", "meta/llama:nitro", map[string]string{"GET /v1/models": `{"data":[{"id":"other/x","context_length":4096},{"id":"meta/llama","context_length":131072,"top_provider":{"context_length":65536}}]}`}, 65_536, "Authorization"},
	{"OpenRouter, no limit of its own", "openai", "meta/llama", map[string]string{"GET /v1/models": `{"data":[{"id":"meta/llama","context_length":131072,"top_provider":{"context_length":null}}]}`}, 131_072, ""},
	{"vLLM", "openai", "qwen", map[string]string{"GET /v1/models": `{"object":"list","data":[{"id":"qwen","object":"model","owned_by":"vllm","max_model_len":32768}]}`}, 32_768, ""},
	{"Groq", "openai", "llama", map[string]string{"GET /v1/models": `{"data":[{"id":"llama","context_window":131072}]}`}, 131_072, ""},
	{"llama.cpp", "openai", "any", map[string]string{
		"GET /v1/models": `{"object":"list","data":[{"id":"model.gguf","object":"model","owned_by":"llamacpp","meta":{"n_ctx_train":131072}}]}`,
		"GET /props":     `{"default_generation_settings":{"n_ctx":4096},"total_slots":1}`,
	}, 4096, ""},
	{"LM Studio, loaded", "openai", "qwen", map[string]string{
		"GET /v1/models":     `{"object":"list","data":[{"id":"qwen","object":"model","owned_by":"organization_owner"}]}`,
		"GET /api/v0/models": `{"data":[{"id":"qwen","state":"loaded","max_context_length":32768,"loaded_context_length":6000}]}`,
	}, 6000, ""},
	{"LM Studio, not loaded", "openai", "qwen", map[string]string{"GET /api/v0/models": `{"data":[{"id":"qwen","state":"not-loaded","max_context_length":32768}]}`}, llm.DefaultWindow, ""},
	{"nothing", "openai", "m", nil, 0, ""},
	{"a list without the model", "openai", "m", map[string]string{"GET /v1/models": `{"data":[{"id":"a","context_length":4096},{"id":"b","context_length":4096}]}`}, 0, ""},
	{"nonsense", "openai", "m", map[string]string{"GET /v1/models": `{"data":[{"id":"m","context_length":"lots"}]}`, "GET /props": `[]`, "GET /api/v0/models": `<html>`}, 0, ""},
	{"a number in quotation marks", "openai", "m", map[string]string{"GET /v1/models": `{"data":[{"id":"m","context_length":"16384"}]}`}, 16_384, ""},
	{"too small to be true", "openai", "m", map[string]string{"GET /v1/models": `{"data":[{"id":"m","context_length":1}]}`}, 0, ""},
}

func TestP14TheProviderTellsTheWindow(t *testing.T) {
	for _, c := range windows {
		t.Run(c.name, func(t *testing.T) {
			w := llmtest.Describe(t, answerOf(c.provider), c.bodies)
			client, _ := clientOf(t, w.ChatServer(), func(s *llm.Settings) {
				as(c.provider)(s)
				s.Model, s.ContextTokens, s.BaseURL = c.model, 0, w.URL+"/v1"
				switch c.provider {
				case "ollama":
					s.BaseURL = w.URL
				case "googleai":
					s.BaseURL = w.URL + "/v1beta/openai"
				}
			})
			want := llm.Window{Tokens: c.want, Source: llm.WindowTold}
			if c.want == 0 {
				want = llm.Window{Tokens: llm.DefaultWindow, Source: llm.WindowAssumed}
			}
			if got := client.Window(); got.Source != llm.WindowAssumed {
				t.Errorf("before: %+v", got)
			}
			if got := client.AskWindow(t.Context()); got != want || client.Window() != want {
				t.Errorf("AskWindow = %+v, want %+v", got, want)
			}
			asked := w.Asked()
			if c.header != "" && (len(asked) == 0 || asked[0].Header.Get(c.header) == "" || strings.Contains(asked[0].URL.String(), "canary")) {
				t.Errorf("asked %v, want a header %s", asked, c.header)
			}
			client.AskWindow(t.Context())
			if n := len(w.Asked()); c.want != 0 && n != len(asked) {
				t.Errorf("asked again")
			}
		})
	}
}

func TestP14AConfiguredWindowIsNotAskedFor(t *testing.T) {
	w := llmtest.Describe(t, answerOf("openai"), windows[0].bodies)
	client, _ := clientOf(t, w.ChatServer(), func(s *llm.Settings) { as("ollama")(s); s.BaseURL = w.URL; s.ContextTokens = 5000 })
	if got := client.AskWindow(t.Context()); got != (llm.Window{Tokens: 5000, Source: llm.WindowConfigured}) || len(w.Asked()) != 0 {
		t.Errorf("AskWindow = %+v after %d requests", got, len(w.Asked()))
	}
}

// TestP14OllamaIsAskedForTheWindow: without num_ctx in the request it truncates a long prompt silently.
func TestP14OllamaIsAskedForTheWindow(t *testing.T) {
	w := llmtest.Describe(t, answerOf("ollama"), windows[0].bodies)
	client, _ := clientOf(t, w.ChatServer(), func(s *llm.Settings) { as("ollama")(s); s.BaseURL, s.ContextTokens = w.URL, 0 })
	for i, want := range []float64{llm.DefaultWindow, 16_384} {
		if i > 0 {
			client.AskWindow(t.Context())
		}
		if _, err := client.Generate(t.Context(), prompt(), nil); err != nil {
			t.Fatal(err)
		}
		if options, _ := w.Requests()[i].Fields["options"].(map[string]any); options["num_ctx"] != want {
			t.Errorf("request %d: options %v, want %v", i, options, want)
		}
	}
}

// TestP14AskingNeverTakesLong has a provider that does not answer, and one that answers without end.
func TestP14AskingNeverTakesLong(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-release:
		}
	}))
	t.Cleanup(hangs.Close)
	floods := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		llmtest.Floods(`{"data":[`, strings.Repeat(" ", 4096))(w, nil)
	}))
	t.Cleanup(floods.Close)
	chat := llmtest.Serve(t, answerOf("openai"))
	for _, base := range []string{hangs.URL, floods.URL} {
		client, _ := clientOf(t, chat, func(s *llm.Settings) { s.BaseURL = base + "/v1" })
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		started := time.Now()
		if got := client.AskWindow(ctx); got.Source != llm.WindowAssumed || time.Since(started) > 8*time.Second {
			t.Errorf("AskWindow = %+v after %s", got, time.Since(started))
		}
		cancel()
	}
}

// TestP14AnAnswerNeverTakesTheWholeWindow: with a small window the prompt keeps half of it.
func TestP14AnAnswerNeverTakesTheWholeWindow(t *testing.T) {
	w := llmtest.Describe(t, answerOf("openai"), map[string]string{"GET /v1/models": `{"data":[{"id":"test-model","max_model_len":1024}]}`})
	client, _ := clientOf(t, w.ChatServer(), func(s *llm.Settings) { s.BaseURL = w.URL + "/v1" })
	client.AskWindow(t.Context())
	p := prompt()
	p.MaxTokens = 4000
	if _, err := client.Generate(t.Context(), p, nil); err != nil || w.Requests()[0].Fields["max_completion_tokens"] != 512.0 {
		t.Errorf("asked %v, %v", w.Requests()[0].Fields, err)
	}
}
