package config

import (
	"maps"
	"slices"
	"time"
)

// ownKeys are the keys of a request's body that the program sets.
var ownKeys = []string{"model", "messages", "stream"}

// validateModel reports problems of the model section at path. A value that another section gives is reported there.
func (c *Config) validateModel(path string, m *ModelSettings) {
	at := func(key string) string { return path + "." + key }
	if m.Provider != NoModel && m.Model == "" {
		c.doc.Problemf(at("model"), "is required with provider %s: set the name of the model", m.Provider)
	}
	if m.Provider.NeedsKey() && m.BaseURL == "" && !m.APIKey.Set() && !c.doc.Given(at("api_key")) {
		c.doc.Problemf(at("api_key"), "is required with provider %s: write env:NAME or file:/path", m.Provider)
	}
	if m.ContextTokens > 0 && m.MaxTokens >= m.ContextTokens {
		c.doc.Problemf(at("max_tokens"), "leaves no room for a prompt within context_tokens (%d)", m.ContextTokens)
	}
	if m.API == "responses" && m.Provider != OpenAI && c.doc.Given(at("api")) {
		c.doc.Problemf(at("api"), "is for provider openai: remove it")
	}
	own := func(key string) bool { return path == "model" || c.doc.Given(at(key)) }
	if own("base_url") && m.BaseURL != "" {
		if err := CheckAddress(m.BaseURL, at("api_key")); err != nil {
			c.doc.Problemf(at("base_url"), "%s", err)
		}
	}
	if own("timeout") {
		c.checkDuration(at("timeout"), m.Timeout, time.Second, 10*time.Minute)
	}
	for key, value := range map[string]struct{ got, least, most int }{
		"max_tokens": {m.MaxTokens, 16, 32_768}, "retries": {m.Retries, 0, 10}, "in_flight": {m.InFlight, 0, 64},
	} {
		if own(key) {
			c.checkInt(at(key), value.got, value.least, value.most)
		}
	}
	for key, value := range map[string]struct{ got, least int }{"context_tokens": {m.ContextTokens, 2048}, "prompt_tokens": {m.PromptTokens, 1024}} {
		if own(key) && value.got != 0 { // 0 is a choice of its own
			c.checkInt(at(key), value.got, value.least, 2_000_000)
		}
	}
	if m.ContextTokens > 0 && m.PromptTokens > 0 && m.PromptTokens > m.ContextTokens-m.MaxTokens {
		c.doc.Problemf(at("prompt_tokens"), "is more than context_tokens (%d) leaves beside max_tokens (%d)", m.ContextTokens, m.MaxTokens)
	}
	for key, value := range map[string]struct{ got, most float64 }{
		"temperature": {m.Temperature, 2}, "price_in": {m.PriceIn, 10_000}, "price_out": {m.PriceOut, 10_000}, "price_cached": {m.PriceCached, 10_000},
	} {
		if own(key) {
			c.checkFloat(at(key), value.got, 0, value.most)
		}
	}
	c.validateRequest(path, m)
}

// validateRequest reports keys and headers that the program sets itself, and secrets that are written out.
func (c *Config) validateRequest(path string, m *ModelSettings) {
	for _, key := range slices.Sorted(maps.Keys(m.ExtraBody)) {
		if at := path + ".extra_body." + key; slices.Contains(ownKeys, key) && c.doc.Given(at) {
			c.doc.Problemf(at, "is set by the program: remove it")
		}
	}
	for _, h := range m.Headers.Map {
		at := path + ".headers." + h.Name
		if wrong := h.Value.check(h.Name); wrong != "" && c.doc.Given(at) {
			c.doc.Problemf(at, "%s", wrong)
		}
	}
}
