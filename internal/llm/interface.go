package llm

import (
	"net/http"

	"familiar/internal/lazyregexp"
)

// The interfaces of OpenAI's that Settings.API may name.
const (
	apiChat      = "chat"
	apiResponses = "responses"
)

// chatRefused is said by OpenAI of models that have the Responses interface alone.
var chatRefused = lazyregexp.New(`(?i)\bv1/responses\b|not (a chat model|supported (in|with|by) the v1/chat/completions)|does not support chat completions`)

// via returns the provider to ask: by the Responses interface where it was configured or turned out to be the only one.
func (c *Client) via() provider {
	c.manners.mu.Lock()
	defer c.manners.mu.Unlock()
	if c.settings.Provider == "openai" && (c.settings.API == apiResponses || c.manners.onlyResponses) {
		return newResponses(c.settings, c.http)
	}
	return c.provider
}

// learnAPI learns from a refusal of a body that the model has the Responses interface alone. It reports whether the next
// request will use it.
func (c *Client) learnAPI(fault *Error, r refusal, body fields) bool {
	refused := fault.Status == http.StatusNotFound || fault.Status == http.StatusBadRequest
	if c.settings.Provider != "openai" || c.settings.API == apiChat || !refused || body["messages"] == nil || !chatRefused.MatchString(r.text) {
		return false
	}
	c.manners.mu.Lock()
	defer c.manners.mu.Unlock()
	c.manners.onlyResponses = true
	return true
}

// byResponses reports whether a body is one of the Responses interface.
func (f fields) byResponses() bool { return f["input"] != nil && f["messages"] == nil }
