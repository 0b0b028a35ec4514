package config

import (
	"fmt"
	"time"

	"familiar/internal/spelling"
)

// EmbedderProvider names the service that computes vectors.
type EmbedderProvider string

// The providers. Without one, recall searches by words only and no text is sent anywhere for it.
const (
	NoEmbedder     EmbedderProvider = "none"
	OpenAIEmbedder EmbedderProvider = "openai"
	GoogleEmbedder EmbedderProvider = "googleai"
	OllamaEmbedder EmbedderProvider = "ollama"
	ONNXEmbedder   EmbedderProvider = "onnx" // in this process, from a folder
)

// EmbedderProviders lists all providers in display order.
var EmbedderProviders = []EmbedderProvider{NoEmbedder, OpenAIEmbedder, GoogleEmbedder, OllamaEmbedder, ONNXEmbedder}

// UnmarshalText parses one of EmbedderProviders.
func (p *EmbedderProvider) UnmarshalText(text []byte) error {
	names := make([]string, len(EmbedderProviders))
	for i, known := range EmbedderProviders {
		if names[i] = string(known); names[i] == string(text) {
			*p = known
			return nil
		}
	}
	if near := spelling.Nearest(string(text), names); near != "" {
		return fmt.Errorf("%q is not a provider of vectors: did you mean %q?", text, near)
	}
	return fmt.Errorf("%q is not a provider of vectors: use one of %q", text, names)
}

// NeedsKey reports whether the provider requires an API key at its own address.
func (p EmbedderProvider) NeedsKey() bool { return p == OpenAIEmbedder || p == GoogleEmbedder }

// Embedder configures the model that turns memories and queries into vectors, so that recall also finds other wordings.
type Embedder struct {
	Provider EmbedderProvider `yaml:"provider"`
	// Model is the provider's name for the model, or with onnx its folder. It is required unless the provider is none.
	Model string `yaml:"model"`
	// BaseURL replaces the provider's address, "" for the default.
	BaseURL string `yaml:"base_url"`
	// APIKey refers to the key.
	APIKey Secret `yaml:"api_key"`
	// Timeout limits one call for memories, 1 s–10 min.
	Timeout time.Duration `yaml:"timeout"`
	// QueryTimeout limits the call for a query, 10 ms–10 s: somebody is waiting for it.
	QueryTimeout time.Duration `yaml:"query_timeout"`
	// Batch is the number of texts per call, 1–256.
	Batch int `yaml:"batch"`
}
