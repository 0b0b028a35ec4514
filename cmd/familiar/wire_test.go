package main

// P13: what the provider read from its cache is in `familiar usage`. P14: the provider is asked for the window when the
// program starts, and nobody waits for it. B7: models are asked in the form they take, through the real binary.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"familiar/internal/llm/llmtest"
	"familiar/internal/tokens"
)

func TestP13UsageShowsWhatWasCached(t *testing.T) {
	t.Parallel()
	p := llmtest.Serve(t, llmtest.NewAnthropic("A fine evening.").Answer)
	home := configure(t, fmt.Sprintf("model: {provider: anthropic, model: claude-x, base_url: '%s/v1', api_key: env:MODEL_KEY, price_in: 3, price_out: 15}\n", p.URL))
	talk := start(t, home, keyed, "chat", "--as", "Ann")
	for i := range 4 {
		talk.ask(fmt.Sprintf("We walked to the harbour and looked at %d boats, and then at the sea for a long time.", i+5))
	}
	talk.leave()
	r := familiar(t, home, nil, "", "usage", "--json")
	var usage struct {
		Spent []struct {
			In      int     `json:"tokens_in"`
			Cached  int     `json:"cached"`
			Dollars float64 `json:"dollars"`
			Out     int     `json:"tokens_out"`
		} `json:"spent"`
	}
	if err := json.Unmarshal([]byte(r.out), &usage); err != nil || len(usage.Spent) != 1 {
		t.Fatalf("%v: %s%s", err, r.out, r.errs)
	}
	got := usage.Spent[0]
	full := float64(got.In)*3e-6 + float64(got.Out)*15e-6
	if got.Cached == 0 || got.Cached >= got.In || got.Dollars <= 0 || got.Dollars >= full {
		t.Errorf("used %+v, want some of it cached, for less than $%f", got, full)
	}
	t.Logf("%d of %d tokens came from the cache, $%f in place of $%f", got.Cached, got.In, got.Dollars, full)
}

func TestP14NobodyWaitsForTheWindow(t *testing.T) {
	t.Parallel()
	p := llmtest.Serve(t, llmtest.Says("A fine evening."))
	target, err := url.Parse(p.URL)
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan *http.Request, 10)
	proxy := httputil.NewSingleHostReverseProxy(target)
	hangs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			proxy.ServeHTTP(w, r)
			return
		}
		asked <- r.Clone(r.Context())
		<-r.Context().Done()
	}))
	t.Cleanup(hangs.Close)
	home := configure(t, fmt.Sprintf("model: {provider: openai, model: m, base_url: '%s/v1', api_key: env:MODEL_KEY}\n", hangs.URL))
	started := time.Now()
	talk := start(t, home, keyed, "chat", "--as", "Ann")
	said := talk.ask("My cat is called Tom.")
	talk.leave()
	if took := time.Since(started); said != "A fine evening." || took > 8*time.Second { // asking takes 10 s at a place
		t.Errorf("it said %q and was gone after %s", said, took)
	}
	select {
	case r := <-asked:
		if r.URL.Path != "/v1/models" || r.Header.Get("Authorization") != "Bearer "+modelKey {
			t.Errorf("asked %s with %q", r.URL, r.Header.Get("Authorization"))
		}
	default:
		t.Error("the provider was not asked for the window")
	}
}

// TestP14JobsFitTheWindow talks with a model of a small window, and runs jobs in the process of the talk and in their own.
func TestP14JobsFitTheWindow(t *testing.T) {
	t.Parallel()
	p := llmtest.Describe(t, llmtest.Says("{}"), map[string]string{"GET /v1/models": `{"data":[{"id":"m","max_model_len":4096}]}`})
	home := configure(t, fmt.Sprintf("model: {provider: openai, model: m, base_url: '%s/v1'}\nsession: {gap: 1s}\n", p.URL))
	talk := start(t, home, nil, "chat", "--as", "Ann")
	for i := range 25 {
		talk.ask(fmt.Sprintf("On day %d I walked to the harbour with my sister Rosa, %s.", i, strings.Repeat("and we talked about the boats ", 12)))
	}
	talk.leave()
	time.Sleep(1100 * time.Millisecond) // the talk is over then
	for _, job := range []string{"session-close", "refine", "portrait", "dream"} {
		familiar(t, home, nil, "", "job", "run", job) // nothing useful comes back: what is asked matters
	}
	jobs := 0
	for _, r := range p.Requests() {
		if r.Format != nil {
			jobs++
		}
		limit, _ := r.Fields["max_completion_tokens"].(float64)
		if size := tokens.Estimate(r.Prompt()) + int(limit); size > 4096 {
			t.Errorf("asked with %d tokens, %v of them for the answer: %s", size, limit, r.Prompt())
		}
	}
	if jobs == 0 {
		t.Error("no job asked the model")
	}
}

func TestB7AModelWithResponsesAloneTalks(t *testing.T) {
	t.Parallel()
	p := llmtest.Serve(t, llmtest.OnlyResponses(llmtest.Responds("Your cat Tom, the terror of the curtains.")))
	home := configHome(t, p, "")
	talk := start(t, home, keyed, "chat", "--as", "Ann")
	talk.ask("My cat is called Tom.")
	if said := talk.ask("What is my cat called?"); said != "Your cat Tom, the terror of the curtains." {
		t.Errorf("it said %q", said)
	}
	talk.leave()
	paths := ""
	for _, r := range p.Requests() {
		paths += r.URL.Path + " "
	}
	if strings.TrimSpace(paths) != "/v1/chat/completions /v1/responses /v1/responses" {
		t.Errorf("asked %s", paths)
	}
	if last := p.Requests()[2].Prompt(); !strings.Contains(last, "My cat is called Tom.") {
		t.Errorf("asked without the memory: %s", last)
	}
	checkNoKey(t, home, talk.errs.String())
}
