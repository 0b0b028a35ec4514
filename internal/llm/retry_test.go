package llm

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"familiar/prompts"
)

func TestPauseBefore(t *testing.T) {
	for _, c := range []struct {
		name   string
		n      int
		fault  Error
		random float64
		pause  time.Duration
		again  bool
	}{
		{"the first", 1, Error{Kind: Server}, 0, 250 * time.Millisecond, true},
		{"spread to the full", 1, Error{Kind: Server}, 1, 500 * time.Millisecond, true},
		{"it doubles", 3, Error{Kind: RateLimited}, 0, time.Second, true},
		{"it stops doubling", 9, Error{Kind: Server}, 1, 20 * time.Second, true},
		{"enough", 11, Error{Kind: Server}, 0, 0, false},
		{"as asked", 1, Error{Kind: RateLimited, RetryAfter: 4 * time.Second}, 0, 4 * time.Second, true},
		{"never before", 1, Error{Kind: RateLimited, RetryAfter: 4 * time.Second}, 1, 4500 * time.Millisecond, true},
		{"asked for too much", 1, Error{Kind: RateLimited, RetryAfter: time.Minute}, 0, 0, false},
		{"bad", 1, Error{Kind: Bad}, 0, 0, false},
		{"auth", 1, Error{Kind: Auth}, 0, 0, false},
		{"timeout", 1, Error{Kind: Timeout}, 0, 250 * time.Millisecond, true},
		{"empty", 1, Error{Kind: Empty}, 0, 0, false},
		{"too long", 1, Error{Kind: TooLong}, 0, 0, false},
		{"canceled", 1, Error{Kind: Canceled}, 0, 0, false},
	} {
		if pause, again := pauseBefore(c.n, 10, &c.fault, c.random); pause != c.pause || again != c.again {
			t.Errorf("%s: %s, %v, want %s, %v", c.name, pause, again, c.pause, c.again)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		value string
		want  time.Duration
	}{
		{"", 0},
		{"3", 3 * time.Second},
		{"-3", 0},
		{"soon", 0},
		{"99999999999", 24 * time.Hour},
		{"Fri, 01 May 2026 12:00:09 GMT", 9 * time.Second},
		{"Fri, 01 May 2026 11:00:00 GMT", 0},
	} {
		if got := retryAfter(http.Header{"Retry-After": {c.value}}, now); got != c.want {
			t.Errorf("Retry-After %q is %s, want %s", c.value, got, c.want)
		}
	}
}

// roundTrip answers requests without a network, so that tests control the time.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// slowBody returns its pieces with a pause between them, then nothing until the request is cancelled.
type slowBody struct {
	ctx    context.Context
	pieces []string
	pause  time.Duration
}

func (b *slowBody) Read(p []byte) (int, error) {
	if len(b.pieces) == 0 {
		<-b.ctx.Done()
		return 0, b.ctx.Err()
	}
	select {
	case <-time.After(b.pause):
	case <-b.ctx.Done():
		return 0, b.ctx.Err()
	}
	n := copy(p, b.pieces[0])
	b.pieces = b.pieces[1:]
	return n, nil
}

func (b *slowBody) Close() error { return nil }

func offline(t *testing.T, provider string, s Settings, body func(context.Context) io.ReadCloser) *Client {
	t.Helper()
	s.Provider, s.Model, s.APIKey, s.MaxTokens = provider, "m", "k", 10
	s.Now, s.Rand = time.Now, func() float64 { return 0 }
	s.HTTPClient = &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: body(r.Context()), Request: r}, nil
	})}
	c, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// kindOf returns the kind of an error of this package, "" for others.
func kindOf(err error) Kind {
	var fault *Error
	if errors.As(err, &fault) {
		return fault.Kind
	}
	return ""
}

var question = prompts.Prompt{System: "s", Messages: []prompts.Message{{Role: prompts.User, Text: "q"}}}

func TestStreamTimeouts(t *testing.T) {
	piece := "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n"
	for _, c := range []struct {
		name          string
		timeout, idle time.Duration
		pieces        int
		pause, want   time.Duration
		streamed      string
	}{
		{"nothing comes", time.Minute, 5 * time.Second, 0, 0, time.Minute, ""},
		{"it falls silent", time.Minute, 5 * time.Second, 2, 4 * time.Second, 13 * time.Second, "aa"},
		{"the pauses are short but it never ends", 59 * time.Second, 5 * time.Second, 100, 4 * time.Second, 59 * time.Second, strings.Repeat("a", 14)},
		{"the first piece may take longer than a pause", time.Minute, 5 * time.Second, 1, 30 * time.Second, 35 * time.Second, "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				pieces := make([]string, c.pieces)
				for i := range pieces {
					pieces[i] = piece
				}
				client := offline(t, "openai", Settings{Timeout: c.timeout, Idle: c.idle}, func(ctx context.Context) io.ReadCloser {
					return &slowBody{ctx: ctx, pieces: pieces, pause: c.pause}
				})
				start := time.Now()
				got, err := client.Generate(t.Context(), question, func(string) {})
				if took := time.Since(start); took.Round(time.Second) != c.want || got.Text != c.streamed {
					t.Errorf("gave up after %s with %q, %v, want %s with %q", took, got.Text, err, c.want, c.streamed)
				}
				if kindOf(err) != Timeout {
					t.Errorf("err is %v, want Timeout", err)
				}
			})
		})
	}
}

// TestAnErrorInAStreamLeavesNothingBehind fails in synctest if a goroutine of the provider's package outlives it.
func TestAnErrorInAStreamLeavesNothingBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := offline(t, "anthropic", Settings{Timeout: time.Minute}, func(ctx context.Context) io.ReadCloser {
			return &slowBody{ctx: ctx, pieces: []string{"data: {\"type\":\"error\",\"error\":{\"message\":\"overloaded\"}}\n\n"}}
		})
		_, err := client.Generate(t.Context(), question, func(string) {})
		if kindOf(err) != Server {
			t.Errorf("err is %v, want Server", err)
		}
	})
}

func TestARetryWaitsOnTheTimerAndForTheCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fails := func() *Client {
			return offline(t, "openai", Settings{Timeout: time.Minute, Retries: 2}, func(context.Context) io.ReadCloser {
				return io.NopCloser(strings.NewReader("no JSON"))
			})
		}
		start := time.Now()
		_, err := fails().Generate(t.Context(), question, nil)
		if took := time.Since(start); took != 750*time.Millisecond || err == nil {
			t.Errorf("three attempts took %s, %v, want 250 ms and 500 ms of waiting", took, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err = fails().Generate(ctx, question, nil); kindOf(err) != Timeout || time.Since(start) != 850*time.Millisecond {
			t.Errorf("err is %v after %s, want the caller's deadline at once", err, time.Since(start))
		}
	})
}

// TestO6AnOutageThatHangs writes every 7 s for an hour to a provider that takes requests and never answers, and then does.
func TestO6AnOutageThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		recovery := time.Now().Add(time.Hour)
		client := offline(t, "openai", Settings{Timeout: time.Minute, Retries: 2, InFlight: 4}, func(ctx context.Context) io.ReadCloser {
			if time.Now().Before(recovery) {
				return &slowBody{ctx: ctx}
			}
			return io.NopCloser(strings.NewReader(`{"choices":[{"message":{"content":"well"},"finish_reason":"stop"}]}`))
		})
		var talks sync.WaitGroup
		var charged, asked, open, other atomic.Int32
		var answered atomic.Int64
		for room := int64(1); time.Since(recovery) < time.Minute; room++ {
			talks.Go(func() {
				p := question
				p.Room, p.MaxTokens = room, 10
				begun := time.Now()
				got, err := client.Generate(t.Context(), p, nil)
				if begun.Before(recovery) {
					charged.Add(int32(got.TokensIn + got.TokensOut))
					asked.Add(int32(got.Requests))
				}
				switch k := kindOf(err); {
				case err == nil:
					answered.CompareAndSwap(0, time.Now().UnixNano())
				case k == Open && (time.Now().Equal(begun) || begun.Before(recovery.Add(-time.Hour+2*time.Minute))):
					open.Add(1) // in the first minutes after waiting in the queue
				case k != Timeout || time.Since(begun) > 2*time.Minute+time.Second:
					other.Add(1)
				}
			})
			time.Sleep(7 * time.Second)
		}
		talks.Wait()
		if late := time.Unix(0, answered.Load()).Sub(recovery); answered.Load() == 0 || late > 30*time.Second+7*time.Second {
			t.Errorf("the first answer came %s after the recovery", late)
		}
		if charged.Load() != 0 || asked.Load() > 150 || open.Load() < 350 || other.Load() != 0 {
			t.Errorf("charged %d tokens for %d requests; %d failed at once, %d in another way", charged.Load(), asked.Load(), open.Load(), other.Load())
		}
	})
}
