package scheduler_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"familiar/scheduler"
)

// clock is a test's wall clock: it starts at start, and can be put forward or back.
type clock struct {
	mu    sync.Mutex
	ahead time.Duration
}

func (c *clock) begin(start time.Time) { c.ahead = time.Until(start) }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

// jump puts the clock forward by d after some time, or back if d is negative.
func (c *clock) jump(after, d time.Duration) {
	time.AfterFunc(after, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.ahead += d
	})
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// dues runs a scheduler for a while from start on, by its own clock, and returns when its job ran.
func dues(t *testing.T, spec string, start time.Time, last time.Time, lifetime time.Duration, jumps func(c *clock)) (ran []string) {
	t.Helper()
	schedule, err := scheduler.Parse(spec, start.Location())
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		var c clock
		c.begin(start)
		if jumps != nil {
			jumps(&c)
		}
		ctx, cancel := context.WithTimeout(t.Context(), lifetime)
		defer cancel()
		l := &ledger{last: map[string]time.Time{"job": last}}
		s := scheduler.Scheduler{Ledger: l, Now: c.now, Log: slog.New(slog.DiscardHandler), Jobs: []scheduler.Job{{
			Name: "job", Schedule: schedule,
			Run: func(_ context.Context, _ int64, now time.Time) (string, error) {
				ran = append(ran, now.In(start.Location()).Format("02 15:04 MST"))
				return "", nil
			},
		}}}
		if err := s.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	return ran
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("ran at %q\nwant   %q", got, want)
	}
}

func TestR12SkippedAndRepeatedHours(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	spring := time.Date(2026, 3, 28, 1, 0, 0, 0, berlin) // clocks go from 02:00 to 03:00 on the 29th
	autumn := time.Date(2026, 10, 24, 1, 0, 0, 0, berlin)
	days := 72 * time.Hour
	expect(t, dues(t, "30 2 * * *", spring, time.Time{}, days, nil), "28 02:30 CET", "29 03:30 CEST", "30 02:30 CEST")
	expect(t, dues(t, "30 2 * * *", autumn, time.Time{}, days, nil), "24 02:30 CEST", "25 02:30 CEST", "26 02:30 CET")
	expect(t, dues(t, "0 0 * * *", spring, time.Time{}, days, nil), "29 00:00 CET", "30 00:00 CEST", "31 00:00 CEST")

	half := 30 * time.Minute
	expect(t, dues(t, "*/10 * * * *", time.Date(2026, 3, 29, 1, 45, 0, 0, berlin), time.Time{}, half, nil),
		"29 01:50 CET", "29 03:00 CEST", "29 03:10 CEST")
	expect(t, dues(t, "*/10 * * * *", time.Date(2026, 10, 25, 0, 45, 0, 0, time.UTC).In(berlin), time.Time{}, half, nil),
		"25 02:50 CEST", "25 02:00 CET", "25 02:10 CET")

	santiago := time.Date(2026, 9, 5, 12, 0, 0, 0, zone(t, "America/Santiago")) // no midnight on the 6th
	expect(t, dues(t, "@daily", santiago, time.Time{}, 40*time.Hour, nil), "06 01:00 -03", "07 00:00 -03")
}

func TestSchedulesAreReadInTheirZone(t *testing.T) {
	kiritimati := time.Date(2026, 1, 1, 0, 0, 0, 0, zone(t, "Pacific/Kiritimati"))
	expect(t, dues(t, "0 4 * * 1", kiritimati, time.Time{}, 8*24*time.Hour, nil), "05 04:00 +14")
}

func TestADateThatNeverComesIsNotWaitedFor(t *testing.T) {
	expect(t, dues(t, "0 0 31 2 *", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Time{}, time.Hour, nil))
}

func TestR12ClockSetBack(t *testing.T) {
	noon := time.Date(2026, 5, 12, 11, 55, 0, 0, time.UTC)
	back := func(d time.Duration) func(*clock) {
		return func(c *clock) { c.jump(7*time.Minute, -d) } // at 12:02
	}
	// By a day: a frequent job continues at once.
	expect(t, dues(t, "*/10 * * * *", noon, time.Time{}, 30*time.Minute, back(24*time.Hour)),
		"12 12:00 UTC", "11 12:10 UTC", "11 12:20 UTC")
	// A daily job that has run does not run again.
	expect(t, dues(t, "0 12 * * *", noon, time.Time{}, 49*time.Hour, back(23*time.Hour)), "12 12:00 UTC", "13 12:00 UTC")
	expect(t, dues(t, "0 12 * * *", noon, time.Time{}, 25*time.Hour, back(5*time.Minute)), "12 12:00 UTC", "13 12:00 UTC")
	// If the clock was years ahead during an earlier process, the job must not wait for years.
	expect(t, dues(t, "0 12 * * *", noon, noon.AddDate(70, 0, 0), time.Hour, nil), "12 12:00 UTC")
}

func TestR12ClockSetForward(t *testing.T) {
	noon := time.Date(2026, 5, 12, 11, 55, 0, 0, time.UTC)
	ahead := func(c *clock) { c.jump(7*time.Minute+30*time.Second, 72*time.Hour) } // at 12:02:30
	expect(t, dues(t, "*/10 * * * *", noon, time.Time{}, 30*time.Minute, ahead),
		"12 12:00 UTC", "15 12:03 UTC", "15 12:10 UTC", "15 12:20 UTC")
	expect(t, dues(t, "30 2 * * *", noon, time.Time{}, 30*time.Minute, ahead), "15 12:03 UTC")
}

func TestAJobLongerThanItsIntervalSkipsMissedRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, ran := time.Now(), []time.Duration{}
		run(t, new(ledger), time.Hour, scheduler.Job{
			Name: "long", Schedule: mustParse(t, "*/5 * * * *"),
			Run: func(context.Context, int64, time.Time) (string, error) {
				ran = append(ran, time.Since(start))
				time.Sleep(12 * time.Minute)
				return "", nil
			},
		})
		if want := []time.Duration{5 * time.Minute, 20 * time.Minute, 35 * time.Minute, 50 * time.Minute}; !slices.Equal(ran, want) {
			t.Errorf("began after %v, want %v", ran, want)
		}
	})
}

func TestLateJobsRunOneAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &ledger{last: map[string]time.Time{}}
		var jobs []scheduler.Job
		atOnce, ran := 0, 0
		for _, name := range []string{"a", "b", "c", "d"} {
			l.last[name] = time.Now().Add(-72 * time.Hour)
			jobs = append(jobs, scheduler.Job{
				Name: name, Schedule: mustParse(t, "0 4 * * *"),
				Run: func(context.Context, int64, time.Time) (string, error) {
					if atOnce++; atOnce > 1 {
						t.Errorf("%s runs next to another", name)
					}
					time.Sleep(10 * time.Minute)
					atOnce--
					ran++
					return "", nil
				},
			})
		}
		onTime := 0
		jobs = append(jobs, scheduler.Job{
			Name: "on time", Schedule: mustParse(t, "*/5 * * * *"),
			Run: func(context.Context, int64, time.Time) (string, error) { onTime++; return "", nil },
		})
		run(t, l, 41*time.Minute, jobs...)
		if ran != 4 || onTime != 8 {
			t.Errorf("%d of 4 late jobs ran, and one that was on time %d times of 8", ran, onTime)
		}
	})
}

// TestCatchUpRunsDueJobsInOrder checks that catching up is complete before it returns, and that neither the scheduler nor
// the next process finds anything late afterwards.
func TestCatchUpRunsDueJobsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &ledger{last: map[string]time.Time{}}
		var ran []string
		s := scheduler.Scheduler{Ledger: l, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
		for _, name := range []string{"d", "b", "fails", "a", "c"} {
			l.last[name] = time.Now().Add(-72 * time.Hour)
			s.Jobs = append(s.Jobs, scheduler.Job{
				Name: name, Schedule: mustParse(t, "*/10 * * * *"),
				Run: func(context.Context, int64, time.Time) (string, error) {
					ran = append(ran, name)
					if name == "fails" {
						return "", errors.New("no")
					}
					return "", nil
				},
			})
		}
		s.Jobs = append(s.Jobs, scheduler.Job{Name: "new", Schedule: mustParse(t, "*/10 * * * *"), Run: s.Jobs[0].Run})
		for range 2 { // the second time as the next process
			if err := s.CatchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		run(t, l, time.Minute, s.Jobs...)
		if want := []string{"d", "b", "fails", "a", "c"}; !slices.Equal(ran, want) {
			t.Errorf("ran %v, want %v", ran, want)
		}
	})
}

// TestALateRunIsNotLateForTheNextProcess checks what the ledger records for a run that was missed several times.
func TestALateRunIsNotLateForTheNextProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &ledger{last: map[string]time.Time{"five": time.Now().Add(-72 * time.Hour)}}
		runs := 0
		for range 3 {
			run(t, l, time.Minute, scheduler.Job{
				Name: "five", Schedule: mustParse(t, "*/5 * * * *"),
				Run: func(context.Context, int64, time.Time) (string, error) { runs++; return "", nil },
			})
		}
		if runs != 1 {
			t.Errorf("ran %d times, want 1", runs)
		}
	})
}

// TestAPanicIsLoggedWithItsStack checks the log and the ledger.
func TestAPanicIsLoggedWithItsStack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		l := &whole{}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		s := scheduler.Scheduler{Ledger: l, Now: time.Now, Log: slog.New(slog.NewTextHandler(&log, nil)), Jobs: []scheduler.Job{{
			Name: "panics", Schedule: mustParse(t, "30 0 * * *"),
			Run: func(context.Context, int64, time.Time) (string, error) { panic("boom") },
		}}}
		if err := s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		for what, text := range map[string]string{"log": log.String(), "ledger": l.cause} {
			if !strings.Contains(text, "panic: boom") || !strings.Contains(text, "clock_test.go") {
				t.Errorf("the %s says %q", what, text)
			}
		}
	})
}

// whole records the complete cause of the last failed run.
type whole struct {
	ledger
	cause string
}

func (w *whole) Finish(_ context.Context, _ int64, _ string, cause error) error {
	w.cause = cause.Error()
	return nil
}

func TestARunPresumedDeadEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scheduler.Scheduler{Ledger: &ledger{dead: errors.New("abandoned")}, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
		start := time.Now()
		out, err := s.RunOnce(t.Context(), scheduler.Job{Name: "hangs", Run: func(ctx context.Context, _ int64, _ time.Time) (string, error) {
			<-ctx.Done()
			return "half of it", ctx.Err()
		}}, start)
		if err == nil || !strings.Contains(err.Error(), "abandoned") || out != (scheduler.Outcome{Run: 1, Result: "half of it"}) {
			t.Errorf("got %+v, %v", out, err)
		}
		if took := time.Since(start); took != scheduler.AliveInterval {
			t.Errorf("it ended after %v", took)
		}
	})
}

func TestALimitIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scheduler.Scheduler{Ledger: new(ledger), Now: time.Now, Log: slog.New(slog.DiscardHandler)}
		_, err := s.RunOnce(t.Context(), scheduler.Job{Name: "hangs", Limit: time.Minute, Run: func(ctx context.Context, _ int64, _ time.Time) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}}, time.Now())
		if err == nil || !strings.Contains(err.Error(), "exceeded its time limit: 1m0s") {
			t.Errorf("got %v", err)
		}
	})
}

// TestTheResultIsRecordedDuringShutdown: the ledger records that a run was cut short by the shutdown.
func TestTheResultIsRecordedDuringShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l ledger
		run(t, &l, 31*time.Minute, scheduler.Job{
			Name: "long", Schedule: mustParse(t, "30 0 * * *"),
			Run: func(ctx context.Context, _ int64, _ time.Time) (string, error) {
				<-ctx.Done()
				return "", ctx.Err()
			},
		})
		if len(l.ends) != 1 || !strings.HasPrefix(l.ends[0], "failed: context deadline exceeded") {
			t.Errorf("the ledger says %q", l.ends)
		}
	})
}
