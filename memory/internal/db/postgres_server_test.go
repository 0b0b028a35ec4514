package db

import (
	"slices"
	"testing"
	"time"

	"familiar/internal/pgtest"
)

// TestTheServerTellsOfItself reads the state of a server whose commits are not synced, with a clock that is wrong.
func TestTheServerTellsOfItself(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := openServer(t, url, Options{})
	s.Now = func() time.Time { return time.Now().Add(time.Hour) }
	got, err := s.Server(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got.Version == "" || !got.Supported || got.Latency <= 0 || got.Latency > time.Minute || got.Bytes == 0 || got.Needed != MaxReaders+otherConnections {
		t.Errorf("%+v", got)
	}
	if off := got.Ahead + time.Hour; off.Abs() > time.Minute {
		t.Errorf("the server's clock is %v ahead", got.Ahead)
	}
	if !slices.Equal(got.Unsafe, []string{"fsync", "synchronous_commit"}) {
		t.Errorf("unsafe are %v", got.Unsafe)
	}
	if got.Free < 100 || got.Free > 300 {
		t.Errorf("%d of 300 connections are free", got.Free)
	}
	if err := s.Write(t.Context(), "limit the connections", func(tx *Tx) error {
		return tx.server.Run(t.Context(), `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT 3', current_database()); END $$`)
	}); err != nil {
		t.Fatal(err)
	}
	if got, err = s.Server(t.Context()); err != nil || got.Free > 2 {
		t.Errorf("with a limit of the database: %+v, %v", got, err)
	}
}

// TestAFileHasNoServer is about the other engine.
func TestAFileHasNoServer(t *testing.T) {
	t.Parallel()
	if got, err := openTest(t).Server(t.Context()); got != nil || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}
