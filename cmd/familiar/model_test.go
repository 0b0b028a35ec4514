package main

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"familiar/internal/llm/llmtest"
	"familiar/memory"
)

// TestModelSpeaks follows a memory into the prompt and a streamed reply to the chat, and expects the key nowhere else.
func TestModelSpeaks(t *testing.T) {
	t.Parallel()
	p := llmtest.Serve(t, llmtest.Says("Your cat Tom, the terror of the curtains."))
	home := configHome(t, p, "")
	talk := start(t, home, keyed, "chat", "--as", "Ann", "--log-level", "debug")
	talk.ask("My cat is called Tom.")
	talk.leave()

	talk = start(t, home, keyed, "chat", "--as", "Ann", "--log-level", "debug")
	if said := talk.ask("What is my cat called?"); said != "Your cat Tom, the terror of the curtains." {
		t.Errorf("it said %q", said)
	}
	talk.say("/why")
	talk.hear("What shaped my last answer:")
	talk.hear("My cat is called Tom")
	talk.leave()

	requests := p.Requests()
	if len(requests) != 2 {
		t.Fatalf("asked %d times for two answers", len(requests))
	}
	last := requests[1]
	if !strings.Contains(last.Prompt(), "My cat is called Tom.") || !last.Stream || last.Model != "test-1" {
		t.Errorf("the model was asked without the memory: %v", last.Fields)
	}
	if by := last.Header.Get("Authorization"); by != "Bearer "+modelKey {
		t.Errorf("authorized with %q", by)
	}
	checkCharged(t, home, 2*chargedTokens, 2)
	checkNoKey(t, home, talk.errs.String())
}

// TestR10ModelFaults lets the model fail in every way: the plain voice answers once, the error is visible, retries are
// limited, and nobody is charged. Only an answer that cannot be said is an answer. The requests are those for the second
// message: with those for the first, three failures in a row end the retries.
func TestR10ModelFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer   llmtest.Answer
		requests int
		fault    string
		charged  bool
	}{
		"hangs":                 {llmtest.Hangs(), 1, "no answer in time; raise model.timeout", false},
		"fails":                 {llmtest.Sends(500, ""), 1, "(status 500)", false},
		"busy":                  {llmtest.Busy("1"), 1, "it asked to wait 1s", false},
		"busy for long":         {llmtest.Busy("3600"), 1, "it asked to wait 1h0m0s", false},
		"refuses the key":       {llmtest.Sends(401, "wrong key "+modelKey), 1, "check model.api_key", false},
		"repeats the key":       {llmtest.Sends(400, "bad request with "+modelKey), 1, "the provider rejects the request", false},
		"garbage":               {llmtest.Sends(200, "<html>hello"), 1, "a web page came in place of an answer", false},
		"nothing":               {llmtest.Sends(200, ""), 1, "ask openai", false},
		"an empty answer":       {llmtest.Says(""), 2, "the answer was empty", false},
		"breaks off":            {llmtest.Streams(llmtest.Delta("Your cat is ", "")), 1, "ended before the answer was complete", false},
		"10 MB":                 {llmtest.Floods("", llmtest.Delta(strings.Repeat("meow ", 200), "")), 1, "larger than 1 MB", false},
		"an answer of no words": {llmtest.Says(" \u200b… "), 2, "holds nothing to say", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := llmtest.Serve(t, c.answer)
			patience := time.Minute // enough for a busy machine
			if name == "hangs" {
				patience = 2 * time.Second
			}
			home := configure(t, modelConfig(p, patience, "limits:\n  tokens_per_person_per_day: 0\n"))
			talk := start(t, home, keyed, "chat", "--as", "Ann", "--log-level", "debug")
			talk.ask("My cat is called Tom.")
			before := len(p.Requests())
			if said := talk.ask("What is my cat called?"); !strings.Contains(said, "Tom") {
				t.Errorf("the plain voice said %q", said)
			}
			if n := len(p.Requests()) - before; n != c.requests {
				t.Errorf("asked %d times, want %d", n, c.requests)
			}
			talk.say("/why")
			why := talk.hear("It was the plain voice that spoke: the model ")
			for _, private := range []string{"127.0.0.1", "openai", "status", "model.", "speak through"} {
				if strings.Contains(why, private) {
					t.Errorf("the room hears what only the operator may: %q", why)
				}
			}
			said := talk.leave()
			faults := strings.Join(column(talkOf(t, home, "1"), "fault"), "")
			if !strings.Contains(faults, c.fault) {
				t.Errorf("no word of %q for the operator: %q", c.fault, faults)
			}
			if strings.Contains(said, "Tom") {
				t.Errorf("it said more: %q", said)
			}
			log := read(t, filepath.Join(home, "familiar.log"))
			if !strings.Contains(log, "the plain voice replied instead of the model") || !strings.Contains(log, c.fault) {
				t.Errorf("no word of %q in the log:\n%s", c.fault, log)
			}
			if used, _ := usedTokens(t, home); (used > 0) != c.charged {
				t.Errorf("charged %d tokens", used)
			}
			checkNoKey(t, home, talk.errs.String()+said)
		})
	}
}

// TestModelCaps reaches a daily limit: the plain voice answers, says so once, and the model is not called.
func TestModelCaps(t *testing.T) {
	t.Parallel()
	for _, limit := range []string{"tokens_per_person_per_day: 1", "tokens_per_day: 1"} {
		p := llmtest.Serve(t, llmtest.Says("Hello."))
		home := configHome(t, p, "limits:\n  "+limit+"\n")
		talk := start(t, home, keyed, "chat", "--as", "Ann")
		talk.ask("My cat is called Tom.")
		talk.hear("ntil tomorrow")
		if said := talk.ask("What is my cat called?"); !strings.Contains(said, "Tom") {
			t.Errorf("%s: it said %q", limit, said)
		}
		talk.say("/why")
		talk.hear("what the model may be used for in a day is used up")
		talk.leave()
		if n := len(p.Requests()); n > 0 {
			t.Errorf("%s: asked %d times", limit, n)
		}
		checkCharged(t, home, 0, 0)
	}
}

// checkCharged compares the cost of Ann's conversation.
func checkCharged(t *testing.T, home string, tokens, calls int) {
	t.Helper()
	if used, n := usedTokens(t, home); used != tokens || n != calls {
		t.Errorf("charged %d tokens for %d calls, want %d for %d", used, n, tokens, calls)
	}
}

// usedTokens returns the cost of all conversations yesterday, today and tomorrow: a test may run at midnight.
func usedTokens(t *testing.T, home string) (tokens, calls int) {
	t.Helper()
	store := openStore(t, home)
	for day := -1; day <= 1; day++ {
		used, err := store.Budget.UsageOn(t.Context(), time.Now().UTC().AddDate(0, 0, day).Format(time.DateOnly), "nell")
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range used {
			tokens, calls = tokens+u.Tokens, calls+u.Calls
		}
	}
	return tokens, calls
}

func openStore(t *testing.T, home string) *memory.Store {
	t.Helper()
	store, err := memory.Open(context.Background(), filepath.Join(home, "familiar.db"), memory.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// checkNoKey searches everything a run wrote for the key in all its encodings.
func checkNoKey(t *testing.T, home, said string) {
	t.Helper()
	forms := []string{modelKey, url.QueryEscape(modelKey), url.PathEscape(modelKey), "sk-canary"}
	check := func(where, text string) {
		for _, form := range forms {
			if strings.Contains(text, form) {
				t.Errorf("the key is in %s", where)
			}
		}
	}
	check("what it said", said)
	err := filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			check(path, read(t, path))
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(data)
}
