package config

import (
	"fmt"
	"time"

	"familiar/internal/spelling"
)

// EmbedderProvider is who turns texts into vectors.
type EmbedderProvider string

// The providers of vectors. Without one, recall goes by words alone and no text leaves for it.
const (
	NoEmbedder     EmbedderProvider = "none"
	OpenAIEmbedder EmbedderProvider = "openai"
	GoogleEmbedder EmbedderProvider = "googleai"
	OllamaEmbedder EmbedderProvider = "ollama"
	ONNXEmbedder   EmbedderProvider = "onnx" // in this process, from a folder
)

// EmbedderProviders are all of them, in the order they are shown.
var EmbedderProviders = []EmbedderProvider{NoEmbedder, OpenAIEmbedder, GoogleEmbedder, OllamaEmbedder, ONNXEmbedder}

// UnmarshalText takes one of EmbedderProviders.
func (p *EmbedderProvider) UnmarshalText(text []byte) error {
	names := make([]string, len(EmbedderProviders))
	for i, known := range EmbedderProviders {
		if names[i] = string(known); names[i] == string(text) {
			*p = known
			return nil
		}
	}
	if near := spelling.Nearest(string(text), names); near != "" {
		return fmt.Errorf("%q gives no vectors: did you mean %q?", text, near)
	}
	return fmt.Errorf("%q gives no vectors: take one of %q", text, names)
}

// NeedsKey says whether the provider wants an API key at its own address.
func (p EmbedderProvider) NeedsKey() bool { return p == OpenAIEmbedder || p == GoogleEmbedder }

// Embedder is what turns memories and questions into vectors, so that recall also finds what was said in other words.
type Embedder struct {
	Provider EmbedderProvider `yaml:"provider"`
	// Model is the provider's name of the model, with onnx the folder it is in; needed unless the provider is none.
	Model string `yaml:"model"`
	// BaseURL replaces the provider's address, "" for its own.
	BaseURL string `yaml:"base_url"`
	// APIKey refers to the key.
	APIKey Secret `yaml:"api_key"`
	// Timeout bounds one call for memories, 1 s–10 min.
	Timeout time.Duration `yaml:"timeout"`
	// QueryTimeout bounds the call for what is asked, 10 ms–10 s: somebody waits for it.
	QueryTimeout time.Duration `yaml:"query_timeout"`
	// Batch is how many texts are sent at once, 1–256.
	Batch int `yaml:"batch"`
}
