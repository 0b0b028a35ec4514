package llm_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
	"familiar/prompts"
)

// as selects another provider's format.
func as(provider string) func(*llm.Settings) {
	return func(s *llm.Settings) {
		s.Provider = provider
		s.ContextTokens = 4096
		if provider == "ollama" {
			s.APIKey, s.BaseURL = "", strings.TrimSuffix(s.BaseURL, "/v1")
		}
	}
}

// event returns one event of Anthropic's stream.
func event(data string) string {
	kind, _, _ := strings.Cut(strings.TrimPrefix(data, `{"type":"`), `"`)
	return "event: " + kind + "\ndata: " + data + "\n\n"
}

const anthropicStart = `{"type":"message_start","message":{"id":"m","role":"assistant","content":[],"usage":{"input_tokens":21,"output_tokens":1}}}`

func anthropicPiece(text string) string {
	return event(fmt.Sprintf(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%q}}`, text))
}

func anthropicOpening() string {
	return event(anthropicStart) + event(`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`)
}

func anthropicClosing() string {
	return event(`{"type":"content_block_stop","index":0}`) +
		event(`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}`) +
		event(`{"type":"message_stop"}`)
}

func TestAnthropicAnswers(t *testing.T) {
	plain := llmtest.Sends(200, `{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"I am well."}],`+
		`"stop_reason":"end_turn","usage":{"input_tokens":21,"output_tokens":4}}`)
	streamed := llmtest.Streams(anthropicOpening(), anthropicPiece("I am"), anthropicPiece(" well."), anthropicClosing())
	w := llmtest.Serve(t, plain, streamed)
	c, _ := clientOf(t, w, as("anthropic"))
	want := prompts.Answer{Text: "I am well.", TokensIn: 21, TokensOut: 4, Requests: 1, Stop: prompts.StopEnd}
	if got, err := c.Generate(t.Context(), prompt(), nil); err != nil || got != want {
		t.Errorf("Generate = %+v, %v, want %+v", got, err, want)
	}
	stream, said := collect()
	if got, err := c.Generate(t.Context(), prompt(), stream); err != nil || got != want || said.String() != want.Text {
		t.Errorf("streamed %q and %+v, %v, want %+v", said, got, err, want)
	}
	r := w.Requests()[0]
	if r.URL.Path != "/v1/messages" || r.Header.Get("X-Api-Key") != key || r.Fields["max_tokens"] != 50.0 || r.Fields["system"] != "Be brief." {
		t.Errorf("asked %s: %v", r.URL.Path, r.Fields)
	}
}

func TestAnthropicFaults(t *testing.T) {
	overloaded := `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`
	for _, c := range []struct {
		name     string
		stream   bool
		handler  llmtest.Answer
		kind     llm.Kind
		attempts int
		partial  string
	}{
		{"529", false, llmtest.Sends(529, overloaded), llm.Server, 3, ""},
		{"401", true, llmtest.Sends(401, `{"error":{"message":"bad `+key+`"}}`), llm.Auth, 1, ""},
		{"an error in the stream", true, llmtest.Streams(anthropicOpening(), anthropicPiece("I am"), event(overloaded)), llm.Server, 1, "I am"},
		{"a cut stream", true, llmtest.Streams(anthropicOpening(), anthropicPiece("I am")), llm.Server, 1, "I am"},
		{"no text", false, llmtest.Sends(200, `{"content":[],"usage":{"input_tokens":1,"output_tokens":0}}`), llm.Server, 3, ""},
		{"truncated JSON", false, llmtest.Sends(200, `{"content":[{"type":"te`), llm.Server, 3, ""},
	} {
		t.Run(c.name, func(t *testing.T) { checkFault(t, "anthropic", c.stream, c.handler, c.kind, c.attempts, c.partial) })
	}
}

const ollamaAnswer = `{"model":"test-model","message":{"role":"assistant","content":"I am well."},"done":true,"prompt_eval_count":21,"eval_count":4}`

func ollamaPiece(text string) string {
	return fmt.Sprintf("{\"model\":\"test-model\",\"message\":{\"role\":\"assistant\",\"content\":%q},\"done\":false}\n", text)
}

func TestOllamaAnswers(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Sends(200, ollamaAnswer), llmtest.Streams(ollamaPiece("I am"), ollamaPiece(" well."),
		`{"model":"test-model","message":{"role":"assistant","content":""},"done":true,"prompt_eval_count":21,"eval_count":4}`+"\n"))
	c, _ := clientOf(t, w, as("ollama"))
	want := prompts.Answer{Text: "I am well.", TokensIn: 21, TokensOut: 4, Requests: 1, Stop: prompts.StopEnd}
	p := prompt()
	p.JSON = true
	if got, err := c.Generate(t.Context(), p, nil); err != nil || got != want {
		t.Errorf("Generate = %+v, %v, want %+v", got, err, want)
	}
	stream, said := collect()
	if got, err := c.Generate(t.Context(), prompt(), stream); err != nil || got != want || said.String() != want.Text {
		t.Errorf("streamed %q and %+v, %v, want %+v", said, got, err, want)
	}
	r := w.Requests()[0]
	options, _ := r.Fields["options"].(map[string]any)
	if r.URL.Path != "/api/chat" || r.Fields["format"] != "json" || options["num_predict"] != 50.0 || options["num_ctx"] != 4096.0 {
		t.Errorf("asked %s: %v", r.URL.Path, r.Fields)
	}
}

func TestOllamaFaults(t *testing.T) {
	for _, c := range []struct {
		name     string
		stream   bool
		handler  llmtest.Answer
		kind     llm.Kind
		attempts int
		partial  string
	}{
		{"no such model", false, llmtest.Sends(404, `{"error":"model not found"}`), llm.Bad, 1, ""},
		{"out of memory", false, llmtest.Sends(500, `{"error":"no memory"}`), llm.Server, 3, ""},
		{"an error in the stream", true, llmtest.Streams(ollamaPiece("I am"), `{"error":"crashed"}`+"\n"), llm.Server, 1, "I am"},
		{"a cut stream", true, llmtest.Streams(ollamaPiece("I am")), llm.Server, 1, "I am"},
		{"a cut line", true, llmtest.Streams(ollamaPiece("I am"), `{"mess`), llm.Server, 1, "I am"},
		{"empty", false, llmtest.Sends(200, `{"message":{"role":"assistant","content":""},"done":true}`), llm.Empty, 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) { checkFault(t, "ollama", c.stream, c.handler, c.kind, c.attempts, c.partial) })
	}
}

func checkFault(t *testing.T, provider string, streamed bool, h llmtest.Answer, kind llm.Kind, attempts int, partial string) {
	t.Helper()
	w := llmtest.Serve(t, h)
	c, _ := clientOf(t, w, as(provider))
	var stream func(string)
	if streamed {
		stream, _ = collect()
	}
	got, err := c.Generate(t.Context(), prompt(), stream)
	var fault *llm.Error
	if !errors.As(err, &fault) || fault.Kind != kind || got.Text != partial || len(w.Requests()) != attempts {
		t.Errorf("Generate = %q, %v after %d attempts, want %q, kind %s after %d", got.Text, err, len(w.Requests()), partial, kind, attempts)
	}
	checkNoSecret(t, err)
}

func TestGoogleKeepsTheKeyOutOfTheAddress(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Sends(200, openaiAnswer))
	c, _ := clientOf(t, w, as("googleai"))
	if got, err := c.Generate(t.Context(), prompt(), nil); err != nil || got.Text != "I am well." {
		t.Fatalf("Generate = %+v, %v", got, err)
	}
	if r := w.Requests()[0]; strings.Contains(r.URL.String(), "canary") || r.Header.Get("Authorization") != "Bearer "+key {
		t.Errorf("asked %s", r.URL)
	}
}

// TestGoogleFaults fails as Google's server does: errors are lists, and a wrong key is a bad request.
func TestGoogleFaults(t *testing.T) {
	refusal := func(status int, word string) llmtest.Answer {
		return llmtest.Sends(status, fmt.Sprintf(`[{"error":{"code":%d,"message":"%s %s","status":"X"}}]`, status, word, key))
	}
	for _, c := range []struct {
		name     string
		stream   bool
		handler  llmtest.Answer
		kind     llm.Kind
		attempts int
		partial  string
	}{
		{"a wrong key", false, refusal(400, "API key not valid"), llm.Bad, 1, ""},
		{"no such model", true, refusal(404, "models/x is not found"), llm.Bad, 1, ""},
		{"a key that may not", false, refusal(403, "permission denied"), llm.Auth, 1, ""},
		{"out of quota", true, refusal(429, "resource exhausted"), llm.RateLimited, 3, ""},
		{"overloaded", false, refusal(503, "the model is overloaded"), llm.Server, 3, ""},
		{"a cut stream", true, llmtest.Streams(llmtest.Delta("I am", "")), llm.Server, 1, "I am"},
	} {
		t.Run(c.name, func(t *testing.T) { checkFault(t, "googleai", c.stream, c.handler, c.kind, c.attempts, c.partial) })
	}
	w := llmtest.Serve(t, refusal(400, "API key not valid"))
	c, _ := clientOf(t, w, as("googleai"))
	if _, err := c.Generate(t.Context(), prompt(), nil); err == nil || !strings.HasPrefix(err.Error(), "ask googleai: ") ||
		!strings.Contains(err.Error(), "model.api_key") {
		t.Errorf("%v does not name the provider and the key as what to check", err)
	}
}

func TestGoogleStreams(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Streams(llmtest.Delta("I am", ""), llmtest.Delta(" well.", "stop"), llmtest.Usage, llmtest.Done))
	c, _ := clientOf(t, w, as("googleai"))
	stream, said := collect()
	want := prompts.Answer{Text: "I am well.", TokensIn: 21, TokensOut: 4, Requests: 1, Stop: prompts.StopEnd}
	if got, err := c.Generate(t.Context(), prompt(), stream); err != nil || got != want || said.String() != want.Text {
		t.Errorf("streamed %q and %+v, %v, want %+v", said, got, err, want)
	}
}

func TestACompatibleServerWithoutAKey(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Sends(200, openaiAnswer))
	c, _ := clientOf(t, w, func(s *llm.Settings) { s.APIKey = "" })
	if _, err := c.Generate(t.Context(), prompt(), nil); err != nil {
		t.Error(err)
	}
}

func TestTheEnvironmentIsIgnored(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Sends(200, openaiAnswer))
	other := llmtest.Serve(t, llmtest.Sends(200, openaiAnswer))
	for name, value := range map[string]string{
		"OPENAI_API_KEY": "sk-other", "OPENAI_MODEL": "other", "OPENAI_BASE_URL": other.URL, "OPENAI_API_BASE": other.URL,
		"OPENAI_ORGANIZATION": "other",
	} {
		t.Setenv(name, value)
	}
	c, _ := clientOf(t, w, nil)
	if _, err := c.Generate(t.Context(), prompt(), nil); err != nil {
		t.Fatal(err)
	}
	r := w.Requests()[0]
	if len(other.Requests()) != 0 || r.Fields["model"] != "test-model" || r.Header.Get("OpenAI-Organization") != "" {
		t.Errorf("the environment was followed: %v %v", r.Header, r.Fields)
	}
	if _, err := llm.New(llm.Settings{
		Provider: "openai", Model: "m", Timeout: time.Second, MaxTokens: 1, Now: time.Now, Rand: func() float64 { return 0 },
	}); err == nil {
		t.Error("a key was taken from the environment")
	}
}

func TestNewRefuses(t *testing.T) {
	good := llm.Settings{
		Provider: "openai", Model: "m", APIKey: key, Timeout: time.Second, MaxTokens: 10, Now: time.Now,
		Rand: func() float64 { return 0 },
	}
	if _, err := llm.New(good); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*llm.Settings){
		"no model":         func(s *llm.Settings) { s.Model = "" },
		"no timeout":       func(s *llm.Settings) { s.Timeout = 0 },
		"no limit":         func(s *llm.Settings) { s.MaxTokens = 0 },
		"many retries":     func(s *llm.Settings) { s.Retries = 11 },
		"no clock":         func(s *llm.Settings) { s.Now = nil },
		"no randomness":    func(s *llm.Settings) { s.Rand = nil },
		"no key":           func(s *llm.Settings) { s.APIKey = "" },
		"no key elsewhere": func(s *llm.Settings) { s.Provider, s.APIKey, s.BaseURL = "anthropic", "", "http://localhost" },
		"unknown provider": func(s *llm.Settings) { s.Provider = "oracle" },
		"bad address":      func(s *llm.Settings) { s.Provider, s.BaseURL = "ollama", "://"+key },
		"key in address":   func(s *llm.Settings) { s.BaseURL = "https://x/?key=" + key },
		"user in address":  func(s *llm.Settings) { s.BaseURL = "https://me:" + key + "@x/" },
	} {
		s := good
		change(&s)
		_, err := llm.New(s)
		if err == nil {
			t.Errorf("%s: accepted", name)
			continue
		}
		checkNoSecret(t, err)
	}
}
