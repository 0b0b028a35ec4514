package main

// The recipes of the README: each is a valid configuration, and the doctor finds a model behind it that works.

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"familiar/channels/all"
	"familiar/cmd/familiar/internal/setup"
	"familiar/config"
	"familiar/internal/llm/llmtest"
)

// recipe is one of the README's configurations.
type recipe struct{ name, text string }

// recipes returns the configurations below the heading "With a model", with the bold words before each as its name.
func recipes(t *testing.T) (found []recipe) {
	t.Helper()
	_, section, ok := strings.Cut(read(t, "../../README.md"), "\n## With a model\n")
	if !ok {
		t.Fatal("the README has no recipes")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	for _, m := range regexp.MustCompile(`(?s)\n\*\*([^*]+)\*\*[^\n]*\n\n((?:    [^\n]*\n)+)`).FindAllStringSubmatch(section, -1) {
		var lines []string
		for line := range strings.Lines(m[2]) {
			lines = append(lines, strings.TrimPrefix(line, "    "))
		}
		found = append(found, recipe{m[1], strings.Join(lines, "")})
	}
	return found
}

func TestRecipesAreTested(t *testing.T) {
	var names []string
	for _, r := range recipes(t) {
		names = append(names, r.name)
	}
	if want := []string{"OpenAI", "Anthropic", "Google", "Ollama", "OpenRouter", "LM Studio", "llama.cpp"}; !slices.Equal(names, want) {
		t.Errorf("the recipes are %q, want %q", names, want)
	}
}

// TestRecipesNameWhatInitSuggests: both name current models, so they change together.
func TestRecipesNameWhatInitSuggests(t *testing.T) {
	text := read(t, "../../README.md")
	for _, p := range []config.Provider{config.OpenAI, config.GoogleAI} {
		if !strings.Contains(text, "      model: "+setup.SuggestedModel[p]+"\n") {
			t.Errorf("init suggests %s for %s, the README another", setup.SuggestedModel[p], p)
		}
	}
}

// TestRecipesWork runs the doctor on each recipe, with a loopback server that behaves like the provider in its place.
func TestRecipesWork(t *testing.T) {
	const ready = `{"ready": true}`
	servers := map[string]struct {
		answer llmtest.Answer
		tells  map[string]string
		path   string
		says   string
	}{
		"OpenAI":     {llmtest.Says(ready), nil, "/v1", "8192 tokens (assumed)"},
		"Anthropic":  {llmtest.NewAnthropic(ready).Answer, map[string]string{"GET /v1/models/claude-sonnet-5": `{"max_input_tokens":1000000}`}, "/v1", "takes 1000000 tokens (told by the provider)"},
		"Google":     {llmtest.Says(ready), map[string]string{"GET /v1beta/models/gemini-3.6-flash": `{"inputTokenLimit":1048576}`}, "/v1beta/openai", "takes 1048576 tokens (told by the provider)"},
		"Ollama":     {llmtest.Ollama(ready), map[string]string{"POST /api/show": `{"model_info":{"gemma3.context_length":131072}}`}, "", "takes 8192 tokens (told by the provider)"},
		"OpenRouter": {llmtest.OpenRouter(ready), map[string]string{"GET /v1/models": `{"data":[{"id":"anthropic/claude-sonnet-4.5","context_length":200000}]}`}, "/v1", "takes 200000 tokens (told by the provider)"},
		"LM Studio":  {llmtest.LMStudio(ready), map[string]string{"GET /api/v0/models": `{"data":[{"id":"google/gemma-3-12b","state":"loaded","loaded_context_length":12000}]}`}, "/v1", "takes 12000 tokens (told by the provider)"},
		"llama.cpp":  {llmtest.LlamaCpp(16_384, ready), map[string]string{"GET /props": `{"default_generation_settings":{"n_ctx":16384}}`}, "/v1", "takes 16384 tokens (told by the provider)"},
	}
	for _, r := range recipes(t) {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			s := servers[r.name]
			p := llmtest.Describe(t, s.answer, s.tells)
			env, text := recipeAt(t, r, p.URL+s.path)
			got := familiar(t, configure(t, text), env, "", "doctor")
			for _, want := range []string{"model for talk\tok\t", "streams, writes JSON", s.says} {
				if got.code != 0 || !strings.Contains(got.out, want) {
					t.Fatalf("exit code %d, nothing of %q in\n%s%s", got.code, want, got.out, got.errs)
				}
			}
			if by := p.Requests()[0].Header; len(env) > 0 && !strings.Contains(by.Get("Authorization")+by.Get("X-Api-Key"), modelKey) {
				t.Errorf("asked without the key: %v", by)
			}
		})
	}
}

// recipeAt checks a recipe as it stands, and returns its environment and its text with another address.
func recipeAt(t *testing.T, r recipe, address string) (env []string, text string) {
	t.Helper()
	c, err := config.Parse(config.Home(t.TempDir()), []byte(r.text), nil, all.Sections()...)
	if err != nil || len(c.Warnings) > 0 {
		t.Fatalf("%v, %q in\n%s", err, c.Warnings, r.text)
	}
	if name, ok := strings.CutPrefix(c.Model.APIKey.String(), "env:"); ok && c.Model.APIKey.Set() {
		env = []string{name + "=" + modelKey}
	}
	if strings.Contains(r.text, "base_url: ") {
		return env, regexp.MustCompile(`base_url: \S+`).ReplaceAllString(r.text, "base_url: "+address)
	}
	return env, strings.Replace(r.text, "model:\n", "model:\n  base_url: "+address+"\n", 1)
}
