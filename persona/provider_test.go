package persona_test

// O5: a prompt that is too long for the model is made smaller once, and what fits is remembered. O6: during an outage the
// plain voice answers at once, nobody's cap is used, and the model is back soon after the provider is.

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
	"familiar/memory/memorytest"
	"familiar/persona/modelvoice"
	"familiar/persona/plain"
	"familiar/persona/scene"
)

// providerClient returns a client of a loopback provider. Its waits move the clock.
func providerClient(t *testing.T, w *llmtest.Server, clock *memorytest.Clock) *llm.Client {
	t.Helper()
	c, err := llm.New(llm.Settings{
		Provider: "openai", Model: "m", BaseURL: w.URL + "/v1", Timeout: 10 * time.Second, MaxTokens: 200, Retries: 2,
		Now: clock.Now, Rand: func() float64 { return 0 },
		Sleep: func(ctx context.Context, d time.Duration) error {
			clock.Advance(d)
			return ctx.Err()
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// longScene is a long talk before a question.
func longScene() scene.Scene {
	s := modelScene()
	s.Room = 3
	for i := range 400 {
		s.Recent = append(s.Recent, scene.Line{
			Name: "Ana", At: s.Now.Add(time.Duration(i-500) * time.Minute),
			Text: fmt.Sprintf("today the harbour was quiet and I walked around it for the %dth time", i),
		})
	}
	return s
}

func TestO5ATooLongPromptIsMadeSmallerOnce(t *testing.T) {
	for _, c := range []struct {
		name, refusal string
		// next is how many requests the next turn takes: the window is remembered if it was named.
		next int
	}{
		{"the window is named", `{"error":{"message":"This model's maximum context length is 3000 tokens. However, your messages resulted in 5712 tokens.","code":"context_length_exceeded"}}`, 1},
		{"it is not", `{"error":{"message":"Input is too long for requested model."}}`, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := llmtest.Serve(t, func(rw http.ResponseWriter, r *llmtest.Request) {
				if len(r.Prompt()) > 13_000 {
					llmtest.Sends(http.StatusBadRequest, c.refusal)(rw, r)
					return
				}
				llmtest.Says("He is called Bolt.")(rw, r)
			})
			voice := modelvoice.NewVoice(providerClient(t, w, new(memorytest.Clock)), meter(memorytest.Open(t)), 0, 200)
			for _, want := range []int{2, c.next} {
				before := len(w.Requests())
				speech, err := voice.Reply(t.Context(), longScene(), func(string) {})
				if n := len(w.Requests()) - before; err != nil || speech.Text != "He is called Bolt." || n != want {
					t.Errorf("Reply = %+v, %v after %d requests, want %d", speech, err, n, want)
				}
			}
			last := w.Requests()[len(w.Requests())-1].Prompt()
			if !strings.Contains(last, "what is my dog called?") || !strings.Contains(last, "the 399th time") {
				t.Errorf("the question or the newest words are missing:\n%s", last)
			}
		})
	}
}

func TestO5APromptThatNeverFitsIsAskedTwice(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Says400(`{"error":{"message":"prompt is too long"}}`))
	voice := modelvoice.Fallback(modelvoice.NewVoice(providerClient(t, w, new(memorytest.Clock)), meter(memorytest.Open(t)), 0, 200), plain.New())
	speech, err := voice.Reply(t.Context(), longScene(), nil)
	if err != nil || speech.Voice != "plain" || !strings.Contains(speech.Fault, "model.context_tokens") || len(w.Requests()) != 2 {
		t.Errorf("Reply = %+v, %v after %d requests, want the plain voice after 2", speech, err, len(w.Requests()))
	}
}

func TestO6ThePlainVoiceAnswersAtOnceDuringAnOutage(t *testing.T) {
	store, clock := memorytest.Open(t), new(memorytest.Clock)
	up := false // requests are made one after another
	w := llmtest.Serve(t, func(rw http.ResponseWriter, r *llmtest.Request) {
		if up {
			llmtest.Says("He is called Bolt.")(rw, r)
			return
		}
		llmtest.Sends(http.StatusServiceUnavailable, "")(rw, r)
	})
	charge := meter(store)
	charge.Now = clock.Now
	voice := modelvoice.Fallback(modelvoice.NewVoice(providerClient(t, w, clock), charge, 0, 200), plain.New())
	say := func() scene.Reply {
		t.Helper()
		s := modelScene()
		s.Room = 3
		speech, err := voice.Reply(t.Context(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		return speech
	}
	start := clock.Now()
	for clock.Now().Before(start.Add(time.Hour)) {
		before, asked := clock.Now(), len(w.Requests())
		if speech := say(); speech.Voice != "plain" || speech.Text == "" {
			t.Fatalf("Reply = %+v, want the plain voice", speech)
		}
		if n := len(w.Requests()) - asked; before.After(start) && (n > 1 || clock.Now() != before) {
			t.Fatalf("after the first failures: %d requests and %s of waiting", n, clock.Now().Sub(before))
		}
		clock.Advance(7 * time.Second)
	}
	usage, err := store.Budget.UsageOn(t.Context(), start.Format(time.DateOnly), "mira")
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range usage {
		if u.Tokens != 0 {
			t.Errorf("charged %+v", u)
		}
	}
	up = true
	for recovered := clock.Now(); say().Voice != "model"; clock.Advance(time.Second) {
		if clock.Now().Sub(recovered) > 30*time.Second {
			t.Fatal("the model does not answer 30 s after the recovery")
		}
	}
}
