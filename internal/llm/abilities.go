package llm

import (
	"bytes"

	"github.com/tmc/langchaingo/llms"
)

// JSONForm is how a model is asked for JSON.
type JSONForm string

// The forms, the strictest first.
const (
	JSONBySchema JSONForm = "by schema"
	JSONObject   JSONForm = "as an object"
	JSONInWords  JSONForm = "when told to"
)

// JSONForm returns the strictest form that the model takes, as far as it is known: it rejects the others when it is asked.
func (c *Client) JSONForm() JSONForm {
	c.manners.mu.Lock()
	defer c.manners.mu.Unlock()
	switch {
	case !c.manners.noSchema:
		return JSONBySchema
	case c.settings.Provider == "anthropic", c.manners.noObject:
		return JSONInWords
	}
	return JSONObject
}

// Thinks reports whether the model was seen to think before an answer.
func (c *Client) Thinks() bool { return c.manners.thinks.Load() }

// notice remembers whether the model thought before an answer: some providers send the thoughts, others count them.
func (c *Client) notice(w *watch, r *llms.ContentResponse) {
	if c.manners.thinks.Load() {
		return
	}
	counted := 0
	if r != nil && len(r.Choices) > 0 && r.Choices[0] != nil {
		counted, _ = r.Choices[0].GenerationInfo["ThinkingTokens"].(int)
	}
	head := w.opening()
	hinted := bytes.Contains(head, []byte(`"reasoning`)) || bytes.Contains(head, []byte(`"thinking"`))
	if counted > 0 || hinted && thoughts.Match(head) {
		c.manners.thinks.Store(true)
	}
}
