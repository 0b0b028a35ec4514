package db

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestTheLogStaysShort writes several times what the log may hold, at first beside a reader that keeps an old state. The
// commits write nothing of it into the file themselves, yet it starts anew once the reader is gone.
func TestTheLogStaysShort(t *testing.T) {
	s := openTest(t)
	err := s.Snapshot(t.Context(), func(ctx context.Context) error {
		look := func(tx *Tx) error { return tx.QueryRow(`SELECT count(*) FROM inbox`).Scan(new(int)) }
		if err := s.Read(ctx, "look", look); err != nil {
			return err
		}
		writeLarge(t, s, "beside a reader", 2*checkpointPages)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages := logPages(t, s); pages < 2*checkpointPages {
		t.Errorf("the log has %d pages after a long read, want all: the test cannot fail", pages)
	}
	for i := range 100 {
		writeLarge(t, s, fmt.Sprintf("without %d-", i), measureEvery)
		if logPages(t, s) < checkpointPages {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("the log still has %d pages", logPages(t, s))
}

// writeLarge adds rows of one page each, one per commit.
func writeLarge(t *testing.T, s *DB, name string, n int) {
	t.Helper()
	text := strings.Repeat("x", 3500)
	for i := range n {
		err := s.Write(t.Context(), "write", func(tx *Tx) error {
			_, err := tx.Exec(`INSERT INTO inbox (persona, channel, room, thread, event_id, payload, author_channel, author_handle, status, received_at)
				VALUES ('nell', 'console', 'r', '', ?, ?, 'console', 'ada', 'done', 0)`, fmt.Sprint(name, i), text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// logPages returns the length of the write-ahead log.
func logPages(t *testing.T, s *DB) (pages int) {
	t.Helper()
	err := s.ReadOne(t.Context(), "measure the log", func(tx *Tx) (err error) {
		pages, _, err = tx.checkpoint("NOOP")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}
