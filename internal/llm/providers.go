package llm

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/ollama"
	"github.com/tmc/langchaingo/llms/openai"

	"familiar/prompts"
)

// The providers' URLs. They are always set here: otherwise the libraries would take them, and other settings, from
// environment variables.
const (
	openaiURL    = "https://api.openai.com/v1"
	anthropicURL = "https://api.anthropic.com/v1"
	ollamaURL    = "http://127.0.0.1:11434"
	// googleURL serves Google's models in OpenAI's format, with the key in a header. langchaingo's package for the
	// native format would add 25 MB to the binary and 13 MB to the memory of every process, and puts the key in URLs.
	googleURL = "https://generativelanguage.googleapis.com/v1beta/openai"
)

// provider is a model with the differences between providers.
type provider struct {
	model llms.Model
	// end is the content of the last event of a complete stream.
	end []byte
	// mark occurs in every response in the provider's format that holds an answer, even an empty one.
	mark []byte
	// options returns the options of a call.
	options func(p prompts.Prompt) []llms.CallOption
}

func newProvider(s Settings, client *http.Client) (provider, error) {
	p := provider{options: func(prompt prompts.Prompt) []llms.CallOption { return s.callOptions(prompt) }}
	var err error
	if err = s.checkURL(); err != nil {
		return p, err
	}
	if s.APIKey == "" && s.Provider != "ollama" && (s.BaseURL == "" || s.Provider == "anthropic") {
		return p, fmt.Errorf("create a %s client: it needs an API key: set model.api_key", s.Provider)
	}
	switch s.Provider {
	case "openai":
		p.end, p.mark = []byte("[DONE]"), []byte(`"choices"`)
		p.model, err = newOpenAI(s, openaiURL, client)
	case "googleai":
		p.end, p.mark = []byte("[DONE]"), []byte(`"choices"`)
		p.model, err = newOpenAI(s, googleURL, client)
	case "anthropic":
		p.end, p.mark = []byte(`message_stop`), []byte(`message`)
		p.model, err = anthropic.New(anthropic.WithModel(s.Model), anthropic.WithToken(s.APIKey),
			anthropic.WithBaseURL(s.url(anthropicURL)), anthropic.WithHTTPClient(client))
	case "ollama":
		p.end, p.mark = []byte(`"done":true`), []byte(`"done"`)
		p.model, err = ollama.New(ollama.WithModel(s.Model), ollama.WithServerURL(s.url(ollamaURL)),
			ollama.WithHTTPClient(client), ollama.WithRunnerNumCtx(s.ContextTokens))
	default:
		return p, fmt.Errorf("create a model client: there is no provider %q: use openai, anthropic, googleai or ollama", s.Provider)
	}
	if err != nil {
		return p, fmt.Errorf("create a %s client: %s", s.Provider, detail(err.Error(), s.APIKey))
	}
	return p, nil
}

// newOpenAI serves OpenAI and compatible servers. The library rejects an empty key, so a server that needs none gets a
// placeholder.
func newOpenAI(s Settings, home string, client *http.Client) (*openai.LLM, error) {
	key := s.APIKey
	if key == "" {
		key = "none"
	}
	return openai.New(openai.WithModel(s.Model), openai.WithEmbeddingModel(s.Model), openai.WithToken(key), openai.WithBaseURL(s.url(home)),
		openai.WithOrganization(""), openai.WithAPIType(openai.APITypeOpenAI), openai.WithHTTPClient(client))
}

func (s Settings) url(home string) string {
	if s.BaseURL != "" {
		return s.BaseURL
	}
	return home
}

// section returns the configuration section of the settings.
func (s Settings) section() string {
	if s.embedder {
		return "embedder"
	}
	return "model"
}

// checkURL rejects URLs with a user or a query, which would appear in logs, and malformed ones, for which ollama's
// package would end the process.
func (s Settings) checkURL() error {
	if s.BaseURL == "" {
		return nil
	}
	u, err := url.Parse(s.BaseURL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("create a %s client: %s.base_url is not an http or https URL", s.Provider, s.section())
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("create a %s client: %[2]s.base_url may not contain a user, query or fragment: a key belongs in %[2]s.api_key", s.Provider, s.section())
	}
	return nil
}

// callOptions returns the langchaingo options of a prompt, except its length limit and streaming.
func (s Settings) callOptions(p prompts.Prompt) []llms.CallOption {
	temperature := s.Temperature
	if p.Work {
		temperature = 0
	}
	options := []llms.CallOption{llms.WithTemperature(temperature)}
	if len(p.Stop) > 0 {
		options = append(options, llms.WithStopWords(p.Stop))
	}
	if p.JSON {
		options = append(options, llms.WithJSONMode())
	}
	if s.LegacyMaxTokens {
		options = append(options, openai.WithLegacyMaxTokensField())
	}
	return options
}

// contents converts a prompt to langchaingo's types.
func contents(p prompts.Prompt) []llms.MessageContent {
	all := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeSystem, p.System)}
	for _, m := range p.Messages {
		role := llms.ChatMessageTypeHuman
		if m.Role == prompts.Assistant {
			role = llms.ChatMessageTypeAI
		}
		all = append(all, llms.TextParts(role, m.Text))
	}
	return all
}
