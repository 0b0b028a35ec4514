package main

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

// detected are what was found to run a model with.
type detected struct {
	// ollama is the address asked, models what it runs, best first; none when nobody answered.
	ollama string
	models []string
	// keys are the variables of the environment that hold a provider's key.
	keys map[config.Provider]string
}

const (
	// probeTimeout is how long somebody setting up should wait for a server that is not there.
	probeTimeout = 500 * time.Millisecond
	// probeSize bounds the list of models, in bytes.
	probeSize = 1 << 20
)

// detect asks this machine's Ollama and looks for keys in the environment.
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

// ollamaModels are the models that can talk, nil when no Ollama answers: not having one is no fault.
func ollamaModels(ctx context.Context, address string) []string {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/api/tags", nil)
	if err != nil {
		return nil
	}
	// Not through a proxy: the question is what runs here.
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return nil
	}
	defer func() { _ = resp.Body.Close() }() // only read
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
		// Embedding models are listed with the others and cannot talk.
		if name := cli.OneLine(m.Name); name != "" && !strings.Contains(name, "embed") {
			models = append(models, name)
		}
	}
	return models
}

// suggestedModel is a small model of each provider that is good at talk: a first choice, to be changed at will.
var suggestedModel = map[config.Provider]string{
	config.OpenAI:    "gpt-4.1-mini",
	config.Anthropic: "claude-haiku-4-5",
	config.GoogleAI:  "gemini-2.5-flash",
}

// provider is the best there is: what runs here before what costs money and leaves the machine, and nothing else but
// no model.
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

// complete completes what was not chosen with what was found.
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
	// Another address is another's server: a provider's key is not offered to it unasked.
	if c.Provider.NeedsKey() && c.APIKey == "" && c.BaseURL == "" {
		c.APIKey = "env:" + s.keyVariable(c.Provider)
	}
	return c
}

func (s detected) model(p config.Provider) string {
	if p == config.Ollama && len(s.models) > 0 {
		return s.models[0]
	}
	return suggestedModel[p]
}

// address is where the provider is when that is not its usual address, else "".
func (s detected) address(p config.Provider) string {
	if usual := config.Env(nil).OllamaURL(); p == config.Ollama && s.ollama != usual {
		return s.ollama
	}
	return ""
}

// keyVariable is the variable that holds the provider's key, or should.
func (s detected) keyVariable(p config.Provider) string {
	if name := s.keys[p]; name != "" {
		return name
	}
	return p.KeyVariables()[0]
}

// String says what was found, "" when nothing was.
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
