package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tmc/langchaingo/embeddings"
	"github.com/tmc/langchaingo/llms/ollama"
)

// maxVectors is the most bytes read of one response with vectors: two hundred of the largest vectors.
const maxVectors = 32 << 20

// EmbedderSettings selects an embedding model.
type EmbedderSettings struct {
	// Provider is "openai" (including compatible servers), "googleai" or "ollama".
	Provider string
	Model    string
	// BaseURL replaces the provider's URL, empty to keep it.
	BaseURL string
	// APIKey may be empty for ollama and for compatible servers at a BaseURL that need none.
	APIKey string
	// HTTPClient makes the requests, a default client if nil; redirects are not followed.
	HTTPClient *http.Client
	// Now returns the time; it is required.
	Now func() time.Time
}

// Embedder is a client for one embedding model. It is safe for concurrent use.
type Embedder struct {
	settings Settings
	client   embeddings.EmbedderClient
}

// NewEmbedder checks the settings and returns an embedder. It does not use the network.
func NewEmbedder(s EmbedderSettings) (*Embedder, error) {
	if s.Model == "" {
		return nil, fmt.Errorf("create a %s embedder: no model is named: set embedder.model", s.Provider)
	}
	if s.Now == nil {
		return nil, errors.New("create an embedder: it needs a clock")
	}
	of := Settings{embedder: true, Provider: s.Provider, Model: s.Model, BaseURL: s.BaseURL, APIKey: s.APIKey}
	if err := of.checkURL(); err != nil {
		return nil, err
	}
	if s.APIKey == "" && s.Provider != "ollama" && s.BaseURL == "" {
		return nil, fmt.Errorf("create a %s embedder: it needs an API key: set embedder.api_key", s.Provider)
	}
	client, err := newEmbedderClient(of, watchedClient(s.HTTPClient, s.Now))
	if err != nil {
		return nil, fmt.Errorf("create a %s embedder: %s", s.Provider, detail(err.Error(), s.APIKey))
	}
	return &Embedder{settings: of, client: client}, nil
}

func newEmbedderClient(s Settings, client *http.Client) (embeddings.EmbedderClient, error) {
	switch s.Provider {
	case "openai":
		return newOpenAI(s, openaiURL, client)
	case "googleai":
		return newOpenAI(s, googleURL, client)
	case "ollama":
		return ollama.New(ollama.WithModel(s.Model), ollama.WithServerURL(s.url(ollamaURL)), ollama.WithHTTPClient(client))
	}
	return nil, fmt.Errorf("there is no provider %q: use openai, googleai or ollama", s.Provider)
}

// Model returns the provider and its name for the model.
func (e *Embedder) Model() string { return e.settings.Provider + " " + e.settings.Model }

// Embed requests the vectors of texts once, without retries. Errors are *Error; the response size is limited.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	w := &watch{limit: maxVectors}
	vectors, err := e.client.CreateEmbedding(withWatch(ctx, w), texts)
	switch {
	case err != nil || ctx.Err() != nil || w.failure() != nil:
		return nil, e.fault(ctx, w, err, texts)
	case len(vectors) != len(texts):
		return nil, e.fault(ctx, w, fmt.Errorf("it returned %d vectors for %d texts", len(vectors), len(texts)), texts)
	}
	return vectors, nil
}

// fault returns why texts were not embedded.
func (e *Embedder) fault(ctx context.Context, w *watch, err error, texts []string) *Error {
	fault := e.settings.classify(ctx, w, err)
	fault.Detail = conceal(fault.Detail, texts...)
	return fault
}
