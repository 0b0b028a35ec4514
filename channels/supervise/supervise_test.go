package supervise_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
	"familiar/channels/supervise"
)

// script is a channel whose runs end as configured; after the last it runs until its context ends.
type script struct {
	name string
	runs []func() error

	mu       sync.Mutex
	started  []time.Time
	commands []channels.Command
}

func (s *script) Name() string { return s.name }

func (s *script) Commands(all []channels.Command) { s.commands = all }

func (s *script) Send(context.Context, channels.Outgoing) (channels.Receipt, error) {
	return channels.Receipt{}, nil
}

func (s *script) Run(ctx context.Context, _ channels.Accept) error {
	s.mu.Lock()
	n := len(s.started)
	s.started = append(s.started, time.Now())
	s.mu.Unlock()
	if n < len(s.runs) {
		return s.runs[n]()
	}
	<-ctx.Done()
	return ctx.Err()
}

// gaps returns the pauses between the runs.
func (s *script) gaps() (gaps []time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := 1; i < len(s.started); i++ {
		gaps = append(gaps, s.started[i].Sub(s.started[i-1]))
	}
	return gaps
}

// watch records published states.
type watch struct {
	mu     sync.Mutex
	states map[string][]channels.State
	fail   int
}

func (w *watch) publish(_ context.Context, channel string, s channels.State) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fail > 0 {
		w.fail--
		return errors.New("database is locked")
	}
	if w.states == nil {
		w.states = map[string][]channels.State{}
	}
	w.states[channel] = append(w.states[channel], s)
	return nil
}

func (w *watch) last(channel string) channels.State {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.states[channel]
	if len(all) == 0 {
		return channels.State{}
	}
	return all[len(all)-1]
}

// run runs channels for d of the test's time and returns once all has ended.
func run(t *testing.T, w *watch, d time.Duration, during func(s *supervise.Supervisor), all ...channels.Channel) (log string) {
	t.Helper()
	var lines strings.Builder
	s := supervise.New(supervise.Options{
		Publish: w.publish, Now: time.Now, Jitter: func(time.Duration) time.Duration { return 0 },
		Log: slog.New(slog.NewTextHandler(&lines, nil)),
	})
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { s.Run(ctx, nil, []channels.Command{{Name: "help"}}, all...) })
	time.Sleep(d)
	synctest.Wait()
	if during != nil {
		during(s)
	}
	cancel()
	wg.Wait()
	return lines.String()
}

func TestAChannelIsRestartedWithGrowingPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := func() error { return errors.New("connection reset") }
		longer := func() error { time.Sleep(3 * time.Minute); return nil }
		c := &script{name: "net", runs: []func() error{gone, gone, func() error { return nil }, longer, gone}}
		var w watch
		run(t, &w, 10*time.Minute, nil, c)
		want := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 3*time.Minute + time.Second, 2 * time.Second}
		if got := c.gaps(); !slices.Equal(got, want) {
			t.Errorf("run again after %v, want %v", got, want)
		}
		if len(c.commands) != 1 {
			t.Errorf("registered the commands %v", c.commands)
		}
	})
}

// TestT3TheSenderLearnsWhetherANetworkCanBeReached, with each change of the status.
func TestT3TheSenderLearnsWhetherANetworkCanBeReached(t *testing.T) {
	var told []bool
	s := supervise.New(supervise.Options{
		Log: slog.New(slog.DiscardHandler), Reachable: func(_ string, now bool) { told = append(told, now) },
	})
	report := s.Reporter("net")
	for _, phase := range []channels.Phase{
		channels.Connecting, channels.Connected, channels.Connected, channels.Transient, channels.Backfilling, channels.Connected,
	} {
		report(channels.State{Phase: phase})
	}
	if !slices.Equal(told, []bool{false, true, false, true, true}) {
		t.Errorf("told %v", told)
	}
}

func TestAPauseIsNeverLongerThanItsLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &script{name: "net", runs: slices.Repeat([]func() error{func() error { return errors.New("no route") }}, 30)}
		run(t, &watch{}, 24*time.Hour, nil, c)
		if got := slices.Max(c.gaps()); got != 5*time.Minute || len(c.gaps()) != 30 {
			t.Errorf("%d pauses, the longest %v", len(c.gaps()), got)
		}
	})
}

func TestA14AChannelThatNeedsTheOperatorRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := channels.State{Phase: channels.Refused, Problem: "the token is not accepted", NextStep: "set another one"}
		bad := &script{name: "bad", runs: []func() error{func() error { return &channels.StateError{State: refused} }}}
		good := &script{name: "good"}
		w := &watch{fail: 2}
		log := run(t, w, time.Hour, func(s *supervise.Supervisor) {
			s.Reporter("good")(channels.State{Phase: channels.Connected, Account: "@mira"})
			synctest.Wait()
			if got := w.last("good").Phase; got != channels.Connected {
				t.Errorf("published %q", got)
			}
		}, bad, good)
		if len(bad.started) != 1 || len(good.started) != 1 {
			t.Errorf("started %d and %d times", len(bad.started), len(good.started))
		}
		if got := w.last("bad"); got != refused {
			t.Errorf("published %+v", got)
		}
		if !strings.Contains(log, "set another one") {
			t.Errorf("nothing of what to do in\n%s", log)
		}
	})
}

func TestAPanicEndsOneRunOfOneChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad := &script{name: "bad", runs: []func() error{func() error { panic("index out of range") }}}
		good := &script{name: "good"}
		log := run(t, &watch{}, time.Minute, nil, bad, good)
		if len(bad.started) != 2 || len(good.started) != 1 {
			t.Errorf("started %d and %d times", len(bad.started), len(good.started))
		}
		if !strings.Contains(log, "index out of range") {
			t.Errorf("the panic is not told in\n%s", log)
		}
	})
}

func TestReportReturnsAtOnceAndTheLatestIsPublished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w watch
		slow := func(ctx context.Context, name string, s channels.State) error {
			time.Sleep(time.Minute)
			return w.publish(ctx, name, s)
		}
		s := supervise.New(supervise.Options{
			Publish: slow, Now: time.Now, Jitter: func(time.Duration) time.Duration { return 0 }, Log: slog.New(slog.DiscardHandler),
		})
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { s.Run(ctx, nil, nil, &script{name: "net"}) })
		synctest.Wait()
		began := time.Now()
		for _, p := range []channels.Phase{channels.Backfilling, channels.Transient, channels.Connected} {
			s.Reporter("net")(channels.State{Phase: p})
		}
		if d := time.Since(began); d != 0 {
			t.Errorf("Report took %v", d)
		}
		cancel()
		wg.Wait()
		if got := w.last("net").Phase; got != channels.Connected {
			t.Errorf("%q was published last, want %q", got, channels.Connected)
		}
	})
}
