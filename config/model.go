package config

import (
	"fmt"
	"time"

	"familiar/internal/settings"
	"familiar/internal/spelling"
	"familiar/internal/strictyaml"
)

// Provider names the service that runs the language model.
type Provider string

// The providers. Without a model the persona answers from templates and its memory.
const (
	NoModel   Provider = "none"
	OpenAI    Provider = "openai"
	Anthropic Provider = "anthropic"
	GoogleAI  Provider = "googleai" // through Google's OpenAI-compatible endpoint
	Ollama    Provider = "ollama"
)

// Providers lists all providers in display order.
var Providers = []Provider{NoModel, OpenAI, Anthropic, GoogleAI, Ollama}

// UnmarshalText parses one of Providers.
func (p *Provider) UnmarshalText(text []byte) error {
	names := make([]string, len(Providers))
	for i, known := range Providers {
		if names[i] = string(known); names[i] == string(text) {
			*p = known
			return nil
		}
	}
	if near := spelling.Nearest(string(text), names); near != "" {
		return fmt.Errorf("%q is not a provider: did you mean %q?", text, near)
	}
	return fmt.Errorf("%q is not a provider: use one of %q", text, names)
}

// NeedsKey reports whether the provider requires an API key at its own address.
func (p Provider) NeedsKey() bool { return p == OpenAI || p == Anthropic || p == GoogleAI }

// KeyVariables returns the environment variables that usually hold the provider's API key, the preferred one first.
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

// ModelSettings configure one language model.
type ModelSettings struct {
	Provider Provider `yaml:"provider"`
	// Model is the provider's name for the model. It is required unless the provider is none.
	Model string `yaml:"model"`
	// API is which of OpenAI's interfaces is used.
	API API `yaml:"api"`
	// BaseURL replaces the provider's address, "" for the default: a compatible server, or Ollama on another host.
	BaseURL string `yaml:"base_url"`
	// APIKey refers to the key.
	APIKey Secret `yaml:"api_key"`
	// Timeout limits one attempt, 1 s–10 min.
	Timeout time.Duration `yaml:"timeout"`
	// MaxTokens limits one reply, 16–32,768 tokens. Jobs take what their answers need.
	MaxTokens int `yaml:"max_tokens"`
	// Temperature is 0–2.
	Temperature float64 `yaml:"temperature"`
	// Retries is how often a failed attempt is repeated, 0–10.
	Retries int `yaml:"retries"`
	// InFlight is how many requests may be under way at a time, 1–64; 0 for 4, or 2 with ollama and servers in the own
	// network.
	InFlight int `yaml:"in_flight"`
	// LegacyMaxTokens sends max_tokens instead of max_completion_tokens, for compatible servers that know only the
	// former.
	LegacyMaxTokens bool `yaml:"legacy_max_tokens"`
	// ContextTokens is the model's context size for prompt and answer together, 2,048–2,000,000 tokens; 0 asks the provider.
	ContextTokens int `yaml:"context_tokens"`
	// PromptTokens is the longest prompt for a reply, 1,024–2,000,000 tokens; 0 for what ContextTokens leaves, or if the
	// provider is asked, for at most 16,384.
	PromptTokens int `yaml:"prompt_tokens"`
	// Tools is whether the model is offered tools while it answers, Vision whether it is shown the pictures that people send.
	Tools  Use `yaml:"tools"`
	Vision Use `yaml:"vision"`
	// Effort is how long a model that thinks may think, "" to send nothing.
	Effort Effort `yaml:"effort"`
	// ExtraBody is merged into the body of each request.
	ExtraBody strictyaml.Object `yaml:"extra_body"`
	// Headers are added to each request.
	Headers Headers `yaml:"headers"`
	// PriceIn and PriceOut are in US dollars per million tokens, 0 if unknown. PriceCached is that of a prompt's tokens which
	// the provider reads from its cache; 0 for a tenth of PriceIn with anthropic, else PriceIn.
	PriceIn     float64 `yaml:"price_in"`
	PriceOut    float64 `yaml:"price_out"`
	PriceCached float64 `yaml:"price_cached"`

	// section is the path of the section in the file.
	section string
}

// Effort is how long a model that thinks may think before it answers.
type Effort string

// UnmarshalText parses low, medium, high or nothing.
func (e *Effort) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*e = ""
		return nil
	}
	return settings.Choose(e, text, "low", "medium", "high")
}

// API is an interface of OpenAI's: auto takes chat completions, and responses for models that exist only there.
type API string

// UnmarshalText parses auto, chat or responses.
func (a *API) UnmarshalText(text []byte) error {
	return settings.Choose(a, text, "auto", "chat", "responses")
}
