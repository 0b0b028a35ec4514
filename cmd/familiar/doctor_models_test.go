package main

// B6: the doctor asks each configured model for a word and for JSON, and says in one line what it can do or why it cannot.

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"familiar/internal/llm/llmtest"
)

// able answers requests for JSON with json, and others with a word.
func able(json llmtest.Answer) llmtest.Answer {
	word := llmtest.Says("ready")
	return func(w http.ResponseWriter, r *llmtest.Request) {
		if strings.Contains(r.Prompt(), "JSON") {
			json(w, r)
			return
		}
		word(w, r)
	}
}

func TestB6DoctorAsksEachModel(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for name, c := range map[string]struct {
		answer llmtest.Answer
		code   int
		want   []string
	}{
		"able":    {able(llmtest.Says(`{"ready": true}`)), 0, []string{"model for talk\tok\topenai/test-1 answers in ", ", streams, writes JSON by schema, takes 8192 tokens (assumed)"}},
		"fenced":  {able(llmtest.Says("```json\n{\"ready\": true}\n```")), 0, []string{", streams, writes JSON"}},
		"no JSON": {able(llmtest.Says("Ready!")), 0, []string{"model for talk\twarning\topenai/test-1 answers in ", "streams, takes 8192 tokens (assumed), uses no tools, sees no pictures, but no JSON when asked for it: it answered with something else", "model.work"}},
		"JSON is refused": {
			able(llmtest.Sends(400, `{"error":{"message":"response_format is not supported"}}`)), 0,
			[]string{"model for talk\twarning", "no JSON when asked for it: ask openai"},
		},
		"no schema":  {able(llmtest.Rejects("response_format.json_schema", llmtest.Says400(`{"error":{"message":"'json_schema' is not supported"}}`), llmtest.Says(`{"ready": true}`))), 0, []string{"writes JSON as an object"}},
		"no form":    {able(llmtest.Rejects("response_format", llmtest.Says400(`{"error":{"message":"response_format is not supported"}}`), llmtest.Says(`{"ready": true}`))), 0, []string{"writes JSON when told to"}},
		"thinks":     {able(llmtest.Sends(200, `{"choices":[{"message":{"content":"{\"ready\": true}","reasoning_content":"hm"},"finish_reason":"stop"}]}`)), 0, []string{"thinks before it answers"}},
		"no credit":  {llmtest.Sends(402, `{"error":{"message":"Insufficient credits","code":402}}`), 1, []string{"nothing is left of the account's credit", "model.fallbacks"}},
		"wrong key":  {llmtest.Sends(401, `{"error":{"message":"wrong key `+modelKey+`"}}`), 1, []string{"model for talk\tproblem\topenai/test-1 gives no answer: the provider rejects the key", "check model.api_key"}},
		"wrong name": {llmtest.Sends(404, `{"error":{"message":"no such model"}}`), 1, []string{`the provider knows no model "test-1"`, "check model.model"}},
		"busy":       {llmtest.Busy("60"), 1, []string{"accepts no more requests for now", "balance"}},
		"failing":    {llmtest.Sends(503, "down"), 1, []string{"the provider fails (status 503)"}},
		"a web page": {llmtest.Sends(200, "<html><body>Welcome</body></html>"), 1, []string{"gives no answer: ", "check model.base_url"}},
		"empty":      {llmtest.Says(""), 1, []string{"the answer was empty"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := llmtest.Serve(t, c.answer)
			home := configHome(t, p, "")
			r := familiar(t, home, keyed, "", "doctor")
			if r.code != c.code {
				t.Errorf("exit code %d, want %d", r.code, c.code)
			}
			for _, want := range c.want {
				if !strings.Contains(r.out, want) {
					t.Errorf("nothing of %q in\n%s%s", want, r.out, r.errs)
				}
			}
			if n := len(p.Requests()); n > 6 { // a rejected form of JSON is left out and asked without
				t.Errorf("asked %d times", n)
			}
			checkNoKey(t, home, r.out+r.errs)
		})
	}
	t.Run("a window that is told", func(t *testing.T) {
		t.Parallel()
		p := llmtest.Describe(t, able(llmtest.Says(`{"ready": true}`)), map[string]string{"GET /v1/models": `{"data":[{"id":"m","max_model_len":32768}]}`})
		home := configure(t, fmt.Sprintf("model: {provider: openai, model: m, base_url: '%s/v1'}\n", p.URL))
		r := familiar(t, home, nil, "", "doctor")
		if r.code != 0 || !strings.Contains(r.out, "takes 32768 tokens (told by the provider)") {
			t.Errorf("%d: %s", r.code, r.out)
		}
	})
	t.Run("unreachable", func(t *testing.T) {
		t.Parallel()
		home := configure(t, fmt.Sprintf("model: {provider: openai, model: m, base_url: '%s/v1'}\n", closed.URL))
		if r := familiar(t, home, nil, "", "doctor"); r.code != 1 || !strings.Contains(r.out, "the provider cannot be reached: ") {
			t.Errorf("%d: %s", r.code, r.out)
		}
	})
}

// TestB6DoctorAsksEveryRole has two roles with a common fallback, which is asked once, and a secret that is not there.
func TestB6DoctorAsksEveryRole(t *testing.T) {
	t.Parallel()
	p := llmtest.Serve(t, able(llmtest.Says(`{"ready": true}`)))
	home := configHome(t, p, "  fallbacks: [{model: test-2}]\n  work: {model: test-3}\n")
	r := familiar(t, home, keyed, "", "doctor")
	for _, want := range []string{"model for talk\tok\topenai/test-1", "fallback 1 for talk\tok\topenai/test-2", "model for work\tok\topenai/test-3"} {
		if r.code != 0 || strings.Count(r.out, want) != 1 {
			t.Errorf("%d: nothing of %q in\n%s", r.code, want, r.out)
		}
	}
	if n := len(p.Requests()); n != 12 {
		t.Errorf("asked %d times for three models", n)
	}
	r = familiar(t, home, nil, "", "doctor")
	if r.code != 1 || !strings.Contains(r.out, "openai/test-1 was not asked") || !strings.Contains(r.out, "MODEL_KEY is not set") {
		t.Errorf("%d: %s", r.code, r.out)
	}
}
