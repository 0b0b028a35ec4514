package db

import (
	"bufio"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestWriteUntilKilled is the child process of TestR5KilledWhileWriting. It writes messages until it is killed, and
// prints each one that was acknowledged as durable.
func TestWriteUntilKilled(t *testing.T) {
	if flag.NArg() != 2 {
		t.Skip("runs as the other process of TestR5KilledWhileWriting")
	}
	path, round := flag.Arg(0), flag.Arg(1)
	s, err := Open(t.Context(), path, Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	for w := range 8 {
		go func() {
			for i := 0; ; i++ {
				event := fmt.Sprintf("%s-%d-%d", round, w, i)
				if _, err := accept1(t.Context(), s, testMessage("main", event, "hello")); err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				fmt.Printf("kept %s\n", event)
			}
		}()
	}
	select {}
}

func TestR5KilledWhileWriting(t *testing.T) {
	t.Parallel()
	rounds := 20
	if testing.Short() {
		rounds = 3
	}
	path := filepath.Join(t.TempDir(), "familiar.db")
	rng := rand.New(rand.NewPCG(1, 2))
	var acknowledged []string
	for round := range rounds {
		kept := writeUntilKilled(t, path, round, 1+rng.IntN(300))
		if len(kept) == 0 {
			t.Fatalf("round %d acknowledged nothing", round)
		}
		acknowledged = append(acknowledged, kept...)
		s := openTestAt(t, path, Options{Now: atMonday})
		have := map[string]bool{}
		for _, event := range events(t, s) {
			have[event] = true
		}
		for _, event := range acknowledged {
			if !have[event] {
				t.Fatalf("round %d: %s was acknowledged and is gone", round, event)
			}
		}
		if err := errors.Join(s.Check(t.Context()), s.Close()); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	t.Logf("%d acknowledged writes survived %d kills", len(acknowledged), rounds)
}

// writeUntilKilled lets a child process write, kills it after it has acknowledged n messages, and returns everything it
// acknowledged.
func writeUntilKilled(t *testing.T, path string, round, after int) []string {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestWriteUntilKilled$", path, fmt.Sprint(round))
	child.Stderr = os.Stderr
	said, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var kept []string
	lines := bufio.NewReader(said)
	for {
		line, err := lines.ReadString('\n')
		if err != nil { // an unfinished last line does not count
			if !errors.Is(err, io.EOF) {
				t.Error(err)
			}
			break
		}
		var event string
		if _, err := fmt.Sscanf(line, "kept %s\n", &event); err != nil {
			continue // output of the test binary itself
		}
		if kept = append(kept, event); len(kept) == after {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := child.Wait(); err == nil {
		t.Error("the writing process ended by itself")
	}
	return kept
}

// TestR5TornWriteAheadLog cuts the log of a running store as a power loss might. It expects a prefix of what was written:
// nothing after the cut, nothing missing before it.
func TestR5TornWriteAheadLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.db")
	s := openTestAt(t, path, Options{Now: atMonday})
	if err := s.Write(t.Context(), "keep the log", func(tx *Tx) error {
		var off int
		return tx.QueryRow("PRAGMA wal_autocheckpoint = 0").Scan(&off)
	}); err != nil {
		t.Fatal(err)
	}
	accept(t, s, 60)
	db, wal := readFile(t, path), readFile(t, path+"-wal")
	rng := rand.New(rand.NewPCG(3, 4))
	last := -1
	cuts := []int{0, len(wal)}
	for range 40 {
		cuts = append(cuts, rng.IntN(len(wal)))
	}
	slices.Sort(cuts)
	for i, cut := range cuts {
		torn := slices.Clone(wal[:cut])
		if cut > 64 && i%2 == 1 { // every other cut also zeroes the last sector
			clear(torn[cut-64:])
		}
		kept := openCopy(t, db, torn)
		for n, event := range kept {
			if want := fmt.Sprintf("e%d", n); event != want {
				t.Fatalf("cut at %d: event %d is %s, want %s: not a prefix", cut, n, event, want)
			}
		}
		if i%2 == 0 {
			if len(kept) < last {
				t.Errorf("cut at %d keeps %d events, an earlier cut kept %d", cut, len(kept), last)
			}
			last = len(kept)
		}
	}
	if all := openCopy(t, db, wal); len(all) != 60 {
		t.Errorf("the whole log keeps %d of 60 events", len(all))
	}
	// A flipped byte inside a frame ends the log before that frame.
	binary.BigEndian.PutUint64(wal[len(wal)/2:], 0xFFFF_FFFF_FFFF_FFFF)
	if some := openCopy(t, db, wal); len(some) == 0 || len(some) >= 60 {
		t.Errorf("a log damaged in the middle keeps %d of 60 events", len(some))
	}
}

// openCopy opens a copy of a store's files, checks it and lists its events.
func openCopy(t *testing.T, db, wal []byte) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "copy.db")
	if err := errors.Join(os.WriteFile(path, db, 0o600), os.WriteFile(path+"-wal", wal, 0o600)); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), path, Options{Now: atMonday})
	if err != nil {
		t.Fatal(err)
	}
	kept := events(t, s)
	if err := errors.Join(s.Check(t.Context()), s.Close()); err != nil {
		t.Fatal(err)
	}
	return kept
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestR8BackupWhileWriting(t *testing.T) {
	s := openTest(t)
	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
			}
			if _, err := accept1(t.Context(), s, testMessage("main", fmt.Sprintf("e%d", i), "hello")); err != nil {
				stopped <- err
				return
			}
		}
	}()
	for i := range 10 {
		dest := filepath.Join(t.TempDir(), "backup.db")
		if err := s.Backup(t.Context(), dest); err != nil {
			t.Fatal(err)
		}
		if err := s.Backup(t.Context(), dest); err == nil {
			t.Error("a backup was written over")
		}
		for n, event := range openCopy(t, readFile(t, dest), nil) {
			if want := fmt.Sprintf("e%d", n); event != want {
				t.Fatalf("backup %d: event %d is %s, want %s: not a prefix", i, n, event, want)
			}
		}
	}
	close(stop)
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}
