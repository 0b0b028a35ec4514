package setup

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"familiar/config"
	"familiar/internal/cli"
)

// detected holds the model providers that were found on this machine.
type detected struct {
	// ollama is the address that was asked, models what it runs, best first; empty if nothing answered.
	ollama string
	models []string
	// keys maps providers to the environment variables that hold their keys.
	keys map[config.Provider]string
}

const (
	// probeTimeout is how long init waits for a server that may not exist.
	probeTimeout = 500 * time.Millisecond
	// probeSize limits the list of models, in bytes.
	probeSize = 1 << 20
)

// detect asks this machine's Ollama and looks for API keys in the environment.
func detect(ctx context.Context, env config.Env) detected {
	found := detected{ollama: env.OllamaURL(), keys: map[config.Provider]string{}}
	found.models = ollamaModels(ctx, found.ollama)
	for _, p := range config.Providers {
		for _, name := range p.KeyVariables() {
			if env.Has(name) && found.keys[p] == "" {
				found.keys[p] = name
			}
		}
	}
	return found
}

// ollamaModels returns the chat models, nil if no Ollama answers: not having one is not an error.
func ollamaModels(ctx context.Context, address string) []string {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/api/tags", nil)
	if err != nil {
		return nil
	}
	// No proxy: the question is what runs on this machine.
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return nil
	}
	defer func() { _ = resp.Body.Close() }() // read only
	var tags struct {
		Models []struct {
			Name string `json:"name"`
		} `json:"models"`
	}
	if resp.StatusCode != http.StatusOK || json.NewDecoder(io.LimitReader(resp.Body, probeSize)).Decode(&tags) != nil {
		return nil
	}
	var models []string
	for _, m := range tags.Models {
		// Ollama lists embedding models too, which cannot chat.
		if name := cli.OneLine(m.Name); name != "" && !strings.Contains(name, "embed") {
			models = append(models, name)
		}
	}
	return models
}

// SuggestedModel is a small chat model of each provider, as a first choice.
var SuggestedModel = map[config.Provider]string{
	config.OpenAI:    "gpt-5.4-mini",
	config.Anthropic: "claude-haiku-4-5",
	config.GoogleAI:  "gemini-3.6-flash",
}

// provider returns the best provider found. A local one comes before one that costs money and receives the data;
// without either it is NoModel.
func (s detected) provider() config.Provider {
	if len(s.models) > 0 {
		return config.Ollama
	}
	for _, p := range config.Providers {
		if s.keys[p] != "" {
			return p
		}
	}
	return config.NoModel
}

// complete fills in what was not chosen with what was found.
func (s detected) complete(c config.Choices) config.Choices {
	if c.Persona == "" {
		c.Persona = config.DefaultPersona
	}
	if c.Provider == "" {
		c.Provider = s.provider()
	}
	if c.Model == "" {
		c.Model = s.model(c.Provider)
	}
	if c.BaseURL == "" {
		c.BaseURL = s.address(c.Provider)
	}
	// Another address is somebody else's server: a provider's key is not sent there without being asked for.
	if c.Provider.NeedsKey() && c.APIKey == "" && c.BaseURL == "" {
		c.APIKey = "env:" + s.keyVariable(c.Provider)
	}
	return c
}

func (s detected) model(p config.Provider) string {
	if p == config.Ollama && len(s.models) > 0 {
		return s.models[0]
	}
	return SuggestedModel[p]
}

// address returns the provider's address if it is not the default one, otherwise "".
func (s detected) address(p config.Provider) string {
	if usual := config.Env(nil).OllamaURL(); p == config.Ollama && s.ollama != usual {
		return s.ollama
	}
	return ""
}

// keyVariable returns the variable that holds the provider's key, or the usual name for it.
func (s detected) keyVariable(p config.Provider) string {
	if name := s.keys[p]; name != "" {
		return name
	}
	return p.KeyVariables()[0]
}

// String describes what was found, "" for nothing.
func (s detected) String() string {
	var found []string
	if len(s.models) > 0 {
		found = append(found, "Ollama at "+s.ollama+" with "+strings.Join(s.models, ", "))
	}
	for _, p := range config.Providers {
		if s.keys[p] != "" {
			found = append(found, "$"+s.keys[p])
		}
	}
	return strings.Join(found, "; ")
}
