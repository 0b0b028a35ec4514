package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"familiar/internal/lab/stories"
	"familiar/internal/llm/llmtest"
)

// ferry is a story with a wish, a fact that changed, and one that somebody else told.
const ferry = `[{"id":"ferry","title":"A ferry","persona":"a ferryman called Bram","people":["Nora","Piet"],"today":"2026-01-20","sessions":[
	{"days_ago":9,"room":"direct","turns":[["Nora","I bought a boat, she is called Petrel."],["persona","A fine name."]]},
	{"days_ago":8,"room":"direct","turns":[["Piet","I owe Nora forty guilders, don't tell."],["persona","I won't."]]}],
	"probe":{"days_ago":0,"room":"direct","who":"Nora","text":"What did I call her?"},"vital":[{"fact":"the boat's name","any":["petrel"]}],
	"stale":[{"fact":"the boat is for sale","any":["for sale"]}],"foreign":[{"fact":"what Piet owes","any":["guilders"]}],"good_filing":[]}]`

// provider answers replies, the filing and the judge's questions, each through the wire.
func provider(t *testing.T, reply, verdict string) *llmtest.Server {
	return llmtest.Serve(t, func(w http.ResponseWriter, r *llmtest.Request) {
		says := reply
		switch prompt := r.Prompt(); {
		case strings.Contains(prompt, "You judge how well"):
			says = verdict
		case strings.Contains(prompt, "Note what the new messages tell."):
			says = `{"claims":[]}`
		case r.Format != nil:
			says = `{}`
		}
		llmtest.Says(says)(w, r)
	})
}

// live plays the ferry with a provider and returns what --json prints and what --out wrote.
func live(t *testing.T, p *llmtest.Server, args ...string) (report struct {
	Stories []stories.Report
	Total   stories.Total
}, page string,
) {
	t.Helper()
	home := t.TempDir()
	told, out := filepath.Join(home, "stories.json"), filepath.Join(home, "talks.md")
	write(t, told, ferry)
	write(t, filepath.Join(home, "familiar.yaml"), "model:\n  provider: openai\n  model: talker\n  base_url: "+p.URL+"/v1\n  retries: 0\n")
	said, errs, err := lab(home, append([]string{"prompts", told, "--live", "--out", out, "--json"}, args...)...)
	if err != nil {
		t.Fatalf("%v: %s", err, errs)
	}
	if err := json.Unmarshal([]byte(said), &report); err != nil || len(report.Stories) != 1 {
		t.Fatalf("%v: %s", err, said)
	}
	written, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return report, string(written)
}

// TestStoriesWithARealModel plays a story through a provider's wire: the turns are the model's own, and another model
// judges them.
func TestStoriesWithARealModel(t *testing.T) {
	t.Parallel()
	p := provider(t, "Petrel, by the stern.", `{"recall":5,"current":4,"discretion":5,"relevance":4,"personality":3,"insight":2,"naturalness":4,"why":"It knew the name."}`)
	report, page := live(t, p, "--judge", "another")
	r := report.Stories[0]
	if len(r.Missing)+len(r.Foreign) != 0 || r.Said != "Petrel, by the stern." || len(r.Talk) != 6 || len(r.Faults) != 0 {
		t.Errorf("played %+v", r)
	}
	if r.Verdict == nil || r.Verdict.Recall != 5 || r.Verdict.Current != 4 || report.Total.Judged.Stories != 1 {
		t.Errorf("judged %+v, in all %+v", r.Verdict, report.Total.Judged)
	}
	for _, want := range []string{"| ferry | 5 | 4 | 5 | 4 | 3 | 2 | 4 | It knew the name. |", "- **Bram:** Petrel, by the stern.", "- **Nora:** What did I call her?"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not in\n%s", want, page)
		}
	}
	asked := p.Requests()
	last := asked[len(asked)-1]
	prompt := last.Prompt()
	for _, want := range []string{"the boat's name", "the boat is for sale", "what Piet owes", "What did I call her?", "Petrel, by the stern."} {
		if !strings.Contains(prompt, want) {
			t.Errorf("the judge is not shown %q:\n%s", want, prompt)
		}
	}
	if last.Model != "another" || asked[0].Model != "talker" {
		t.Errorf("%s judged, %s talked", last.Model, asked[0].Model)
	}
}

// TestAProvidersErrorsAreTold plays a story whose provider fails: the plain voice answers, and the story has the errors.
func TestAProvidersErrorsAreTold(t *testing.T) {
	t.Parallel()
	report, page := live(t, llmtest.Serve(t, llmtest.Sends(http.StatusUnauthorized, `{"error":{"message":"Incorrect API key provided."}}`)))
	r := report.Stories[0]
	faults := strings.Join(r.Faults, "\n")
	if r.Verdict != nil || r.Said == "" || !strings.Contains(faults, "the plain voice stepped in: ") || !strings.Contains(faults, "not judged: ") {
		t.Errorf("said %q, judged %+v: %s", r.Said, r.Verdict, faults)
	}
	if !strings.Contains(page, "the plain voice, as ") || !strings.Contains(page, "Fault: not judged") {
		t.Errorf("the page hides what failed:\n%s", page)
	}
}
