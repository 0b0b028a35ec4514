package main

// Bad input: whatever a provider does, the operator reads one clear sentence in the log, with the message and from the doctor,
// the person gets a kind answer without a word of it, and nothing that was said is lost.

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"familiar/internal/llm/llmtest"
)

// unfit are answers that no model should give, with what the log and the doctor say about them.
var unfit = map[string]struct {
	answer      llmtest.Answer
	log, doctor string
}{
	"hangs":                {llmtest.Hangs(), "no answer in time; raise model.timeout", "no answer within 2s"},
	"floods a stream":      {llmtest.Floods("", llmtest.Delta(strings.Repeat("meow ", 200), "")), "larger than 1 MB", "larger than 1 MB"},
	"20 MB in one line":    {llmtest.Floods(`{"choices":[{"message":{"content":"`, strings.Repeat("a", 4096)), "ask openai: ", "model.base_url"},
	"a page":               {llmtest.Page(), "a web page came in place of an answer; check model.base_url", "check model.base_url"},
	"another model's JSON": {llmtest.Ollama("Hello."), "check model.provider and model.base_url", "not in this provider's format"},
	"no such model": {
		llmtest.Sends(404, `{"error":{"message":"The model does not exist or you do not have access to it.","code":"model_not_found"}}`),
		"the provider has no such model, or the key may not use it; check model.model", `the provider knows no model "test-1"`,
	},
	"no credit": {
		llmtest.Sends(429, `{"error":{"message":"You exceeded your current quota.","type":"insufficient_quota","code":"insufficient_quota"}}`),
		"nothing is left of the account's credit", "nothing is left of the account's credit",
	},
}

// private are words that only the operator may read.
var private = []string{"127.0.0.1", "openai", "status", "model.", "provider", "http", "credit", "key", "test-1", "meow", "<html"}

func TestBadInputEndToEnd(t *testing.T) {
	t.Parallel()
	for name, c := range unfit {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var well atomic.Bool
			p := llmtest.Serve(t, func(w http.ResponseWriter, r *llmtest.Request) {
				if well.Load() {
					llmtest.Says("Your cat Tom, the terror of the curtains.")(w, r)
					return
				}
				c.answer(w, r)
			})
			patience := time.Minute // enough for a busy machine
			if name == "hangs" {
				patience = 2 * time.Second
			}
			home := configure(t, modelConfig(p, patience, ""))
			talk := start(t, home, keyed, "chat", "--as", "Ann")
			first := talk.ask("My cat is called Tom.")
			second := talk.ask("What is my cat called?")
			if !strings.Contains(second, "Tom") || first == "" {
				t.Errorf("the plain voice said %q and %q", first, second)
			}
			said := first + second + talk.leave()
			for _, word := range private {
				if strings.Contains(said, word) {
					t.Errorf("the person reads %q in %q", word, said)
				}
			}
			checkOperatorReads(t, home, c.log)
			if d := familiar(t, home, keyed, "", "doctor"); d.code != 1 || !strings.Contains(d.out, c.doctor) {
				t.Errorf("the doctor (%d) says nothing of %q:\n%s", d.code, c.doctor, d.out)
			}

			well.Store(true)
			talk = start(t, home, keyed, "chat", "--as", "Ann")
			if said := talk.ask("And what is my cat called now?"); said != "Your cat Tom, the terror of the curtains." {
				t.Errorf("recovered, it said %q", said)
			}
			talk.leave()
			asked := p.Requests()
			if last := asked[len(asked)-1].Prompt(); !strings.Contains(last, "My cat is called Tom.") {
				t.Errorf("what was said during the fault is lost: %s", last)
			}
			checkNoKey(t, home, said)
		})
	}
}

// checkOperatorReads looks for a sentence in the log and with the messages, each on one line.
func checkOperatorReads(t *testing.T, home, sentence string) {
	t.Helper()
	found := false
	for line := range strings.Lines(read(t, filepath.Join(home, "familiar.log"))) {
		found = found || strings.Contains(line, "the plain voice replied instead of the model") && strings.Contains(line, sentence)
	}
	if !found {
		t.Errorf("no word of %q in the log:\n%s", sentence, read(t, filepath.Join(home, "familiar.log")))
	}
	if faults := strings.Join(column(talkOf(t, home, "1"), "fault"), ""); !strings.Contains(faults, sentence) {
		t.Errorf("no word of %q with the messages: %q", sentence, faults)
	}
}

// TestBadInputAKeyRevokedInMidTalk: the talk goes on without the model, and with it once there is a new key.
func TestBadInputAKeyRevokedInMidTalk(t *testing.T) {
	t.Parallel()
	answer, revoke := llmtest.Revokes(llmtest.Says("A fine name."))
	p := llmtest.Serve(t, answer)
	home := configHome(t, p, "")
	talk := start(t, home, keyed, "chat", "--as", "Ann")
	if said := talk.ask("My cat is called Tom."); said != "A fine name." {
		t.Fatalf("it said %q", said)
	}
	revoke()
	said := talk.ask("My sister Rosa lives in Porto.")
	answered := talk.ask("What is my cat called?")
	if said == "" || !strings.Contains(answered, "Tom") {
		t.Errorf("the plain voice said %q and %q", said, answered)
	}
	for _, word := range private {
		if strings.Contains(said+answered, word) {
			t.Errorf("the person reads %q in %q", word, said+answered)
		}
	}
	talk.leave()
	checkOperatorReads(t, home, "the provider rejects the API key; check model.api_key")
	checkUsage(t, home)
	if d := familiar(t, home, keyed, "", "doctor"); d.code != 1 || !strings.Contains(d.out, "the provider rejects the key") {
		t.Errorf("the doctor says %s", d.out)
	}

	renewed := llmtest.Serve(t, llmtest.Says("Rosa, in Porto."))
	config := strings.Replace(modelConfig(renewed, time.Minute, ""), "MODEL_KEY", "NEW_KEY", 1)
	if err := os.WriteFile(filepath.Join(home, "familiar.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	talk = start(t, home, []string{"NEW_KEY=" + modelKey}, "chat", "--as", "Ann")
	if said := talk.ask("Where does my sister live?"); said != "Rosa, in Porto." {
		t.Errorf("with a new key it said %q", said)
	}
	talk.leave()
	asked := renewed.Requests()
	if last := asked[len(asked)-1].Prompt(); !strings.Contains(last, "My sister Rosa lives in Porto.") {
		t.Errorf("what was said without the model is lost: %s", last)
	}
	checkNoKey(t, home, said+answered)
}

// checkUsage looks for what the first answer that a model gave took, in both forms.
func checkUsage(t *testing.T, home string) {
	t.Helper()
	if shown := familiar(t, home, nil, "", "session", "show", "1").must(t).out; !strings.Contains(shown, "1 call to openai/test-1: ") || !strings.Contains(shown, " tokens in") {
		t.Errorf("no word of what the answers took:\n%s", shown)
	}
	for _, m := range talkOf(t, home, "1") {
		if m["text"] != "A fine name." {
			continue
		}
		all, _ := m["usage"].([]any)
		if len(all) != 1 {
			t.Fatalf("the answer took %v", m["usage"])
		}
		used, _ := all[0].(map[string]any)
		if in, _ := used["tokens_in"].(float64); used["job"] != "talk" || used["requests"] != 1.0 || in == 0 || used["dollars"] != nil {
			t.Errorf("the answer took %v", used)
		}
	}
}

// TestBadInputAJobSaysWhatIsWrong: a job that needs the model fails with the same sentence, and another run takes it up.
func TestBadInputAJobSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	p := llmtest.Serve(t, unfit["no such model"].answer)
	home := configHome(t, p, "session: {gap: 1s}\n")
	talk := start(t, home, keyed, "chat", "--as", "Ann")
	talk.ask("My cat is called Tom, and my sister Rosa lives in Porto.")
	talk.leave()
	time.Sleep(1100 * time.Millisecond) // the talk is over then
	if r := familiar(t, home, keyed, "", "job", "run", "session-close"); r.code != 0 {
		t.Fatalf("%d: %s", r.code, r.errs)
	}
	r := familiar(t, home, keyed, "", "job", "run", "refine")
	if text := r.out + r.errs; r.code == 0 || strings.Count(text, "the provider has no such model, or the key may not use it; check model.model") != 1 {
		t.Errorf("%d: %s", r.code, text)
	}
	before := len(p.Requests())
	if r := familiar(t, home, keyed, "", "job", "run", "refine"); r.code == 0 || len(p.Requests()) == before {
		t.Errorf("another run does not take it up: %d: %s", r.code, r.errs)
	}
}
