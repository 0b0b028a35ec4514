package db

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	"familiar/internal/pgtest"
)

// TestReadsThatWaitAreCounted has more reads than there are readers.
func TestReadsThatWaitAreCounted(t *testing.T) {
	t.Parallel()
	s := openTestAt(t, filepath.Join(t.TempDir(), "familiar.db"), Options{Now: time.Now, Connections: 2})
	release := make(chan struct{})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if err := s.Read(t.Context(), "read", func(*Tx) error { <-release; return nil }); err != nil {
				t.Error(err)
			}
		})
	}
	for s.Stats().Reading != 2 || s.Stats().Waiting != 1 {
		time.Sleep(time.Millisecond)
	}
	close(release)
	wg.Wait()
	if got := s.Stats(); got.Readers != 2 || got.Reading != 0 || got.Waiting != 0 || got.ReadWaits != 1 || got.ReadWait <= 0 {
		t.Errorf("%+v", got)
	}
}

// TestWritesAreCountedByGroup commits one group of two writes, and one that fails.
func TestWritesAreCountedByGroup(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	group := make([]*job, 2)
	for i, event := range []string{"a", "b"} {
		group[i] = &job{ctx: t.Context(), what: "write", done: make(chan error, 1), fn: insertEvent(event)}
	}
	s.commit(group) // the writer goroutine is idle
	if err := s.Write(t.Context(), "fail", func(*Tx) error { return ErrNotFound }); err == nil {
		t.Error("it did not fail")
	}
	if got := s.Stats(); got.Commits != 1 || got.Writes != 2 || got.Repeats != 0 {
		t.Errorf("%+v", got)
	}
}

// TestWhatALostConnectionRepeatsIsCounted loses the connection in a write.
func TestWhatALostConnectionRepeatsIsCounted(t *testing.T) {
	t.Parallel()
	s := openServer(t, pgtest.URL(t), Options{})
	lost := false
	if err := s.Write(t.Context(), "write", func(tx *Tx) error {
		if lost {
			return insertEvent("a")(tx)
		}
		lost = true
		return hangUp(tx)
	}); err != nil {
		t.Fatal(err)
	}
	if got := s.Stats(); got.Commits != 1 || got.Writes != 1 || got.Repeats != 1 || got.WriteWait <= 0 {
		t.Errorf("%+v", got)
	}
}
