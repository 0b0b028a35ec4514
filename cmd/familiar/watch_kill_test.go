package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"familiar/internal/torture"
)

// TestKillWatch kills the process that follows a session again and again while the file grows. In the end everything is stored
// once.
func TestKillWatch(t *testing.T) {
	t.Parallel()
	kills := torture.Rounds(6, 100)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	home, sessions := t.TempDir(), t.TempDir()
	familiar(t, home, nil, "", "watch", "add", sessions, "--format", "claude-code", "--as", "Ann").must(t)

	path, written := filepath.Join(sessions, "s-1.jsonl"), 0
	for range kills {
		var more strings.Builder
		for range 100 + rng.IntN(200) {
			fmt.Fprintf(&more, `{"type":"user","sessionId":"s-1","uuid":"u%d","timestamp":"2026-03-01T%02d:%02d:%02dZ","message":{"content":"Note %d: I saw a heron."}}`+"\n",
				written, written/3600, written/60%60, written%60, written)
			written++
		}
		text := more.String()
		cut := rng.IntN(len(text)) // the rest comes while it is read
		appendTo(t, path, text[:cut])
		follower := start(t, home, nil, "watch", "run")
		time.Sleep(time.Duration(rng.IntN(150)) * time.Millisecond)
		appendTo(t, path, text[cut:])
		follower.signal(syscall.SIGKILL)
		follower.exit()
	}
	familiar(t, home, nil, "", "watch", "once").must(t)
	if got := familiar(t, home, nil, "", "watch", "once").must(t); !strings.HasSuffix(strings.TrimSpace(got.out), "0\t0\t0\t0") {
		t.Errorf("a second look reads %q", got.out)
	}
	listed := familiar(t, home, nil, "", "memory", "list", "--limit", "100000", "--json").must(t).out
	for i := range written {
		if n := strings.Count(listed, fmt.Sprintf("\"Note %d: I saw a heron.", i)); n != 1 {
			t.Fatalf("note %d of %d is remembered %d times", i, written, n)
		}
	}
}

// appendTo appends text to a file.
func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestRunFollowsSessions adds a watch while `familiar run` serves the home, and a file to its directory.
func TestRunFollowsSessions(t *testing.T) {
	t.Parallel()
	home, sessions := configure(t, ""), t.TempDir()
	familiar(t, home, nil, "", "watch", "add", sessions, "--format", "jsonl", "--as", "Ann").must(t)
	serving := start(t, home, nil, "run")
	serving.reports("serving")
	appendTo(t, filepath.Join(sessions, "a.jsonl"), `{"role":"user","content":"I saw a heron."}`+"\n")
	eventually(t, "the file is read", func() bool {
		return strings.Contains(familiar(t, home, nil, "", "memory", "list").must(t).out, "I saw a heron.")
	})
	if r := familiar(t, home, nil, "", "watch", "run"); r.code == 0 {
		t.Errorf("a second follower: %+v", r)
	}
	serving.signal(syscall.SIGTERM)
	if code, said := serving.exit(); code != 0 {
		t.Errorf("exit code %d, it said %s", code, said)
	}
}
