package llm_test

// O6: after three failures in a row calls fail at once, one at a time finds out whether the provider has recovered, and
// failures are in nobody's cap. B3: rooms share a provider that serves few requests at a time.

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
	"familiar/prompts"
)

// clock is a clock that the test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// timed makes a client live by a clock: its waits move it.
func timed(c *clock) func(*llm.Settings) {
	return func(s *llm.Settings) {
		s.Now = c.Now
		s.Sleep = func(ctx context.Context, d time.Duration) error {
			c.pass(d)
			return ctx.Err()
		}
	}
}

// talk returns a prompt that somebody in a room waits for.
func talk(room int64) prompts.Prompt {
	p := prompt()
	p.Room = room
	return p
}

func kind(err error) llm.Kind {
	var fault *llm.Error
	if errors.As(err, &fault) {
		return fault.Kind
	}
	return ""
}

// TestO6AnOutageOfAnHour writes every 10 s to a provider that is down for an hour.
func TestO6AnOutageOfAnHour(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault llmtest.Answer
		kind  llm.Kind
	}{
		{"down", llmtest.Sends(503, `{"error":{"message":"overloaded"}}`), llm.Server},
		{"out of reach", llmtest.Drops, llm.Server},
		{"busy", llmtest.Busy("5"), llm.RateLimited},
		{"revoked", llmtest.Sends(401, ""), llm.Auth},
	} {
		t.Run(c.name, func(t *testing.T) {
			var up atomic.Bool
			w := llmtest.Serve(t, func(rw http.ResponseWriter, r *llmtest.Request) {
				if up.Load() {
					llmtest.Says("I am well.")(rw, r)
					return
				}
				c.fault(rw, r)
			})
			now := &clock{now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
			client, _ := clientOf(t, w, timed(now))
			end := now.Now().Add(time.Hour)
			var open, charged, requests int
			for now.Now().Before(end) {
				begun := now.Now()
				got, err := client.Generate(t.Context(), talk(1), nil)
				switch kind(err) {
				case llm.Open:
					if open++; got.Requests != 0 || now.Now() != begun {
						t.Fatalf("Open, but %d requests in %s", got.Requests, now.Now().Sub(begun))
					}
				case c.kind:
				default:
					t.Fatalf("Generate: %v, want %s or Open", err, c.kind)
				}
				checkNoSecret(t, err)
				requests += got.Requests
				charged += got.TokensIn + got.TokensOut
				now.pass(10 * time.Second)
			}
			if charged != 0 || requests != len(w.Requests()) || requests > 130 || open < 200 {
				t.Errorf("charged %d tokens; %d requests, %d at the server; %d calls failed at once", charged, requests, len(w.Requests()), open)
			}
			up.Store(true)
			recovered := now.Now()
			for {
				got, err := client.Generate(t.Context(), talk(1), nil)
				if err == nil && got.Text == "I am well." {
					break
				}
				now.pass(time.Second)
			}
			if took := now.Now().Sub(recovered); took > 30*time.Second {
				t.Errorf("the first answer came %s after the recovery", took)
			}
		})
	}
}

func TestO6OneProbeAtATime(t *testing.T) {
	var probes atomic.Int32
	up, finish := make(chan struct{}), make(chan struct{})
	w := llmtest.Serve(t, func(rw http.ResponseWriter, r *llmtest.Request) {
		select {
		case <-up:
			probes.Add(1)
			<-finish
			llmtest.Says("I am well.")(rw, r)
		default:
			llmtest.Sends(500, "")(rw, r)
		}
	})
	now := &clock{now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	client, _ := clientOf(t, w, timed(now))
	if _, err := client.Generate(t.Context(), talk(1), nil); kind(err) != llm.Server {
		t.Fatalf("Generate: %v, want Server", err)
	}
	close(up)
	now.pass(time.Minute)
	probed := make(chan error)
	go func() {
		_, err := client.Generate(t.Context(), talk(1), nil)
		probed <- err
	}()
	for probes.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	for room := range int64(5) {
		if _, err := client.Generate(t.Context(), talk(room+2), nil); kind(err) != llm.Open {
			t.Errorf("during the probe: %v, want Open", err)
		}
	}
	close(finish)
	if err := <-probed; err != nil || probes.Load() != 1 {
		t.Errorf("%d probes, %v", probes.Load(), err)
	}
	if _, err := client.Generate(t.Context(), talk(9), nil); err != nil {
		t.Errorf("after the probe: %v", err)
	}
}

func TestO6RolesOfOneAccountShareTheBreaker(t *testing.T) {
	w := llmtest.Serve(t, llmtest.Sends(500, ""))
	var accounts llm.Accounts
	client := func(model, key string) *llm.Client {
		c, _ := clientOf(t, w, func(s *llm.Settings) { s.Accounts, s.Model, s.APIKey = &accounts, model, key })
		return c
	}
	if _, err := client("talk", key).Generate(t.Context(), prompt(), nil); kind(err) != llm.Server {
		t.Fatalf("Generate: %v, want Server", err)
	}
	if _, err := client("work", key).Generate(t.Context(), prompt(), nil); kind(err) != llm.Open {
		t.Errorf("the other role: %v, want Open", err)
	}
	if _, err := client("work", "another key").Generate(t.Context(), prompt(), nil); kind(err) != llm.Server {
		t.Errorf("another key: %v, want Server", err)
	}
}

// TestO6WhatOnlyOnePromptCausesDoesNotOpenIt also counts: an answer in between starts anew.
func TestO6WhatOnlyOnePromptCausesDoesNotOpenIt(t *testing.T) {
	empty := llmtest.Sends(200, `{"choices":[{"message":{"content":""},"finish_reason":"stop"}]}`)
	down, fine, bad := llmtest.Sends(500, ""), llmtest.Says("ok"), llmtest.Sends(400, "")
	w := llmtest.Serve(t, bad, bad, bad, bad, empty, empty, empty, empty, down, down, fine, down, down, bad, down, down, fine)
	client, _ := clientOf(t, w, func(s *llm.Settings) { s.Retries = 0 })
	for i := range 17 {
		if _, err := client.Generate(t.Context(), talk(1), nil); kind(err) == llm.Open {
			t.Fatalf("open before request %d", i)
		}
	}
}

func TestO6WhoeverCancelsTheProbeLeavesTheNextOneToOthers(t *testing.T) {
	var hang atomic.Bool
	w := llmtest.Serve(t, func(rw http.ResponseWriter, r *llmtest.Request) {
		if hang.Load() {
			llmtest.Hangs(llmtest.Delta("I", ""))(rw, r)
			return
		}
		llmtest.Sends(500, "")(rw, r)
	})
	now := &clock{now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	client, _ := clientOf(t, w, timed(now))
	if _, err := client.Generate(t.Context(), talk(1), nil); err == nil {
		t.Fatal("no error")
	}
	hang.Store(true)
	now.pass(6 * time.Second)
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := client.Generate(ctx, talk(1), func(string) { cancel() }); kind(err) != llm.Canceled {
			t.Errorf("Generate: %v, want Canceled", err)
		}
	}
}

// TestB3RoomsShareAProviderThatServesTwo asks from 24 rooms at once. The time limit of a request is shorter than the
// queue is long.
func TestB3RoomsShareAProviderThatServesTwo(t *testing.T) {
	slots := llmtest.NewSlots(2, 60*time.Millisecond, "I am well.")
	w := llmtest.Serve(t, slots.Answer)
	client, waits := clientOf(t, w, func(s *llm.Settings) { s.Timeout = 500 * time.Millisecond }) // 2 in flight: it is local
	var failed atomic.Int32
	var rooms sync.WaitGroup
	for room := range int64(24) {
		rooms.Go(func() {
			for range 2 { // in order: a room asks again when it was answered
				if got, err := client.Generate(t.Context(), talk(room+1), nil); err != nil || got.Requests != 1 {
					failed.Add(1)
				}
			}
		})
	}
	rooms.Wait()
	if most, turnedAway := slots.Served(); failed.Load() != 0 || turnedAway != 0 || most != 2 || len(*waits) != 0 {
		t.Errorf("%d failed, %d were turned away, %d at a time", failed.Load(), turnedAway, most)
	}
}
