package setup

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"familiar/config"
)

func TestCompleteUsesDetectedValues(t *testing.T) {
	nothing := detected{ollama: "http://127.0.0.1:11434"}
	ollama := detected{ollama: "http://127.0.0.1:11434", models: []string{"small", "big"}}
	elsewhere := detected{ollama: "http://box:1", models: []string{"small"}}
	gemini := detected{keys: map[config.Provider]string{config.GoogleAI: "GEMINI_API_KEY"}}
	for _, c := range []struct {
		name        string
		found       detected
		given, want config.Choices
	}{
		{"nothing", nothing, config.Choices{}, config.Choices{Persona: "nell", Provider: "none"}},
		{"ollama", ollama, config.Choices{}, config.Choices{Persona: "nell", Provider: "ollama", Model: "small"}},
		{
			"ollama elsewhere", elsewhere,
			config.Choices{},
			config.Choices{Persona: "nell", Provider: "ollama", Model: "small", BaseURL: "http://box:1"},
		},
		{
			"second variable", gemini,
			config.Choices{},
			config.Choices{Persona: "nell", Provider: "googleai", Model: SuggestedModel["googleai"], APIKey: "env:GEMINI_API_KEY"},
		},
		{
			"no key yet", ollama,
			config.Choices{Provider: "anthropic", Model: "m"},
			config.Choices{Persona: "nell", Provider: "anthropic", Model: "m", APIKey: "env:ANTHROPIC_API_KEY"},
		},
		{
			"another server", gemini,
			config.Choices{Provider: "googleai", Model: "m", BaseURL: "http://x"},
			config.Choices{Persona: "nell", Provider: "googleai", Model: "m", BaseURL: "http://x"},
		},
		{
			"refused", ollama,
			config.Choices{Provider: "none", Persona: "ambrose"},
			config.Choices{Persona: "ambrose", Provider: "none"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.found.complete(c.given); got != c.want {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestMisbehavingOllamaIsIgnored(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"error":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"not json": func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<html>")) },
		"hang":     func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(handler)
			defer server.Close()
			began := time.Now()
			if got := ollamaModels(context.Background(), server.URL); got != nil {
				t.Errorf("found %q", got)
			}
			if took := time.Since(began); took > 10*probeTimeout {
				t.Errorf("took %v", took)
			}
		})
	}
}
