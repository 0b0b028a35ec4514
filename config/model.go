package config

import (
	"fmt"
	"time"

	"familiar/internal/spelling"
)

// Provider is who runs the language model.
type Provider string

// The providers. Without a model the persona speaks plainly, out of templates and its memory.
const (
	NoModel   Provider = "none"
	OpenAI    Provider = "openai"
	Anthropic Provider = "anthropic"
	GoogleAI  Provider = "googleai" // at the address where Google serves OpenAI's protocol
	Ollama    Provider = "ollama"
)

// Providers are all providers, in the order they are shown.
var Providers = []Provider{NoModel, OpenAI, Anthropic, GoogleAI, Ollama}

// UnmarshalText takes one of Providers.
func (p *Provider) UnmarshalText(text []byte) error {
	names := make([]string, len(Providers))
	for i, known := range Providers {
		if names[i] = string(known); names[i] == string(text) {
			*p = known
			return nil
		}
	}
	if near := spelling.Nearest(string(text), names); near != "" {
		return fmt.Errorf("%q is no provider: did you mean %q?", text, near)
	}
	return fmt.Errorf("%q is no provider: take one of %q", text, names)
}

// NeedsKey says whether the provider wants an API key at its own address.
func (p Provider) NeedsKey() bool { return p == OpenAI || p == Anthropic || p == GoogleAI }

// KeyVariables are where the provider's API key is customarily found, the first choice first.
func (p Provider) KeyVariables() []string {
	switch p {
	case OpenAI:
		return []string{"OPENAI_API_KEY"}
	case Anthropic:
		return []string{"ANTHROPIC_API_KEY"}
	case GoogleAI:
		return []string{"GOOGLE_API_KEY", "GEMINI_API_KEY"}
	}
	return nil
}

// Model is the language model that puts the persona's scene into words.
type Model struct {
	Provider Provider `yaml:"provider"`
	// Model is the provider's name of the model; needed unless the provider is none.
	Model string `yaml:"model"`
	// BaseURL replaces the provider's address, "" for its own: a compatible server, another host's Ollama.
	BaseURL string `yaml:"base_url"`
	// APIKey refers to the key.
	APIKey Secret `yaml:"api_key"`
	// Timeout bounds one attempt, 1 s–10 min.
	Timeout time.Duration `yaml:"timeout"`
	// MaxTokens bounds one answer in a talk, 16–32,768 tokens; the persona's own work takes what its answers need.
	MaxTokens int `yaml:"max_tokens"`
	// Temperature is 0–2.
	Temperature float64 `yaml:"temperature"`
	// Retries is how often a failed attempt is tried again, 0–10.
	Retries int `yaml:"retries"`
	// LegacyMaxTokens sends max_tokens in place of max_completion_tokens, for compatible servers that know only that.
	LegacyMaxTokens bool `yaml:"legacy_max_tokens"`
	// ContextTokens is how much the model is given at once, prompt and answer together, 2,048–2,000,000 tokens.
	ContextTokens int `yaml:"context_tokens"`
	// PriceIn and PriceOut are in US dollars per million tokens, 0 when not known.
	PriceIn  float64 `yaml:"price_in"`
	PriceOut float64 `yaml:"price_out"`
}
