package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"familiar/cmd/familiar/internal/serving"
	"familiar/internal/llm/llmtest"
	"familiar/memory"
	"familiar/memory/jobrun"
)

// frequentSessions is a configuration in which sessions end after a second of silence and are refined a second later.
const frequentSessions = "session:\n  gap: 1s\njobs:\n  session_close: \"@every 1s\"\n  refine: \"@every 1s\"\n"

// TestRunServesAndStops runs a process without channels: it logs what it serves, records its jobs in the ledger, and
// stops at once and in order when asked.
func TestRunServesAndStops(t *testing.T) {
	t.Parallel()
	home := configure(t, frequentSessions)
	familiar(t, home, nil, "I was born in Oslo.\n", "chat", "--as", "Ann").must(t)

	running := start(t, home, nil, "run")
	closed := waitForRun(t, running, home, "session-close", "closed 0")
	if closed.Status != jobrun.StatusOK || !strings.HasPrefix(closed.Result, "closed 1 sessions") {
		t.Errorf("the ledger says %+v", closed)
	}
	told := time.Now()
	running.signal(syscall.SIGTERM)
	if code, said := running.exit(); code != 0 || said != "" {
		t.Errorf("exit code %d, said %q; on standard error:\n%s", code, said, running.errs)
	}
	if took := time.Since(told); took >= serving.DrainTimeout {
		t.Errorf("it took %v to stop, with nothing to answer", took)
	}
	for _, word := range []string{"no channel is configured", "familiar chat", "jobs=session-close", "plain voice", "stopped"} {
		if !strings.Contains(running.errs.String(), word) {
			t.Errorf("nothing of %q in:\n%s", word, running.errs)
		}
	}
	if ended := column(rowsOf(t, home, "session", "list"), "ended"); len(ended) != 1 || ended[0] == "" {
		t.Errorf("the sessions ended at %q", ended)
	}
}

// TestRunLogsAsJSON checks that every log line is JSON and that a readable configuration file is warned about once.
func TestRunLogsAsJSON(t *testing.T) {
	t.Parallel()
	home := configure(t, frequentSessions)
	if err := os.Chmod(filepath.Join(home, "familiar.yaml"), 0o644); err != nil {
		t.Fatal(err)
	}
	familiar(t, home, nil, "I was born in Oslo.\n", "chat", "--as", "Ann").must(t)
	serving := start(t, home, nil, "run", "--json")
	waitForRun(t, serving, home, "session-close", "closed 0")
	serving.signal(syscall.SIGTERM)
	if code, said := serving.exit(); code != 0 || said != "" {
		t.Errorf("exit code %d, said %q; on standard error:\n%s", code, said, serving.errs)
	}
	warned := 0
	for line := range strings.Lines(serving.errs.String()) {
		var event struct{ Level, Msg string }
		if err := json.Unmarshal([]byte(line), &event); err != nil || event.Msg == "" {
			t.Errorf("%q is no event: %v", line, err)
		}
		if event.Level == "WARN" && strings.Contains(event.Msg, "run chmod 600") {
			warned++
		}
	}
	if warned != 1 {
		t.Errorf("warned %d times in:\n%s", warned, serving.errs)
	}
}

// refineScript is a conversation that is worth refining.
const refineScript = `My grandfather kept the lamp at Kiipsaare for forty years.
I feel so sad since he died.
Please always call me Captain.
I love storms, and I live in Tartu.
I will visit the lighthouse on Friday.
Thank you, you are wonderful!
`

// TestRefineReadsSessions has the model refine a session: what it can prove is believed, what it invented is not, and
// the summary is stored.
func TestRefineReadsSessions(t *testing.T) {
	t.Parallel()
	p := llmtest.Serve(t, func(w http.ResponseWriter, r *llmtest.Request) {
		switch {
		case r.Format != nil && strings.Contains(r.Prompt(), "STATEMENTS"):
			llmtest.Says(`{"said": ["A", "B"]}`)(w, r)
		case r.Format != nil:
			llmtest.Says(`{"claims": [
				{"message": 1, "subject": "my grandfather", "kind": "fact", "relation": "kept", "value": "the lamp at Kiipsaare",
				 "quote": "My grandfather kept the lamp at Kiipsaare"},
				{"message": 1, "subject": "", "kind": "fact", "relation": "lives_in", "value": "Paris", "quote": "I live in Paris"}]}`)(w, r)
		case r.Stream:
			llmtest.Says("What a place to grow up.")(w, r)
		default:
			llmtest.Says("Ann told of the lighthouse her grandfather kept.")(w, r)
		}
	})
	home := configHome(t, p, frequentSessions)
	familiar(t, home, keyed, refineScript, "chat", "--as", "Ann").must(t)

	serving := start(t, home, keyed, "run", "--log-level", "debug")
	run := waitForRun(t, serving, home, "refine", "read 0")
	serving.signal(syscall.SIGTERM)
	serving.exit()
	if !strings.Contains(run.Result, "learned 1 claims, rejected 1") {
		t.Errorf("the ledger says %+v", run)
	}
	values := column(rowsOf(t, home, "belief", "list", "--history"), "value")
	if !slices.Contains(values, "the lamp at Kiipsaare") || slices.Contains(values, "Paris") {
		t.Errorf("the beliefs are %q", values)
	}
	// The newest is the model's, plus the original lines that it covers too little.
	summaries := column(rowsOf(t, home, "memory", "list", "--sector", "reflective"), "text")
	if len(summaries) == 0 || !strings.HasPrefix(summaries[0], "Ann told of the lighthouse her grandfather kept. Ann: “My grandfather kept the lamp") {
		t.Errorf("the summaries are %q", summaries)
	}
	checkNoKey(t, home, serving.errs.String())
}

// TestRefineShowsWhatItWouldFile has the model read a session with --dry-run: each item is shown with its state, and
// nothing is stored.
func TestRefineShowsWhatItWouldFile(t *testing.T) {
	t.Parallel()
	p := llmtest.Serve(t, func(w http.ResponseWriter, r *llmtest.Request) {
		switch {
		case r.Format != nil && strings.Contains(r.Prompt(), "STATEMENTS"):
			llmtest.Says(`{"said": ["A"]}`)(w, r)
		case r.Format != nil:
			llmtest.Says(`{"claims": [
				{"state": "new", "message": 1, "subject": "my grandfather", "kind": "fact", "relation": "kept", "value": "the lamp at Kiipsaare",
				 "quote": "My grandfather kept the lamp at Kiipsaare"},
				{"state": "new", "message": 1, "kind": "work", "relation": "works_as", "value": "the lamp", "quote": "kept the lamp"},
				{"state": "new", "message": 1, "kind": "fact", "relation": "lives_in", "value": "Paris", "quote": "I live in Paris"}]}`)(w, r)
		default:
			llmtest.Says("What a place to grow up.")(w, r)
		}
	})
	home := configHome(t, p, "")
	familiar(t, home, keyed, refineScript, "chat", "--as", "Ann").must(t)
	before := rowsOf(t, home, "belief", "list", "--history")
	shown := familiar(t, home, keyed, "", "memory", "refine", "--dry-run", "--session", "1", "--json").must(t)
	var rows []struct{ State, Relation, Reason, Quote string }
	if err := json.Unmarshal([]byte(shown.out), &rows); err != nil || len(rows) != 3 {
		t.Fatalf("it shows %s, %v", shown.out, err)
	}
	for i, want := range []string{"new", "unconfirmed", "rejected"} {
		if rows[i].State != want || (rows[i].Reason == "") != (want == "new") || rows[i].Quote == "" {
			t.Errorf("item %d is %+v, want %s", i, rows[i], want)
		}
	}
	if after := rowsOf(t, home, "belief", "list", "--history"); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("the beliefs went from %v to %v", before, after)
	}
	if r := familiar(t, home, keyed, "", "memory", "refine", "--session", "1"); r.code == 0 || !strings.Contains(r.errs, "--dry-run") {
		t.Errorf("without --dry-run: exit code %d, %s", r.code, r.errs)
	}
}

// TestRefineWithAUselessAnswer has the model return half a list: the session still ends and nothing is learned.
func TestRefineWithAUselessAnswer(t *testing.T) {
	t.Parallel()
	p := llmtest.Serve(t, func(w http.ResponseWriter, r *llmtest.Request) {
		if r.Stream {
			llmtest.Says("What a place to grow up.")(w, r)
			return
		}
		llmtest.Says(`{"claims": [{"message": 1, "kind": "fact", "relation": "kept", "value": "the lamp", "quote": "the lam`)(w, r)
	})
	home := configHome(t, p, frequentSessions)
	familiar(t, home, keyed, refineScript, "chat", "--as", "Ann").must(t)
	before := rowsOf(t, home, "belief", "list", "--history")

	serving := start(t, home, keyed, "run")
	run := waitForRun(t, serving, home, "refine", "read 0")
	serving.signal(syscall.SIGTERM)
	serving.exit()
	if !regexp.MustCompile(`^read no session; [1-9]\d* sessions got no answer of use`).MatchString(run.Result) { // a slow machine makes two of them
		t.Errorf("the ledger says %+v", run)
	}
	if !strings.Contains(serving.errs.String(), "nothing was learned from it") {
		t.Errorf("no word of it in the log:\n%s", serving.errs)
	}
	if after := rowsOf(t, home, "belief", "list", "--history"); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("the beliefs went from %v to %v", before, after)
	}
}

// TestRunStopsAtItsTokenLimit checks that the remaining sessions wait for a later run and that the ledger says why.
func TestRunStopsAtItsTokenLimit(t *testing.T) {
	t.Parallel()
	p := llmtest.Serve(t, llmtest.Says("What a place to grow up."))
	home := configHome(t, p, "session:\n  gap: 1s\njobs:\n  session_close: \"@every 1s\"\n  refine: off\n  tokens_per_run: 10\n")
	familiar(t, home, keyed, refineScript, "chat", "--as", "Ann").must(t)
	serving := start(t, home, keyed, "run")
	waitForRun(t, serving, home, "session-close", "closed 0")
	before := len(p.Requests())
	for range 2 { // while the home is being served
		run := familiar(t, home, keyed, "", "job", "run", "refine", "--json").must(t)
		if !strings.Contains(run.out, "stopped: ") || !strings.Contains(run.out, "the tokens of the run are spent: 10 of 10 are left") {
			t.Errorf("the run says %s", run.out)
		}
	}
	serving.signal(syscall.SIGTERM)
	serving.exit()
	if n := len(p.Requests()) - before; n != 0 {
		t.Errorf("asked %d times", n)
	}
}

// waitForRun waits until a process serves, and for the first run of a job that did something. It may belong to the
// previous conversation, but must not have been interrupted by the end of the chat.
func waitForRun(t *testing.T, serving *child, home, job, nothing string) (done jobrun.Run) {
	t.Helper()
	serving.reports("serving") // earlier signals are not handled
	store := openStore(t, home)
	eventually(t, "something worth a run of "+job, func() bool {
		runs, err := store.Jobs.Runs(t.Context(), jobrun.Filter{Job: job})
		if err != nil && !errors.Is(err, memory.ErrNotFound) {
			t.Fatal(err)
		}
		for _, run := range runs {
			if strings.HasSuffix(run.Result, context.Canceled.Error()) {
				continue
			}
			if run.Status == jobrun.StatusFailed || !run.Finished.IsZero() && !strings.HasPrefix(run.Result, nothing) {
				done = run
			}
		}
		return done.ID != 0
	})
	return done
}
