package main

import (
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"familiar/channels/webhook/webhooktest"
	"familiar/internal/llm/llmtest"
	"familiar/internal/speech/speechtest"
)

// TestR1AKillNextToATranscriptLosesNothing kills a process while a voice message is being listened to, and while it is being answered. It
// is answered once, by the next process. What was heard is not asked for again.
func TestR1AKillNextToATranscriptLosesNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		whileHearing bool
		requests     int
	}{
		"while it is listened to": {true, 2}, // the server was asked, and nobody knows what it said
		"while it is answered":    {false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			killNextToATranscript(t, c.whileHearing, c.requests)
		})
	}
}

func killNextToATranscript(t *testing.T, whileHearing bool, requests int) {
	busy := make(chan struct{}, 8)
	var killed atomic.Bool
	hangs := func(r *http.Request) {
		busy <- struct{}{}
		<-r.Context().Done()
	}
	ears := speechtest.Start(t)
	ears.Answer(func(w http.ResponseWriter, r *http.Request) {
		if whileHearing && !killed.Load() {
			hangs(r)
			return
		}
		fmt.Fprint(w, `{"text":"I live in Bergen now."}`)
	})
	model := llmtest.Serve(t, func(w http.ResponseWriter, r *llmtest.Request) {
		if !whileHearing && !killed.Load() {
			hangs(r.Request)
			return
		}
		llmtest.Says("Bergen is lovely.")(w, r)
	})
	peer := webhooktest.Start(webhookSecret, time.Now, "pond")
	t.Cleanup(peer.Close)
	address := freeAddress(t)
	home := configHome(t, model, fmt.Sprintf(`channels: {webhook: {secret: "env:WEBHOOK", listen: %q, url: %q, direct: open}}
speech: {transcribe: {base_url: %q, model: whisper-1}}
`, address, peer.URL, ears.BaseURL()))
	env := append(slices.Clone(keyed), "WEBHOOK="+webhookSecret)
	post := func(event map[string]any) {
		t.Helper()
		event["room"], event["author"] = "pond", map[string]any{"id": "7", "name": "Ann"}
		if status := peer.Deliver(func() string { return "http://" + address + "/events" }, event); status != http.StatusNoContent {
			t.Fatalf("the event is answered with %d", status)
		}
	}

	serving := start(t, home, env, "run")
	post(map[string]any{"id": "e-1", "attachments": []any{map[string]any{"kind": "voice", "data": []byte("OggS and so on")}}})
	<-busy
	serving.signal(syscall.SIGKILL)
	serving.exit()
	killed.Store(true)

	serving = start(t, home, env, "run")
	eventually(t, "the voice message is answered", func() bool { return len(peer.Shown()) > 0 })
	post(map[string]any{"id": "e-2", "text": "Do you know it?"})
	eventually(t, "what follows is answered", func() bool { return len(peer.Shown()) > 1 })
	serving.signal(syscall.SIGTERM)
	serving.exit()
	if shown, asked := peer.Shown(), len(ears.Requests()); len(shown) != 2 || shown[0].ReplyTo != "e-1" || shown[1].ReplyTo != "e-2" || asked != requests {
		t.Errorf("%d requests, shown %+v", asked, shown)
	}
	checkRecord(t, home, []string{"I live in Bergen now. [spoken]", "Do you know it?"})
}
