package llm_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
	"familiar/prompts"
)

// TestO6AFailedCallIsInNobodysCap makes requests fail in every way. Only what was streamed counts; that requests were
// made, and what the provider counted for them, is reported apart.
func TestO6AFailedCallIsInNobodysCap(t *testing.T) {
	read := prompt().Tokens()
	for _, c := range []struct {
		name    string
		stream  bool
		handler llmtest.Answer
		in, out int
		// requests is how many are counted, failed what the provider counted for nothing.
		requests, failed int
	}{
		{"a hang", false, llmtest.Hangs(), 0, 0, 2, 0},
		{"a hang before a stream", true, llmtest.Hangs(), 0, 0, 2, 0},
		{"a hang after words", true, llmtest.Hangs(llmtest.Delta("I am", "")), read, 1, 1, 0},
		{"a broken answer, three times", false, llmtest.Sends(200, openaiAnswer[:60]), 0, 0, 3, 0},
		{"a dropped connection, three times", false, llmtest.Drops, 0, 0, 3, 0},
		{"a broken provider, three times", false, llmtest.Sends(500, ""), 0, 0, 3, 0},
		{"an empty answer the provider counted", false, llmtest.Sends(200, strings.Replace(openaiAnswer, "I am well.", "", 1)), 0, 0, 1, 25},
		{"a busy provider", false, llmtest.Sends(429, ""), 0, 0, 3, 0},
		{"a wrong key", true, llmtest.Sends(401, ""), 0, 0, 1, 0},
		{"a bad request", false, llmtest.Sends(400, ""), 0, 0, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := llmtest.Serve(t, c.handler)
			client, _ := clientOf(t, w, func(s *llm.Settings) {
				if strings.HasPrefix(c.name, "a hang") { // the others get the time a busy machine needs
					s.Timeout, s.Idle = time.Second, 500*time.Millisecond
				}
			})
			var stream func(string)
			if c.stream {
				stream, _ = collect()
			}
			got, err := client.Generate(t.Context(), prompt(), stream)
			if err == nil || got.TokensIn != c.in || got.TokensOut < c.out || got.TokensOut > c.out+3 {
				t.Errorf("Generate = %+v, %v, want the cost of %d and %d tokens", got, err, c.in, c.out)
			}
			if got.Requests != c.requests || got.FailedIn+got.FailedOut != c.failed {
				t.Errorf("Generate = %+v, want %d requests and %d tokens for nothing", got, c.requests, c.failed)
			}
		})
	}
}

func TestAProviderOutOfReachCostsNothing(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Hangs())
	c, _ := clientOf(t, w, nil)
	w.Close()
	if got, err := c.Generate(t.Context(), prompt(), nil); err == nil || got != (prompts.Answer{Requests: 3}) {
		t.Errorf("Generate = %+v, %v, want an error and no cost", got, err)
	}
}

func TestO6AnAnswerCostsNothingForItsEarlierAttempts(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Sends(502, ""), llmtest.Sends(429, ""), llmtest.Sends(200, openaiAnswer))
	c, _ := clientOf(t, w, nil)
	got, err := c.Generate(t.Context(), prompt(), nil)
	want := prompts.Answer{Text: "I am well.", TokensIn: 21, TokensOut: 4, Requests: 3, Stop: prompts.StopEnd}
	if err != nil || got != want {
		t.Errorf("Generate = %+v, %v, want %+v", got, err, want)
	}
}

func TestCancelledBetweenAttemptsCountsTheRequest(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Sends(500, ""))
	ctx, cancel := context.WithCancel(t.Context())
	c, _ := clientOf(t, w, func(s *llm.Settings) {
		s.Sleep = func(ctx context.Context, _ time.Duration) error {
			cancel()
			return ctx.Err()
		}
	})
	got, err := c.Generate(ctx, prompt(), nil)
	if err == nil || got != (prompts.Answer{Requests: 1}) {
		t.Errorf("Generate = %+v, %v, want the request that was made and no cost", got, err)
	}
}

// TestACancelledRequestThatWasReadCosts: the caller ended it, not the provider.
func TestACancelledRequestThatWasReadCosts(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w := llmtest.Serve(t, func(rw http.ResponseWriter, r *llmtest.Request) {
		cancel()
		llmtest.Hangs()(rw, r)
	})
	c, _ := clientOf(t, w, nil)
	if got, err := c.Generate(ctx, prompt(), nil); err == nil || got.TokensIn != prompt().Tokens() || got.Requests != 1 {
		t.Errorf("Generate = %+v, %v, want the cost of the prompt", got, err)
	}
}
