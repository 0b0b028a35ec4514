package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"familiar/channels/webhook/webhooktest"
	"familiar/internal/llm/llmtest"
	"familiar/internal/operations"
)

// askPage returns the status code and the body of a page of a serving process.
func askPage(t *testing.T, url string) (int, string) {
	t.Helper()
	response, err := http.Get(url) //nolint:noctx // a loopback server
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// TestS14NobodyIsInTheMetricsOrTheLog has people talk whose names, numbers, rooms and words are canaries, with a model that
// fails now and then, at the most verbose level: neither the log nor the metrics nor any page contains one of them.
func TestS14NobodyIsInTheMetricsOrTheLog(t *testing.T) {
	t.Parallel()
	const phone, words = "+15550042017", "the heron of Kiipsaare"
	answers := 0
	p := llmtest.Serve(t, func(w http.ResponseWriter, r *llmtest.Request) {
		if answers++; answers%3 == 0 {
			llmtest.Sends(http.StatusBadRequest, `{"error": {"message": "bad prompt: `+words+`"}}`)(w, r)
			return
		}
		llmtest.Says("I remember "+words+".")(w, r)
	})
	peer := webhooktest.Start(webhookSecret, time.Now, phone)
	t.Cleanup(peer.Close)
	hook, address := freeAddress(t), freeAddress(t)
	home := configHome(t, p, fmt.Sprintf("debounce: {quiet: 5ms, cap: 5ms}\noperations: {listen: %q}\nlog: {level: debug, format: json}\n"+
		"channels:\n  webhook: {secret: \"env:WEBHOOK\", listen: %q, url: %q, direct: open}\n", address, hook, peer.URL))
	serving := start(t, home, append([]string{"WEBHOOK=" + webhookSecret}, keyed...), "run")
	serving.reports("serving")
	for n := range 9 {
		event := map[string]any{
			"id": fmt.Sprint("e", n), "room": phone, "author": map[string]any{"id": phone, "name": "Captain Canary"}, "text": fmt.Sprintf("I saw %s, %d times.", words, n),
		}
		if status := peer.Deliver(func() string { return "http://" + hook + "/events" }, event); status != http.StatusNoContent {
			t.Fatalf("the event gets %d", status)
		}
		eventually(t, "a reply", func() bool { return len(peer.Shown()) > n })
	}
	if _, err := operations.Ask(t.Context(), home+"/familiar.sock"); err != nil {
		t.Error(err)
	}
	if shown := familiar(t, home, keyed, "", "status").must(t).out; !strings.Contains(shown, "familiar run") || !strings.Contains(shown, "webhook\tconnected") {
		t.Errorf("status shows %s", shown)
	}
	familiar(t, home, keyed, "", "status", "--ready").must(t)
	var pages strings.Builder
	for page, want := range map[string]string{"/healthz": "ok", "/readyz": `"ready":true`, "/status": `"webhook":"connected"`, "/metrics": `familiar_turns_total{channel="webhook",outcome="ok"}`} {
		code, body := askPage(t, "http://"+address+page)
		if code != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: %d %s", page, code, body)
		}
		pages.WriteString(body)
	}
	for _, counted := range []string{
		`familiar_model_calls_total{job="talk",model="openai/test-1",outcome="failed"}`, `familiar_outbox_waiting{channel="webhook"} 0`,
		`familiar_channel_phase{channel="webhook",phase="connected"} 1`, `familiar_recall_seconds_count`,
		`familiar_database_readers 4`, `familiar_database_repeats_total 0`,
	} {
		if !strings.Contains(pages.String(), counted) {
			t.Errorf("no %s in\n%s", counted, pages.String())
		}
	}
	familiar(t, home, keyed, "", "job", "run", "session-close").must(t)
	serving.signal(15)
	if code, _ := serving.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	for _, canary := range []string{phone, phone[1:], "5550042017", "Canary", "heron", "Kiipsaare", modelKey, webhookSecret} {
		if strings.Contains(serving.errs.String(), canary) {
			t.Errorf("%q is in the log:\n%s", canary, serving.errs)
		}
		if strings.Contains(pages.String(), canary) {
			t.Errorf("%q is in the pages:\n%s", canary, pages.String())
		}
	}
	if !strings.Contains(serving.errs.String(), `"level":"DEBUG"`) {
		t.Errorf("nothing was logged for debugging:\n%s", serving.errs)
	}
}
