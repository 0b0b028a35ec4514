package main

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"familiar/channels"
	"familiar/internal/torture"
)

// holding returns the first file of a home that contains a text, "" if none does.
func holding(t *testing.T, home, text string) (file string) {
	t.Helper()
	err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return ignoreNotExist(err)
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte(text)) {
			file = path
		}
		return ignoreNotExist(err)
	})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func ignoreNotExist(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a running process removes files
	}
	return err
}

// ballast are the rows of people who talk much, for a store of some 40 MB.
var ballast = []string{
	`INSERT INTO people (id, name, created_at) VALUES (9000, 'Ballast', 1)`,
	`INSERT INTO rooms (id, channel, room, direct, person_id, created_at) VALUES (9000, 'ballast', 'b', 1, 9000, 1)`,
	`INSERT INTO sessions (id, persona, room_id, started_at, last_at, ended_at) VALUES (9000, 'nell', 9000, 1, 1, 1)`,
	`INSERT INTO messages (persona, room_id, session_id, person_id, external_id, text, at) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
		SELECT 'nell', 9000, 9000, 9000, 'b' || i, hex(randomblob(250)), i FROM n`,
}

// TestS12ForgetMeLeavesNoBytesInALargeStore says /forget me to a running process whose store is larger than one that is rewritten for
// every erasure: right after the receipt no byte of the home holds what they said, and others are answered meanwhile.
func TestS12ForgetMeLeavesNoBytesInALargeStore(t *testing.T) {
	t.Parallel()
	s := serveNetwork(t, "channels:\n  telegram: {token: env:TOKEN, direct: open}\n")
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(s.home, "familiar.db")+"?_busy_timeout=60000")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range ballast {
		if _, err := db.ExecContext(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		s.says("47114711", "", fmt.Sprintf("I keep a canaryferret%d, and my sister canarysister lives in Faro%d.", i, i))
		s.hears()
	}
	if holding(t, s.home, "canaryferret") == "" {
		t.Fatal("nothing was stored")
	}
	hearsOf := func(part string) { // a reply may come in several messages
		t.Helper()
		for !strings.Contains(s.hears().Text, part) {
			continue
		}
	}
	s.says("47114711", "", "/forget me")
	hearsOf("Everything I have of you would go")
	s.says("47114711", "", "/forget yes")
	hearsOf("Forgotten for good")
	s.says("4712", "", "Good evening.")
	s.hears()
	info, err := os.Stat(filepath.Join(s.home, "familiar.db"))
	if err != nil || info.Size() < 30<<20 {
		t.Errorf("the store is too small for this test: %v, %v", info.Size(), err)
	}
	for _, word := range []string{"canaryferret", "canarysister"} {
		eventually(t, "no byte of "+word, func() bool { return holding(t, s.home, word) == "" })
	}
}

// TestS12KillErasure kills an erasure at random moments: afterwards either all is there or all is gone. Repeated, it comes to its end,
// no byte is left, and what the account sent before is not received again.
func TestS12KillErasure(t *testing.T) {
	t.Parallel()
	kills := torture.Rounds(8, 150)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))

	before := t.TempDir()
	var talk strings.Builder
	for i := range 40 {
		fmt.Fprintf(&talk, "My %dth canaryferret is called Zanzibar%d, and my sister lives in canaryfaro.\n", i, i)
	}
	familiar(t, before, nil, talk.String(), "chat", "--as", "Zannah").must(t)
	familiar(t, before, nil, "I saw an otter.\n", "chat", "--as", "Bob").must(t)
	began := time.Now()
	whole := familiar(t, before, nil, "", "person", "erase", "Zannah", "--dry-run", "--json").must(t).out
	patience := 3 * time.Since(began)

	undone := 0
	for range kills {
		home := filepath.Join(t.TempDir(), "home")
		if err := os.CopyFS(home, os.DirFS(before)); err != nil {
			t.Fatal(err)
		}
		erasing := start(t, home, nil, "person", "erase", "Zannah", "--yes")
		time.Sleep(time.Duration(rng.Int64N(int64(patience))))
		_ = erasing.cmd.Process.Signal(syscall.SIGKILL) // it may have come to its end
		erasing.exit()

		if known := familiar(t, home, nil, "", "person", "show", "Zannah").code == 0; known {
			undone++
			if left := familiar(t, home, nil, "", "person", "erase", "Zannah", "--dry-run", "--json").must(t).out; left != whole {
				t.Fatalf("half of it is gone: %s of %s", left, whole)
			}
			familiar(t, home, nil, "", "person", "erase", "Zannah", "--yes").must(t)
		}
		checkErased(t, home)
	}
	t.Logf("%d of %d were killed before the commit", undone, kills)
}

// checkErased checks that a home holds nothing of Zannah, all of Bob, and receives nothing that Zannah sent before.
func checkErased(t *testing.T, home string) {
	t.Helper()
	if left := rowsOf(t, home, "memory", "list", "--text", "otter"); len(left) != 1 {
		t.Errorf("of Bob there is %v", left)
	}
	for _, word := range []string{"canary", "Zanzibar", "zannah", "Zannah"} {
		if file := holding(t, home, word); file != "" {
			t.Errorf("%s holds %s", file, word)
		}
	}
	store := openStore(t, home)
	late := channels.Message{
		ID: "late", Room: channels.Room{Channel: "console", ID: "zannah"}, Direct: true, Addressed: true, Text: "Did I tell you of my canary?",
		Author: channels.Author{Handle: channels.Handle{Channel: "console", ID: "zannah"}, Name: "Zannah"}, At: time.Now().Add(-time.Hour),
	}
	if fresh, err := store.Log.Accept(t.Context(), "nell", late); err != nil || fresh {
		t.Errorf("a late message is received: %v, %v", fresh, err)
	}
	if err := errors.Join(store.Check(t.Context()), store.Close()); err != nil {
		t.Error(err)
	}
}
