package db

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/internal/pgtest"
)

// TestR6AFullDiskOfTheServerLosesNothing fills the disk of the server while events are stored: at first there is no room for the tables,
// then none for the log, without which the server stops.
func TestR6AFullDiskOfTheServerLosesNothing(t *testing.T) {
	t.Parallel()
	server, disk := pgtest.StartOnDisk(t, 160)
	s := openServer(t, server.URL(), Options{BusyTimeout: time.Second})
	var stored []string
	store := func(and func(tx *Tx) error) error {
		event := fmt.Sprintf("%d %s", len(stored), strings.Repeat("x", 2000))
		err := s.Write(t.Context(), "store the event", func(tx *Tx) error { return errors.Join(insertEvent(event)(tx), and(tx)) })
		if err == nil {
			stored = append(stored, event)
		}
		return err
	}
	nothing := func(*Tx) error { return nil }
	storeSome := func() {
		t.Helper()
		for range 10 {
			if err := store(nothing); err != nil {
				t.Fatal(err)
			}
		}
	}
	storeSome()
	free := disk.Fill()
	var full error
	for full == nil && len(stored) < 10_000 {
		full = store(nothing)
	}
	if full == nil || !strings.Contains(full.Error(), "the disk of the PostgreSQL server is full, nothing was written: free space there, and writing goes on by itself") {
		t.Errorf("without room for the tables: %v", full)
	}
	if got := events(t, s); !slices.Equal(got, stored) {
		t.Errorf("on the full disk are %d events, want %d", len(got), len(stored))
	}
	free()
	storeSome()

	free = disk.Fill()
	nextFile := func(tx *Tx) error {
		_, err := tx.Exec(`SELECT CAST(pg_switch_wal() AS text)`)
		return err
	}
	if err := store(nextFile); err == nil || !strings.Contains(err.Error(), "check that PostgreSQL runs") {
		t.Errorf("without room for the log: %v\n%s", err, server.Log())
	}
	unsure := len(stored) // whether this event was committed, nobody was told
	free()
	server.Restart()
	got := events(t, s)
	if len(got) < unsure || len(got) > unsure+1 || !slices.Equal(got[:unsure], stored) {
		t.Errorf("after the restart there are %d events, want %d", len(got), unsure)
	}
	stored = got
	storeSome()
	if got := events(t, s); !slices.Equal(got, stored) {
		t.Errorf("at last there are %d events, want %d", len(got), len(stored))
	}
}
