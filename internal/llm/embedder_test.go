package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/internal/llm/llmtest"
)

func embedderOf(t *testing.T, provider, url string) *Embedder {
	t.Helper()
	e, err := NewEmbedder(EmbedderSettings{Provider: provider, Model: "embed-1", BaseURL: url, APIKey: "sk-canary", Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEmbed(t *testing.T) {
	texts := []string{"a hound", "a boat"}
	for _, provider := range []string{"openai", "googleai"} {
		s := llmtest.Serve(t, llmtest.Embeds(16))
		e := embedderOf(t, provider, s.URL+"/v1")
		got, err := e.Embed(t.Context(), texts)
		if err != nil || len(got) != 2 || !slices.Equal(got[1], llmtest.Vector("a boat", 16)) || e.Model() != provider+" embed-1" {
			t.Fatalf("%s: %v, %v", e.Model(), got, err)
		}
		asked := s.Requests()
		if len(asked) != 1 || asked[0].Model != "embed-1" || !slices.Equal(asked[0].Input, texts) || asked[0].URL.Path != "/v1/embeddings" {
			t.Errorf("%s: asked %v", provider, asked[0].Fields)
		}
		if by := asked[0].Header.Get("Authorization"); by != "Bearer sk-canary" {
			t.Errorf("%s: authorized with %q", provider, by)
		}
	}
}

func TestEmbedWithOllama(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Model, Input string }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || asked.Model != "embed-1" || r.URL.Path != "/api/embed" {
			http.Error(w, "not as Ollama is asked", http.StatusBadRequest)
			return
		}
		fmt.Fprintf(w, `{"embeddings":[[%d,1]]}`, len(asked.Input))
	}))
	defer s.Close()
	got, err := embedderOf(t, "ollama", s.URL).Embed(t.Context(), []string{"a hound", "a boat"})
	if err != nil || len(got) != 2 || got[0][0] != 7 || got[1][0] != 6 {
		t.Errorf("%v, %v", got, err)
	}
}

// endless sends a response larger than any with vectors.
func endless(w http.ResponseWriter, _ *llmtest.Request) {
	piece := []byte(strings.Repeat(" ", 1<<20))
	for range maxVectors>>20 + 2 {
		if _, err := w.Write(piece); err != nil {
			return
		}
	}
}

func TestEmbedFaults(t *testing.T) {
	for name, c := range map[string]struct {
		answer llmtest.Answer
		kind   Kind
		says   string
	}{
		"refuses the key": {llmtest.Sends(401, "wrong key sk-canary"), Auth, "check embedder.api_key"},
		"repeats the key": {llmtest.Sends(400, `{"error":{"message":"bad sk-canary"}}`), Bad, "check embedder.model"},
		"busy":            {llmtest.Busy("7"), RateLimited, "it asked to wait 7s"},
		"fails":           {llmtest.Sends(500, ""), Server, "(status 500)"},
		"garbage":         {llmtest.Sends(200, "<html>"), Server, "sends no vectors"},
		"no vectors":      {llmtest.Sends(200, `{"data":[]}`), Server, "ask openai"},
		"too few":         {llmtest.Vectors([]float32{1}), Server, "unexpected length"},
		"no number":       {llmtest.Sends(200, `{"data":[{"embedding":[NaN]},{"embedding":[1]}]}`), Server, "ask openai"},
		"past any number": {llmtest.Sends(200, `{"data":[{"embedding":[1e400]},{"embedding":[1]}]}`), Server, "ask openai"},
		"nothing in time": {llmtest.Hangs(), Timeout, "embedder.query_timeout"},
		"goes elsewhere":  {llmtest.Sends(302, ""), Bad, "ask openai"},
		"without an end":  {endless, TooLong, "larger than 32 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			within := time.Minute
			if c.kind == Timeout {
				within = 50 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(t.Context(), within)
			defer cancel()
			got, err := embedderOf(t, "openai", llmtest.Serve(t, c.answer).URL+"/v1").Embed(ctx, []string{"a", "b"})
			var fault *Error
			if got != nil || !errors.As(err, &fault) || fault.Kind != c.kind || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, %v", got, err)
			}
			if strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), "model.base_url") {
				t.Errorf("it says %v", err)
			}
		})
	}
}

func TestNewEmbedderRefuses(t *testing.T) {
	for want, s := range map[string]EmbedderSettings{
		"set embedder.model":                {Provider: "openai", APIKey: "k", Now: time.Now},
		"set embedder.api_key":              {Provider: "openai", Model: "m", Now: time.Now},
		"embedder.base_url is no":           {Provider: "openai", Model: "m", BaseURL: "ftp://x", Now: time.Now},
		"a key belongs in embedder.api_key": {Provider: "openai", Model: "m", BaseURL: "http://sk-canary@x/v1", Now: time.Now},
		"there is no provider":              {Provider: "anthropic", Model: "m", APIKey: "k", Now: time.Now},
		"needs a clock":                     {Provider: "openai", Model: "m", APIKey: "k"},
	} {
		if _, err := NewEmbedder(s); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "canary") {
			t.Errorf("want %q: %v", want, err)
		}
	}
}
