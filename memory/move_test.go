package memory_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"testing"

	"familiar/internal/pgtest"
	"familiar/memory"
	"familiar/memory/memorytest"
	"familiar/memory/transfer"
)

// moveTo moves a store into the database at an address, and opens it there.
func moveTo(t *testing.T, clock *memorytest.Clock, from *memory.Store, address string) *memory.Store {
	t.Helper()
	m, err := from.Hosting.MoveTo(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close() //nolint:errcheck // Finish has told
	first, err := m.Pass(t.Context(), ignoreProgress)
	if err != nil {
		t.Fatal(err)
	}
	second, err := m.Pass(t.Context(), ignoreProgress)
	if err != nil || second.Copied+second.Removed != 0 || second.Rows != first.Rows {
		t.Fatalf("the second pass: %+v, %v; the first: %+v", second, err, first)
	}
	if err := m.Finish(); err != nil {
		t.Fatal(err)
	}
	s, err := memory.Open(t.Context(), address, memory.Options{Now: clock.Now, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(s.Check(context.Background()), s.Close()); err != nil {
			t.Error(err)
		}
	})
	return s
}

func ignoreProgress(string, int64) {}

// exportOf returns everything that a store exports.
func exportOf(t *testing.T, s *memory.Store) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := s.Transfer.Export(t.Context(), &out, transfer.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestAMovedStoreIsTheSame moves random talks to PostgreSQL and back.
func TestAMovedStoreIsTheSame(t *testing.T) {
	t.Parallel()
	memorytest.OnSQLite(t) // it has both engines in any case
	for seed := range uint64(2) {
		k := newTalk(t, seed, 120)
		server := moveTo(t, k.clock, k.Store, pgtest.URL(t))
		if want, got := exportOf(t, k.Store), exportOf(t, server); got != want {
			t.Fatalf("seed %d: the export differs", seed)
		}
		back := moveTo(t, k.clock, server, filepath.Join(t.TempDir(), "familiar.db"))
		if want, got := contents(t, k.town), contents(t, &town{Store: back, t: t, clock: k.clock}); got != want {
			t.Errorf("seed %d: got\n%s\nwant\n%s", seed, got, want)
		}
	}
}
