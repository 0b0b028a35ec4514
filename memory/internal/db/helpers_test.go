package db

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"familiar/channels"
)

// monday is the time of the tests' clock.
var monday = time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC)

func atMonday() time.Time { return monday }

// openTest opens a new store and checks the whole file when the test ends.
func openTest(t testing.TB) *DB {
	t.Helper()
	return openTestAt(t, filepath.Join(t.TempDir(), "familiar.db"), Options{Now: atMonday})
}

func openTestAt(t testing.TB, path string, o Options) *DB {
	t.Helper()
	o.NoSync = true // no test here simulates power loss
	s, err := Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		select {
		case <-s.closing: // the test has closed it
		default:
			if err := s.Check(context.Background()); err != nil {
				t.Errorf("after the test: %v", err)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// testMessage returns a valid message with the given event ID.
func testMessage(room, event, text string) channels.Message {
	return channels.Message{
		ID: event, Room: channels.Room{Channel: "console", ID: room}, Text: text, At: monday, Direct: true,
		Author: channels.Author{Handle: channels.Handle{Channel: "console", ID: "ada"}, Name: "Ada"},
	}
}

// events lists the event ids in the inbox, oldest first.
func events(t testing.TB, s *DB) []string {
	t.Helper()
	var out []string
	err := s.Read(t.Context(), "list events", func(tx *Tx) error {
		out = nil
		rows, err := tx.Query("SELECT event_id FROM inbox ORDER BY id")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				return err
			}
			out = append(out, id)
		}
		return rows.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// accept stores n messages e0, e1, … one by one.
func accept(t testing.TB, s *DB, n int) {
	t.Helper()
	for i := range n {
		if _, err := accept1(t.Context(), s, testMessage("main", fmt.Sprintf("e%d", i), "hello")); err != nil {
			t.Fatal(err)
		}
	}
}

// accept1 stores one message as the inbox does, and reports whether it was new.
func accept1(ctx context.Context, s *DB, m channels.Message) (fresh bool, err error) {
	payload, err := json.Marshal(m)
	if err != nil {
		return false, err
	}
	err = s.WriteUrgent(ctx, "accept a message", func(tx *Tx) error {
		n, err := tx.Affect(`INSERT INTO inbox (persona, channel, room, thread, event_id, payload, author_channel, author_handle,
			status, received_at) VALUES ('mira', ?, ?, ?, ?, ?, ?, ?, 'pending', ?)
			ON CONFLICT (persona, channel, room, thread, event_id) DO NOTHING`,
			m.Room.Channel, m.Room.ID, m.Room.Thread, m.ID, string(payload), m.Author.Handle.Channel, m.Author.Handle.ID, tx.NowMillis())
		fresh = n == 1
		return err
	})
	return fresh, err
}

// pendingRooms returns the rooms with pending messages.
func pendingRooms(ctx context.Context, s *DB) (rooms []string, err error) {
	err = s.Read(ctx, "list pending rooms", func(tx *Tx) error {
		rooms, err = Collect[string](tx.Query(`SELECT DISTINCT room FROM inbox WHERE status = 'pending' ORDER BY 1`))(ScanText)
		return err
	})
	return rooms, err
}
