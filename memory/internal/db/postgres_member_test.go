package db

import (
	"slices"
	"testing"
	"time"

	"familiar/internal/pgtest"
)

// TestWhoIsGone has processes that were heard of lately or long ago, and whose connections for heartbeats exist or not, judged over a
// connection that is older than what was heard last, and over a newer one.
func TestWhoIsGone(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	old := openServer(t, url, Options{})
	time.Sleep(timeToLive + cutOff) // the server and the connection must be older than the last heartbeats
	fresh := openServer(t, url, Options{})
	if got := gone(t, old); !slices.Equal(got, []string{"cut off", "frozen"}) {
		t.Errorf("over an old connection %q are gone", got)
	}
	if got := gone(t, fresh); !slices.Equal(got, []string{"frozen"}) {
		t.Errorf("over a new connection %q are gone", got)
	}
}

// gone returns which of several processes are gone, as seen over the writer's connection.
func gone(t *testing.T, s *DB) (names []string) {
	t.Helper()
	err := s.Write(t.Context(), "look who is gone", func(tx *Tx) (err error) {
		if _, err := tx.Exec(`DELETE FROM familiar_members`); err != nil {
			return err
		}
		for _, m := range []struct {
			name    string
			heard   time.Duration // ago
			backend string
		}{
			{"just cut off", cutOff / 2, "0"},
			{"cut off", cutOff + 200*time.Millisecond, "0"},
			{"slow", cutOff + 200*time.Millisecond, "pg_backend_pid()"},
			{"of an old version", cutOff + 200*time.Millisecond, "NULL"},
			{"frozen", timeToLive + 200*time.Millisecond, "pg_backend_pid()"},
		} {
			if _, err := tx.Exec(`INSERT INTO familiar_members (name, version, personas, channels, since, alive_until, backend)
				VALUES (?, '', '', '', 0, `+serverMillis+` + ?, `+m.backend+`)`, m.name, (timeToLive - m.heard).Milliseconds()); err != nil {
				return err
			}
		}
		names, err = Collect[string](tx.Query(`SELECT name FROM familiar_members WHERE ` + isGone + ` ORDER BY id`))(ScanText)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
