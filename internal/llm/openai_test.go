package llm_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
	"familiar/prompts"
)

func TestOpenAIAnswers(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Sends(200, openaiAnswer))
	c, _ := clientOf(t, w, nil)
	got, err := c.Generate(t.Context(), prompt(), nil)
	if want := (prompts.Answer{Text: "I am well.", TokensIn: 21, TokensOut: 4, Requests: 1, Stop: prompts.StopEnd}); err != nil || got != want {
		t.Fatalf("Generate = %+v, %v, want %+v", got, err, want)
	}
	r := w.Requests()[0]
	if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer "+key {
		t.Errorf("asked %s with %q", r.URL.Path, r.Header.Get("Authorization"))
	}
	if r.Model != "test-model" || r.Fields["max_completion_tokens"] != 50.0 || r.Fields["max_tokens"] != nil || r.Stream {
		t.Errorf("asked %v", r.Fields)
	}
	var roles []string
	for _, m := range r.Messages {
		roles = append(roles, m.Role)
	}
	if got := strings.Join(roles, " "); got != "system user assistant user" {
		t.Errorf("the roles are %s", got)
	}
}

func TestALimitIsAlwaysSet(t *testing.T) {
	for _, c := range []struct {
		asked  int
		legacy bool
		field  string
		want   float64
	}{
		{50, false, "max_completion_tokens", 50},
		{0, false, "max_completion_tokens", 200},
		{1500, false, "max_completion_tokens", 1500}, // a list of claims is longer than a reply
		{99_999, false, "max_completion_tokens", 32_768},
		{50, true, "max_tokens", 50},
	} {
		w := llmtest.Serve(t, llmtest.Sends(200, openaiAnswer))
		client, _ := clientOf(t, w, func(s *llm.Settings) { s.LegacyMaxTokens = c.legacy })
		p := prompt()
		p.MaxTokens, p.JSON = c.asked, true
		if _, err := client.Generate(t.Context(), p, nil); err != nil {
			t.Fatal(err)
		}
		r := w.Requests()[0]
		if r.Fields[c.field] != c.want {
			t.Errorf("asked for %d: %s is %v, want %v", c.asked, c.field, r.Fields[c.field], c.want)
		}
		if r.Format == nil || r.Format.Type != "json_object" {
			t.Errorf("JSON was not asked for: %v", r.Fields["response_format"])
		}
	}
}

func TestOpenAIStreams(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Streams(": warming up\n\n", llmtest.Delta("I am", ""), llmtest.Delta(" wéll.", ""), llmtest.Delta("", "stop"), llmtest.Usage, llmtest.Done))
	c, _ := clientOf(t, w, nil)
	stream, streamed := collect()
	got, err := c.Generate(t.Context(), prompt(), stream)
	if want := (prompts.Answer{Text: "I am wéll.", TokensIn: 21, TokensOut: 4, Requests: 1, Stop: prompts.StopEnd}); err != nil || got != want {
		t.Fatalf("Generate = %+v, %v, want %+v", got, err, want)
	}
	if streamed.String() != "I am wéll." {
		t.Errorf("streamed %q", streamed)
	}
}

func TestAnAnswerCutOffByItsLimitSaysSo(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Streams(llmtest.Delta("I am", ""), llmtest.Delta("", "length"), llmtest.Done))
	c, _ := clientOf(t, w, nil)
	stream, _ := collect()
	got, err := c.Generate(t.Context(), prompt(), stream)
	if err != nil || got.Stop != prompts.StopLength || !got.Estimated || got.TokensIn != 12 || got.TokensOut == 0 {
		t.Errorf("Generate = %+v, %v, want a cut answer with an estimate of its cost", got, err)
	}
}

func TestABusyProviderIsRetriedAfterItsDelay(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Busy("7"), llmtest.Sends(200, openaiAnswer))
	c, waits := clientOf(t, w, nil)
	got, err := c.Generate(t.Context(), prompt(), nil)
	if err != nil || got.TokensIn != 21 || got.TokensOut != 4 {
		t.Fatalf("Generate = %+v, %v, want an answer counted once", got, err)
	}
	if len(*waits) != 1 || (*waits)[0] < 7*time.Second || (*waits)[0] > 8*time.Second {
		t.Errorf("waited %v, want 7 s and a little", *waits)
	}
}

func TestAWaitTooLongIsNotWaited(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Busy(time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)))
	c, waits := clientOf(t, w, nil)
	_, err := c.Generate(t.Context(), prompt(), nil)
	var fault *llm.Error
	if !errors.As(err, &fault) || fault.Kind != llm.RateLimited || fault.RetryAfter < 55*time.Minute || len(*waits) != 0 {
		t.Errorf("Generate: %v after %v, want RateLimited at once", err, *waits)
	}
}

// TestFaults tests all kinds of server failures.
func TestFaults(t *testing.T) {
	echo := func(status int) llmtest.Answer {
		return llmtest.Sends(status, `{"error":{"message":"key `+key+` is no good\n`+strings.Repeat("x", 5000)+`"}}`)
	}
	for _, c := range []struct {
		name     string
		stream   bool
		handler  llmtest.Answer
		kind     llm.Kind
		attempts int
		partial  string
	}{
		{"500", false, echo(500), llm.Server, 3, ""},
		{"503 to a stream", true, echo(503), llm.Server, 3, ""},
		{"429 for ever", false, echo(429), llm.RateLimited, 3, ""},
		{"400", false, echo(400), llm.Bad, 1, ""},
		{"401", false, echo(401), llm.Auth, 1, ""},
		{"403 to a stream", true, echo(403), llm.Auth, 1, ""},
		{"404 without JSON", false, llmtest.Sends(404, "<html>"), llm.Bad, 1, ""},
		{"a redirect", false, llmtest.Sends(307, ""), llm.Bad, 1, ""},
		{"connection dropped", false, llmtest.Drops, llm.Server, 3, ""},
		{"truncated JSON", false, llmtest.Sends(200, openaiAnswer[:60]), llm.Server, 3, ""},
		{"not JSON", false, llmtest.Sends(200, "<html>hello</html>"), llm.Server, 3, ""},
		{"no choices", false, llmtest.Sends(200, `{"choices":[]}`), llm.Server, 3, ""},
		{"no text", false, llmtest.Sends(200, `{"choices":[{"message":{"content":" \n"},"finish_reason":"stop"}]}`), llm.Empty, 1, ""},
		{"no text in a stream", true, llmtest.Streams(llmtest.Delta("", "stop"), llmtest.Done), llm.Empty, 1, ""},
		{"a stream that ends at once", true, llmtest.Streams(), llm.Server, 3, ""},
		{"a stream cut between events", true, llmtest.Streams(llmtest.Delta("I am", "")), llm.Server, 1, "I am"},
		{"a stream cut within an event", true, llmtest.Streams(llmtest.Delta("I am", ""), `data: {"choi`), llm.Server, 1, "I am"},
		{"20 MB", false, llmtest.Floods(`{"choices":[{"message":{"content":"`, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), llm.TooLong, 1, ""},
		{"20 MB in a line of a stream", true, llmtest.Floods("data: ", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), llm.Server, 3, ""},
		{"20 MB of comments", true, llmtest.Floods("", ": nothing yet, but soon\n"), llm.TooLong, 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := llmtest.Serve(t, c.handler)
			client, waits := clientOf(t, w, nil)
			var stream func(string)
			if c.stream {
				stream, _ = collect()
			}
			got, err := client.Generate(t.Context(), prompt(), stream)
			var fault *llm.Error
			if !errors.As(err, &fault) || fault.Kind != c.kind || fault.Provider != "openai" {
				t.Fatalf("Generate: %v, want kind %q", err, c.kind)
			}
			if n := len(w.Requests()); n != c.attempts || len(*waits) != c.attempts-1 {
				t.Errorf("asked %d times with waits %v, want %d times", n, *waits, c.attempts)
			}
			if got.Text != c.partial {
				t.Errorf("said %q until then, want %q", got.Text, c.partial)
			}
			checkNoSecret(t, err)
		})
	}
}

// checkNoSecret checks that an error is fit for a log: no key in any form, no URL, short, one line.
func checkNoSecret(t *testing.T, err error) {
	t.Helper()
	for e := err; e != nil; e = errors.Unwrap(e) {
		streamed := e.Error()
		for _, secret := range []string{key, "sk-canary%2F8%2Bfb1", "sk-canary%2F8+fb1", "canary"} {
			if strings.Contains(streamed, secret) {
				t.Errorf("the key shows in %q", streamed)
			}
		}
		if strings.ContainsAny(streamed, "\n\r") || len(streamed) > 800 {
			t.Errorf("not one short line: %q", streamed)
		}
	}
}

func TestWaitsGrow(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Sends(500, ""))
	c, waits := clientOf(t, w, func(s *llm.Settings) { s.Retries = 8 })
	if _, err := c.Generate(t.Context(), prompt(), nil); err == nil {
		t.Fatal("no error after nine failures")
	}
	want := []time.Duration{375, 750, 1500, 3000, 6000, 12000, 15000, 15000}
	for i, ms := range want {
		if (*waits)[i] != ms*time.Millisecond {
			t.Fatalf("waits %v, want %v ms", *waits, want)
		}
	}
}

func TestAServerOutOfReach(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Hangs())
	c, waits := clientOf(t, w, nil)
	w.Close()
	_, err := c.Generate(t.Context(), prompt(), nil)
	var fault *llm.Error
	if !errors.As(err, &fault) || fault.Kind != llm.Server || len(*waits) != 2 {
		t.Errorf("Generate: %v after waits %v, want Server after 2", err, *waits)
	}
	checkNoSecret(t, err)
}

func TestAHangEnds(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Hangs())
	for _, stream := range []func(string){nil, func(string) {}} {
		c, _ := clientOf(t, w, func(s *llm.Settings) { s.Timeout = 500 * time.Millisecond })
		_, err := c.Generate(t.Context(), prompt(), stream)
		var fault *llm.Error
		if !errors.As(err, &fault) || fault.Kind != llm.Timeout || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Generate: %v, want Timeout", err)
		}
	}
	if n := len(w.Requests()); n != 4 {
		t.Errorf("asked %d times for two questions: a hang is repeated once", n)
	}
}

func TestAStreamThatStalls(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Hangs(llmtest.Delta("I am", "")))
	c, _ := clientOf(t, w, func(s *llm.Settings) { s.Idle = 500 * time.Millisecond })
	got, err := c.Generate(t.Context(), prompt(), func(string) {})
	var fault *llm.Error
	if !errors.As(err, &fault) || fault.Kind != llm.Timeout || got.Text != "I am" || got.TokensOut == 0 {
		t.Errorf("Generate = %+v, %v, want Timeout with what was said", got, err)
	}
}

func TestInterrupted(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Hangs(llmtest.Delta("I am", "")))
	c, _ := clientOf(t, w, nil)
	ctx, cancel := context.WithCancel(t.Context())
	got, err := c.Generate(ctx, prompt(), func(string) { cancel() })
	if !errors.Is(err, context.Canceled) || got.Text != "I am" {
		t.Errorf("Generate = %+v, %v, want what was said until then and context.Canceled", got, err)
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	other := llmtest.Serve(t, llmtest.Sends(200, openaiAnswer))
	w := llmtest.Serve(t, func(rw http.ResponseWriter, r *llmtest.Request) {
		http.Redirect(rw, r.Request, other.URL+"/v1/chat/completions", http.StatusTemporaryRedirect)
	})
	c, _ := clientOf(t, w, nil)
	if _, err := c.Generate(t.Context(), prompt(), nil); err == nil || len(other.Requests()) != 0 {
		t.Errorf("the other host was asked %d times, err %v", len(other.Requests()), err)
	}
}
