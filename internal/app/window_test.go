package app

// P14: prompts grow with the window that a model has, up to a limit, and fit into the smallest of the models. Nothing waits
// for what a provider tells.

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"familiar/channels/all"
	"familiar/config"
	"familiar/internal/llm/llmtest"
	"familiar/memory/memorytest"
	"familiar/persona/card"
	"familiar/prompts"
)

// appOf returns an app with this configuration, whose BASE is a provider's address.
func appOf(t *testing.T, text string) *App {
	t.Helper()
	cfg, err := config.Parse(config.Home(t.TempDir()), []byte(text), nil, all.Sections()...)
	if err != nil {
		t.Fatal(err)
	}
	c, err := card.LoadCard("", "nell")
	if err != nil {
		t.Fatal(err)
	}
	a := ForStore(cfg, c, memorytest.Open(t), time.Now)
	a.Log = slog.New(slog.DiscardHandler)
	if err := a.Connect(); err != nil {
		t.Fatal(err)
	}
	return a
}

func TestP14PromptsGrowWithTheWindow(t *testing.T) {
	listed := `{"data":[{"id":"small","max_model_len":4096},{"id":"middle","max_model_len":12000},{"id":"huge","max_model_len":1000000}]}`
	w := llmtest.Describe(t, llmtest.Says("Hello."), map[string]string{"GET /v1/models": listed})
	base := "base_url: '" + w.URL + "/v1'"
	for _, c := range []struct {
		name, text             string
		before, prompt, filing int
	}{
		{"a middle window", "model: {provider: openai, model: middle, " + base + "}", 8192 - 800, 10_800 - 800, prompts.DefaultBudget},
		{"a huge one", "model: {provider: openai, model: huge, " + base + "}", 8192 - 800, MostPrompt, prompts.DefaultBudget},
		{"a small one", "model: {provider: openai, model: small, " + base + "}", 8192 - 800, 4096*9/10 - 800, prompts.ExtractBudget(4096 * 9 / 10)},
		{"room for thoughts", "model: {provider: openai, model: middle, effort: medium, " + base + "}", 8192 / 2, 10_800 - 800 - 4096, prompts.DefaultBudget},
		{"the smallest of those that may be asked", "model: {provider: openai, model: huge, " + base + ", fallbacks: [{model: small}]}", 8192 - 800, 4096*9/10 - 800, prompts.ExtractBudget(4096 * 9 / 10)},
		{"another model for work", "model: {provider: openai, model: huge, " + base + ", work: {model: small}}", 8192 - 800, MostPrompt, prompts.ExtractBudget(4096 * 9 / 10)},
		{"configured", "model: {provider: openai, model: small, context_tokens: 100000, " + base + "}", 99_200, 99_200, prompts.DefaultBudget},
		{"an old configuration", "model: {provider: openai, model: huge, context_tokens: 8192, " + base + "}", 7392, 7392, prompts.ExtractBudget(8192)},
		{"a limit of its own", "model: {provider: openai, model: huge, prompt_tokens: 3000, " + base + "}", 3000, 3000, prompts.DefaultBudget},
		{"more than the default", "model: {provider: openai, model: huge, context_tokens: 1000000, prompt_tokens: 50000, " + base + "}", 50_000, 50_000, prompts.DefaultBudget},
		{"nobody tells", "model: {provider: openai, model: unknown, " + base + "}", 7392, 7392, prompts.ExtractBudget(8192)},
		{"without a model", "model: {provider: none}", 7392, 7392, prompts.ExtractBudget(8192)},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := appOf(t, c.text+"\n")
			settings := a.Settings()
			if prompt, _ := settings.Budgets(); prompt != c.before {
				t.Errorf("before anybody told: %d, want %d", prompt, c.before)
			}
			a.askWindows(t.Context())
			if prompt, filing := settings.Budgets(); prompt != c.prompt || filing != c.filing {
				t.Errorf("prompts of %d and %d tokens, want %d and %d", prompt, filing, c.prompt, c.filing)
			}
		})
	}
}

// TestP14NothingWaitsForTheWindow has a provider that never tells.
func TestP14NothingWaitsForTheWindow(t *testing.T) {
	release := make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-release:
		}
	}))
	t.Cleanup(hangs.Close)
	defer close(release)
	started := time.Now()
	a := appOf(t, "model: {provider: openai, model: m, base_url: '"+hangs.URL+"/v1'}\n")
	if prompt, _ := a.Settings().Budgets(); prompt != 7392 || time.Since(started) > 5*time.Second {
		t.Errorf("%d tokens after %s", prompt, time.Since(started))
	}
}
