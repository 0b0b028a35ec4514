package memory

import (
	"errors"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

func TestJobRuns(t *testing.T) {
	now := monday
	s := openGroundAt(t, filepath.Join(t.TempDir(), "familiar.db"), Options{Now: func() time.Time { return now }})
	if _, err := s.LastRun(t.Context(), "dream"); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
	begin := func(job string, due time.Time) int64 {
		t.Helper()
		id, err := s.BeginRun(t.Context(), job, due)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	first := begin("dream", monday.Add(-time.Hour))
	now = monday.Add(time.Minute)
	if err := s.FinishRun(t.Context(), first, RunOK, "dreamt of 3 sessions"); err != nil {
		t.Fatal(err)
	}
	second := begin("dream", monday)
	begin("reflect", monday.Add(time.Hour))

	want := []JobRun{
		{ID: second, Job: "dream", Due: monday, Started: now, Status: RunRunning},
		{
			ID: first, Job: "dream", Due: monday.Add(-time.Hour), Started: monday, Finished: now, Status: RunOK,
			Result: "dreamt of 3 sessions",
		},
	}
	if runs, err := s.Runs(t.Context(), "dream", 10); err != nil || !reflect.DeepEqual(runs, want) {
		t.Errorf("got %+v, %v\nwant %+v", runs, err, want)
	}
	if last, err := s.LastRun(t.Context(), "dream"); err != nil || last != want[0] {
		t.Errorf("last run %+v, %v", last, err)
	}

	if n, err := s.AbandonRuns(t.Context()); err != nil || n != 2 {
		t.Errorf("abandoned %d, %v, want both that were running", n, err)
	}
	if last, err := s.LastRun(t.Context(), "dream"); err != nil || last.Status != RunAbandoned || last.Finished.IsZero() {
		t.Errorf("left running: %+v, %v", last, err)
	}
	if err := s.FinishRun(t.Context(), second, RunOK, ""); !errors.Is(err, ErrNotFound) {
		t.Errorf("finished an abandoned run: %v", err)
	}
	if err := s.FinishRun(t.Context(), second, RunRunning, ""); err == nil || errors.Is(err, ErrNotFound) {
		t.Errorf("a run finished as running: %v", err)
	}
}
