package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// DefaultWindow is the context window of a model of which nothing is known: all that people run at home have at least that,
// and what a larger one needs of memory grows with it.
const DefaultWindow = 8192

// The windows that all current models of a provider have at its own address.
var usualWindows = map[string]int{"openai": 128_000, "anthropic": 200_000, "googleai": 32_768}

// WindowSource is how a window is known.
type WindowSource string

// The sources.
const (
	// WindowConfigured: Settings.ContextTokens.
	WindowConfigured WindowSource = "configured"
	// WindowTold: the provider said so.
	WindowTold WindowSource = "told by the provider"
	// WindowAssumed: nobody said it.
	WindowAssumed WindowSource = "assumed"
)

// Window is the context window of a model: prompt and answer together, in tokens.
type Window struct {
	Tokens int
	Source WindowSource
}

// Window returns what is known of the model's context window. It never waits.
func (c *Client) Window() Window {
	if c.settings.ContextTokens > 0 {
		return Window{c.settings.ContextTokens, WindowConfigured}
	}
	if n := c.manners.window.Load(); n > 0 {
		return Window{int(n), WindowTold}
	}
	if n := usualWindows[c.settings.Provider]; n > 0 && c.settings.BaseURL == "" {
		return Window{n, WindowAssumed}
	}
	return Window{DefaultWindow, WindowAssumed}
}

// windowTimeout is how long the provider may take to tell the window, for each place that may tell it.
const windowTimeout = 10 * time.Second

// AskWindow asks the provider for the window unless it is known, and returns it. What it learns, all clients of the model
// know. It makes no request to the model itself, and a provider that does not tell is no error.
func (c *Client) AskWindow(ctx context.Context) Window {
	if w := c.Window(); w.Source != WindowAssumed {
		return w
	}
	for _, place := range c.settings.windowPlaces() {
		if n := c.look(ctx, place); n >= leastWindow {
			c.manners.window.Store(int64(min(n, mostWindow)))
			break
		}
	}
	return c.Window()
}

// What a server may say of a window, in tokens: anything else is a mistake.
const (
	leastWindow = 256
	mostWindow  = 100_000_000
)

// windowPlace is where a provider tells the window of its models.
type windowPlace struct {
	url, body string
	header    http.Header
	// read returns the window that a response tells, 0 for none.
	read func(response []byte) int
}

// windowPlaces returns the places to ask, in order.
func (s Settings) windowPlaces() []windowPlace {
	model := url.PathEscape(s.Model)
	switch base := strings.TrimSuffix(s.BaseURL, "/"); s.Provider {
	case "ollama":
		return []windowPlace{{url: strings.TrimSuffix(s.url(ollamaURL), "/") + "/api/show", body: string(encoded(map[string]string{"model": s.Model})), read: ollamaWindow}}
	case "anthropic":
		header := http.Header{"X-Api-Key": {s.APIKey}, "Anthropic-Version": {"2023-06-01"}}
		return []windowPlace{{url: strings.TrimSuffix(s.url(anthropicURL), "/") + "/models/" + model, header: header, read: s.listedWindow}}
	case "googleai":
		// Google's own format tells it, beside the one in OpenAI's.
		if native, ok := strings.CutSuffix(strings.TrimSuffix(s.url(googleURL), "/"), "/openai"); ok {
			name := url.PathEscape(strings.TrimPrefix(s.Model, "models/"))
			return []windowPlace{{url: native + "/models/" + name, header: http.Header{"X-Goog-Api-Key": {s.APIKey}}, read: s.listedWindow}}
		}
		return []windowPlace{{url: base + "/models", header: s.bearer(), read: s.listedWindow}}
	case "openai":
		if base == "" {
			return nil // OpenAI does not tell
		}
		root := strings.TrimSuffix(base, "/v1")
		return []windowPlace{
			{url: base + "/models", header: s.bearer(), read: s.listedWindow},        // vLLM, OpenRouter and most others
			{url: root + "/props", header: s.bearer(), read: propsWindow},            // llama.cpp
			{url: root + "/api/v0/models", header: s.bearer(), read: s.listedWindow}, // LM Studio
		}
	}
	return nil
}

// bearer returns the header with the key in OpenAI's format.
func (s Settings) bearer() http.Header {
	if s.APIKey == "" {
		return nil
	}
	return http.Header{"Authorization": {"Bearer " + s.APIKey}}
}

// maxListing is how many bytes of a list of models are read. OpenRouter's is the longest, with half a megabyte.
const maxListing = 4 << 20

// look asks one place.
func (c *Client) look(ctx context.Context, place windowPlace) int {
	ctx, cancel := context.WithTimeout(ctx, windowTimeout)
	defer cancel()
	method := http.MethodGet
	if place.body != "" {
		method = http.MethodPost
	}
	response, err := c.fetch(ctx, method, place)
	if err != nil {
		return 0
	}
	return place.read(response)
}

// count is a number of tokens as servers write it: a number, one in quotation marks, or something else for none.
type count int

// UnmarshalJSON implements json.Unmarshaler. It never fails.
func (n *count) UnmarshalJSON(raw []byte) error {
	x, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	if err == nil && x > 0 && x < mostWindow {
		*n = count(x)
	}
	return nil
}

// listed is a model as servers list it. Each server uses one or two of the fields.
type listed struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	State  string `json:"state"`
	Loaded count  `json:"loaded_context_length"` // LM Studio
	VLLM   count  `json:"max_model_len"`
	Length count  `json:"context_length"` // OpenRouter, Together
	Window count  `json:"context_window"` // Groq
	Most   count  `json:"max_context_length"`
	Google count  `json:"inputTokenLimit"`
	Claude count  `json:"max_input_tokens"`
	Top    struct {
		Length count `json:"context_length"`
	} `json:"top_provider"` // OpenRouter's own limit
}

// window returns the window of a listed model, 0 if none is told.
func (l listed) window() int {
	n := cmp.Or(l.Loaded, l.VLLM, l.Length, l.Window, l.Google, l.Claude, l.Most)
	if l.Top.Length > 0 {
		n = min(n, l.Top.Length)
	}
	if l.State == "not-loaded" { // LM Studio: with how much it will be loaded is not told
		n = min(n, DefaultWindow)
	}
	return int(n)
}

// listedWindow reads a list of models, or the description of one.
func (s Settings) listedWindow(response []byte) int {
	var list struct {
		listed
		Data []listed `json:"data"`
	}
	if json.Unmarshal(response, &list) != nil {
		return 0
	}
	if list.Data == nil {
		return list.window()
	}
	plain, _, _ := strings.Cut(s.Model, ":") // OpenRouter's variants of a model
	for _, name := range []string{s.Model, plain} {
		for _, l := range list.Data {
			if l.ID == name {
				return l.window()
			}
		}
	}
	if len(list.Data) == 1 {
		return list.Data[0].window() // a server of one model often answers to any name
	}
	return 0
}

// propsWindow reads llama.cpp's properties.
func propsWindow(response []byte) int {
	var props struct {
		Default struct {
			Window count `json:"n_ctx"`
		} `json:"default_generation_settings"`
	}
	if json.Unmarshal(response, &props) != nil {
		return 0
	}
	return int(props.Default.Window)
}

// numCtx is the line of a model file that sets the window.
var numCtx = regexp.MustCompile(`(?m)^\s*num_ctx\s+(\d+)\s*$`)

// ollamaWindow reads the description of ollama's model: the window that its file sets, or else as much of what the model can
// have as takes little memory.
func ollamaWindow(response []byte) int {
	var model struct {
		Parameters string         `json:"parameters"`
		Info       map[string]any `json:"model_info"`
	}
	if json.Unmarshal(response, &model) != nil {
		return 0
	}
	if m := numCtx.FindStringSubmatch(model.Parameters); m != nil {
		n, _ := strconv.Atoi(m[1]) // digits; too many are no window
		return n
	}
	for name, value := range model.Info {
		if most, ok := value.(float64); ok && strings.HasSuffix(name, ".context_length") {
			return min(int(most), DefaultWindow)
		}
	}
	return 0
}

// applyWindow requests the window from ollama, which otherwise truncates long prompts without a word.
func (c *Client) applyWindow(body fields) {
	if c.settings.Provider != "ollama" || c.settings.ContextTokens > 0 {
		return
	}
	body.put("options", "num_ctx", c.Window().Tokens)
}

// Thoughts returns how many tokens a model may think at an effort, in addition to its answer.
func Thoughts(effort string) int { return thought[effort] }
