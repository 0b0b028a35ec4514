package jobrun

import (
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"familiar/memory/internal/dbtest"

	"familiar/memory/internal/db"
)

func TestJobRuns(t *testing.T) {
	now := dbtest.Monday
	s := New(dbtest.OpenAt(t, filepath.Join(t.TempDir(), "familiar.db"), db.Options{Now: func() time.Time { return now }}))
	if _, err := s.LastRun(t.Context(), "mira", "dream"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
	begin := func(job string, due time.Time) int64 {
		t.Helper()
		id, err := s.BeginRun(t.Context(), "mira", job, due)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	first := begin("dream", dbtest.Monday.Add(-time.Hour))
	now = dbtest.Monday.Add(time.Minute)
	if err := s.FinishRun(t.Context(), first, StatusOK, "dreamt of 3 sessions"); err != nil {
		t.Fatal(err)
	}
	second := begin("dream", dbtest.Monday)
	begin("reflect", dbtest.Monday.Add(time.Hour))

	want := []Run{
		{ID: second, Persona: "mira", Job: "dream", Due: dbtest.Monday, Started: now, Status: StatusRunning},
		{
			ID: first, Persona: "mira", Job: "dream", Due: dbtest.Monday.Add(-time.Hour), Started: dbtest.Monday, Finished: now, Status: StatusOK,
			Result: "dreamt of 3 sessions",
		},
	}
	if runs, err := s.Runs(t.Context(), Filter{Persona: "mira", Job: "dream"}); err != nil || !reflect.DeepEqual(runs, want) {
		t.Errorf("got %+v, %v\nwant %+v", runs, err, want)
	}
	if last, err := s.LastRuns(t.Context(), "mira"); err != nil || len(last) != 2 || last[0] != want[0] || last[1].Job != "reflect" {
		t.Errorf("the last runs are %+v, %v", last, err)
	}
	if last, err := s.LastRun(t.Context(), "mira", "dream"); err != nil || last != want[0] {
		t.Errorf("last run %+v, %v", last, err)
	}

	now = now.Add(Lease)
	if err := s.RenewRun(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	now = now.Add(Lease)
	if n, err := s.AbandonRuns(t.Context()); err != nil || n != 1 {
		t.Errorf("abandoned %d, %v, want the one that did not say that it goes on", n, err)
	}
	now = now.Add(time.Millisecond)
	if last, err := s.LastRun(t.Context(), "mira", "dream"); err != nil || last.Status != StatusAbandoned {
		t.Errorf("a run whose process ended: %+v, %v", last, err)
	}
	if n, err := s.AbandonRuns(t.Context()); err != nil || n != 1 {
		t.Errorf("abandoned %d, %v, want the other one", n, err)
	}
	if last, err := s.LastRun(t.Context(), "mira", "dream"); err != nil || last.Status != StatusAbandoned || last.Finished.IsZero() {
		t.Errorf("left running: %+v, %v", last, err)
	}
	if err := s.FinishRun(t.Context(), second, StatusOK, ""); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("finished an abandoned run: %v", err)
	}
	if err := s.FinishRun(t.Context(), second, StatusRunning, ""); err == nil || errors.Is(err, db.ErrNotFound) {
		t.Errorf("a run finished as running: %v", err)
	}
}

// TestALeaseExpiresByAnyClock covers a clock that was set back far: no run may wait for the run of a killed process.
func TestALeaseExpiresByAnyClock(t *testing.T) {
	now := dbtest.Monday
	s := New(dbtest.OpenAt(t, filepath.Join(t.TempDir(), "familiar.db"), db.Options{Now: func() time.Time { return now }}))
	run := func() int64 {
		t.Helper()
		id, err := s.BeginRun(t.Context(), "mira", "dream", now)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	first := run()
	now = now.Add(-24 * time.Hour)
	if r, err := s.Run(t.Context(), first); err != nil || r.Status != StatusAbandoned {
		t.Errorf("got %+v, %v", r, err)
	}
	if second := run(); second == first {
		t.Error("one number twice")
	}
	if last, err := s.LastRun(t.Context(), "mira", "dream"); err != nil || !last.Due.Equal(now) {
		t.Errorf("the last run is %+v, %v: not the one that began last", last, err)
	}
	if err := s.RenewRun(t.Context(), first); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("a run that was taken for dead goes on: %v", err)
	}
	if _, err := s.LastRun(t.Context(), "tess", "dream"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("another persona's run: %v", err)
	}
}

func TestTwoRunsNeverHoldTheSamePerson(t *testing.T) {
	now := dbtest.Monday
	path := filepath.Join(t.TempDir(), "familiar.db")
	serving := New(dbtest.OpenAt(t, path, db.Options{Now: func() time.Time { return now }}))
	beside := New(dbtest.OpenAt(t, path, db.Options{Now: func() time.Time { return now }}))
	run := func(s *Store, job string) int64 {
		t.Helper()
		id, err := s.BeginRun(t.Context(), "mira", job, now)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	claim := func(s *Store, run int64, people []int64, want ...int64) {
		t.Helper()
		if got, err := s.TryClaim(t.Context(), "mira", run, people...); err != nil || !slices.Equal(got, want) {
			t.Errorf("run %d has %v, %v of %v, want %v", run, got, err, people, want)
		}
	}
	dream, reflect := run(serving, "dream"), run(beside, "reflect")
	claim(serving, dream, []int64{1, 2}, 1, 2)
	claim(beside, reflect, []int64{3, 2, 4}, 3, 4)
	claim(serving, dream, []int64{1}, 1)
	if got, err := beside.TryClaim(t.Context(), "tess", reflect, 1); err != nil || len(got) != 1 {
		t.Errorf("another persona's: %v, %v", got, err)
	}
	if err := serving.Release(t.Context(), dream, 2); err != nil {
		t.Fatal(err)
	}
	claim(beside, reflect, []int64{1, 2}, 2)
	if err := beside.FinishRun(t.Context(), reflect, StatusOK, ""); err != nil {
		t.Fatal(err)
	}
	claim(serving, dream, []int64{2, 3}, 2, 3)
	if _, err := beside.TryClaim(t.Context(), "mira", reflect, 9); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("a run that ended claims: %v", err)
	}

	now = now.Add(Lease + time.Second) // the process that dreams was killed
	claim(beside, run(beside, "reflect"), []int64{1, 2, 3}, 1, 2, 3)
}
