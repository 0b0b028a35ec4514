package llm

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"familiar/prompts"
)

// fields are the top-level fields of a request's body.
type fields map[string]json.RawMessage

// manners is what one model taught us about how it wants to be asked: which parameters it rejects. It is kept as long as
// the process lives. It is safe for concurrent use.
type manners struct {
	// window is the context window that the provider told, 0 if it did not.
	window atomic.Int64
	// thinks: the model was seen to think.
	thinks atomic.Bool

	mu sync.Mutex
	// dropped are the parameters that are not sent.
	dropped map[string]bool
	// longest limits the requested answers, in tokens; 0 if the model named no limit.
	longest int
	// otherName sends the limit under its other name.
	otherName bool
	// noSchema and noObject: the model takes no JSON schema, or no plain request for JSON.
	noSchema, noObject bool
	// noSystem: the model takes no system message.
	noSystem bool
	// noImages: the model does not see.
	noImages bool
	// anyEffort: ollama's model thinks or does not, without levels.
	anyEffort bool
	// adaptive: Anthropic's model thinks as much as it sees fit, without a number of tokens.
	adaptive bool
	// onlyResponses: OpenAI's model has no chat completions.
	onlyResponses bool
	// noCache: the server takes no marks for its cache.
	noCache bool
}

// The two names of the limit in OpenAI's format, and its names in the Responses interface and in ollama's.
const (
	maxTokens     = "max_tokens"
	maxCompletion = "max_completion_tokens"
	maxOutput     = "max_output_tokens"
	numPredict    = "options.num_predict"
)

// kept are the fields that make the request and are never left out.
var kept = []string{"model", "messages", "stream", "system", "prompt", "input", "instructions", "options"}

// paramsOf returns the names of the parameters in a body that may be left out, sorted. Those within ollama's options are
// called options.NAME.
func paramsOf(body fields) []string {
	var names []string
	for name := range body {
		if !slices.Contains(kept, name) {
			names = append(names, name)
		}
	}
	for name := range nested(body["options"]) {
		names = append(names, "options."+name)
	}
	slices.Sort(names)
	return names
}

// nested returns the fields of an object, none if it is no object.
func nested(raw json.RawMessage) fields {
	var f fields
	if json.Unmarshal(raw, &f) != nil {
		return nil
	}
	return f
}

// learn takes a refusal of a body to heart. It reports whether the same prompt may be asked again, which will then be
// sent in another form.
func (m *manners) learn(provider string, r refusal, body fields) bool {
	name := r.of(paramsOf(body))
	m.mu.Lock()
	defer m.mu.Unlock()
	if body.hasImages() && imagesRefused.MatchString(r.text) {
		m.noImages = true
		return true
	}
	switch name {
	case "":
		// A server may reject a schema by what is in it.
		again := !m.noSchema && body.hasSchema() && schemaRefused.MatchString(r.text)
		m.noSchema = m.noSchema || again
		return again
	case maxTokens, maxCompletion, maxOutput, numPredict:
		return m.learnLimit(provider, name, r, body)
	case "response_format", "format", "text":
		if body.hasSchema() {
			m.noSchema = true
		} else {
			m.noObject = true
		}
		return true
	case "output_config":
		if body.hasSchema() && !strings.Contains(r.text, "effort") {
			m.noSchema = true
			return true
		}
	case "think":
		if !m.anyEffort {
			m.anyEffort = true
			return true
		}
	case "thinking":
		if !m.adaptive && strings.Contains(r.text, "adaptive") {
			m.adaptive = true
			return true
		}
	}
	m.dropped[name] = true
	return true
}

// hasSchema reports whether a body requests JSON by a schema.
func (f fields) hasSchema() bool {
	for _, name := range []string{"response_format", "text", "output_config"} {
		if strings.Contains(string(f[name]), `"json_schema"`) {
			return true
		}
	}
	return strings.HasPrefix(string(f["format"]), "{")
}

// put sets a field within an object.
func (f fields) put(object, name string, value any) {
	inner := nested(f[object])
	if inner == nil {
		inner = fields{}
	}
	inner[name] = encoded(value)
	f[object] = encoded(inner)
}

// learnLimit learns from a refusal of the longest answer: its number is too high, or its name is wrong.
func (m *manners) learnLimit(provider, name string, r refusal, body fields) bool {
	raw := body[name]
	if name == numPredict {
		raw = nested(body["options"])["num_predict"]
	}
	var sent int
	if limit := r.limit(); json.Unmarshal(raw, &sent) == nil && limit > 0 && limit < sent {
		m.longest = limit
		return true
	}
	switch {
	case provider != "openai" && provider != "googleai", name == maxOutput:
		return false // these require it
	case !m.otherName:
		m.otherName = true
	default:
		m.dropped[maxTokens], m.dropped[maxCompletion] = true, true
	}
	return true
}

// apply gives the body of a prompt the form that the model takes.
func (m *manners) apply(s Settings, p prompts.Prompt, body fields) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.noSystem {
		body.foldSystem()
	}
	m.applyFormat(s.Provider, p, body)
	m.applyEffort(s, body)
	m.applyCache(s, p, body)
	body.addImages(s.Provider, p.Images)
	body.addTools(s, p) // what looks at the last message of the prompt comes before
	m.applyLimit(body)
	options, changed := nested(body["options"]), false
	for name := range m.dropped {
		delete(body, name)
		if inner, ok := strings.CutPrefix(name, "options."); ok && options[inner] != nil {
			delete(options, inner)
			changed = true
		}
	}
	if changed {
		body["options"] = encoded(options)
	}
}

// applyFormat requests JSON in the strictest form that the model takes.
func (m *manners) applyFormat(provider string, p prompts.Prompt, body fields) {
	field, object := "response_format", `{"type":"json_object"}`
	schema := func() json.RawMessage {
		return encoded(map[string]any{"type": "json_schema", "json_schema": map[string]any{
			"name": cmp.Or(p.Name, "answer"), "strict": true, "schema": p.Schema,
		}})
	}
	switch {
	case provider == "anthropic":
		if len(p.Schema) > 0 && !m.noSchema { // it has no request for JSON of any form
			body.put("output_config", "format", map[string]any{"type": "json_schema", "schema": p.Schema})
		}
		return
	case provider == "ollama":
		field, object = "format", `"json"`
		schema = func() json.RawMessage { return p.Schema }
	case body.byResponses():
		field, object = "text", `{"format":{"type":"json_object"}}`
		schema = func() json.RawMessage {
			return encoded(map[string]any{"format": map[string]any{
				"type": "json_schema", "name": cmp.Or(p.Name, "answer"), "strict": true, "schema": p.Schema,
			}})
		}
	}
	switch {
	case len(p.Schema) > 0 && !m.noSchema:
		body[field] = schema()
	case (p.JSON || len(p.Schema) > 0) && !m.noObject:
		body[field] = json.RawMessage(object)
	default:
		delete(body, field)
	}
}

// applyEffort requests how much the model should think.
func (m *manners) applyEffort(s Settings, body fields) {
	if s.Effort == "" {
		return
	}
	switch s.Provider {
	case "ollama":
		body["think"] = encoded(s.Effort)
		if m.anyEffort {
			body["think"] = json.RawMessage("true")
		}
	case "anthropic":
		if m.dropped["thinking"] {
			return
		}
		body["thinking"] = encoded(map[string]any{"type": "enabled", "budget_tokens": thought[s.Effort]})
		if m.adaptive {
			body["thinking"] = json.RawMessage(`{"type":"adaptive"}`)
			body.put("output_config", "effort", s.Effort)
		}
		delete(body, "temperature") // it must have its default while the model thinks
	default:
		if body.byResponses() {
			body["reasoning"] = encoded(map[string]string{"effort": s.Effort})
			return
		}
		body["reasoning_effort"] = encoded(s.Effort)
	}
}

// applyLimit renames and lowers the limit of the answer.
func (m *manners) applyLimit(body fields) {
	for _, pair := range [][2]string{{maxTokens, maxCompletion}, {maxCompletion, maxTokens}} {
		if from, to := pair[0], pair[1]; m.otherName && body[from] != nil {
			body[to] = body[from]
			delete(body, from)
			break
		}
	}
	for _, name := range []string{maxTokens, maxCompletion, maxOutput} {
		body.lower(name, m.longest)
	}
	if options := nested(body["options"]); options.lower("num_predict", m.longest) {
		body["options"] = encoded(options)
	}
}

// lower lowers a number to most, if most is above 0. It reports whether it did.
func (f fields) lower(name string, most int) bool {
	var sent int
	if most <= 0 || f[name] == nil || json.Unmarshal(f[name], &sent) != nil || sent <= most {
		return false
	}
	f[name] = encoded(most)
	return true
}

// encoded encodes a value that can always be encoded.
func encoded(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}

// thought is how many tokens a model may think at each effort, in addition to the answer.
var thought = map[string]int{"low": 1024, "medium": 4096, "high": 16_384}
