package scheduler_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	_ "time/tzdata"

	"familiar/scheduler"
)

func TestParseRefusesWhatItCannotRead(t *testing.T) {
	for _, spec := range []string{"", "banana", "* * * *", "61 * * * *", "TZ=0", "CRON_TZ=Nowhere/City @daily", "@every", "@sometimes"} {
		_, err := scheduler.Parse(spec, time.UTC)
		if err == nil {
			t.Errorf("Parse(%q) gave no error", spec)
		} else if !strings.Contains(err.Error(), "cron spec") {
			t.Errorf("Parse(%q): %v does not say what is wrong", spec, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("*/5 * * * *")
	f.Add("TZ=0")
	f.Fuzz(func(t *testing.T, spec string) {
		s, err := scheduler.Parse(spec, time.UTC)
		if err == nil {
			s.Next(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		}
	})
}

func TestNextKeepsTheZoneAcrossClockChanges(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	s, err := scheduler.Parse("0 4 * * *", berlin)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 27, 12, 0, 0, 0, berlin)
	for range 5 { // across the change to summer time on 29 March 2026
		at = s.Next(at)
		if at.Hour() != 4 || at.Minute() != 0 {
			t.Errorf("due at %s, want 04:00 local time", at)
		}
	}
}

// ledger is a small in-memory ledger.
type ledger struct {
	mu   sync.Mutex
	last map[string]time.Time
	runs int64
	ends []string
	// dead is the result of Alive.
	dead error
}

func (l *ledger) LastDue(_ context.Context, job string) (time.Time, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last[job], nil
}

func (l *ledger) Begin(_ context.Context, job string, due time.Time) (int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == nil {
		l.last = map[string]time.Time{}
	}
	l.last[job] = due
	l.runs++
	return l.runs, nil
}

func (l *ledger) Alive(context.Context, int64) error { return l.dead }

func (l *ledger) Finish(_ context.Context, _ int64, result string, cause error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if cause != nil {
		result = "failed: " + strings.SplitN(cause.Error(), "\n", 2)[0]
	}
	l.ends = append(l.ends, result)
	return nil
}

func run(t *testing.T, l *ledger, lifetime time.Duration, jobs ...scheduler.Job) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), lifetime)
	defer cancel()
	s := scheduler.Scheduler{Jobs: jobs, Ledger: l, Now: time.Now, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	if err := s.Run(ctx); err != nil {
		t.Fatal(err)
	}
}

func mustParse(t *testing.T, spec string) scheduler.Schedule {
	t.Helper()
	s, err := scheduler.Parse(spec, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRunsEachDueTimeOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l ledger
		var runs int64
		run(t, &l, time.Hour+time.Second, scheduler.Job{
			Name: "five", Schedule: mustParse(t, "*/5 * * * *"),
			Run: func(_ context.Context, run int64, _ time.Time) (string, error) {
				if runs++; run != runs {
					t.Errorf("run %d is told that it is run %d", runs, run)
				}
				return "ok", nil
			},
		})
		if runs != 12 {
			t.Errorf("ran %d times in an hour, want 12", runs)
		}
	})
}

func TestADueTimeFollowsAZoneThatChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the clock starts at midnight UTC
		var zone atomic.Pointer[time.Location]
		zone.Store(time.UTC)
		daily, err := scheduler.Following("0 4 * * *", zone.Load)
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Hour, func() { zone.Store(time.FixedZone("east", 2*60*60)) })
		var at []int
		var l ledger
		run(t, &l, 30*time.Hour, scheduler.Job{Name: "daily", Schedule: daily, Run: func(_ context.Context, _ int64, now time.Time) (string, error) {
			at = append(at, now.UTC().Hour())
			return "ok", nil
		}})
		if !slices.Equal(at, []int{2, 2}) {
			t.Errorf("ran at the hours %v UTC, want 2 each day: 4 in the new zone", at)
		}
	})
}

func TestR12CatchesUpOnceAfterThreeDaysAsleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := ledger{last: map[string]time.Time{"five": time.Now().Add(-72 * time.Hour)}}
		runs := 0
		run(t, &l, time.Minute, scheduler.Job{
			Name: "five", Schedule: mustParse(t, "*/5 * * * *"),
			Run: func(context.Context, int64, time.Time) (string, error) { runs++; return "ok", nil },
		})
		if runs != 1 {
			t.Errorf("ran %d times on waking up, want 1", runs)
		}
	})
}

func TestAFailingJobAffectsNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l ledger
		good := 0
		every := mustParse(t, "@every 10m")
		run(t, &l, 35*time.Minute,
			scheduler.Job{Name: "panics", Schedule: every, Run: func(context.Context, int64, time.Time) (string, error) { panic("boom") }},
			scheduler.Job{Name: "fails", Schedule: every, Run: func(context.Context, int64, time.Time) (string, error) { return "", errors.New("no") }},
			scheduler.Job{Name: "hangs", Schedule: every, Limit: time.Minute, Run: func(ctx context.Context, _ int64, _ time.Time) (string, error) {
				<-ctx.Done()
				return "", ctx.Err()
			}},
			scheduler.Job{Name: "good", Schedule: every, Run: func(context.Context, int64, time.Time) (string, error) { good++; return "ok", nil }},
		)
		if good != 3 {
			t.Errorf("the good job ran %d times, want 3", good)
		}
		var failed int
		for _, end := range l.ends {
			if strings.HasPrefix(end, "failed") {
				failed++
			}
		}
		if failed != 9 {
			t.Errorf("the ledger contains %d failed runs, want 9: %q", failed, l.ends)
		}
	})
}
