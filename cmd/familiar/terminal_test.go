//go:build unix

package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// TestChatHistoryHoldsNoSecret types a key, asks for help and leaves: no file of the home contains the key, including
// the history, and help names the ways to leave.
func TestChatHistoryHoldsNoSecret(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	const key = "sk-canary0123456789abcdef"
	sitsAt(t, home, func(types, sees func(string)) {
		types("my key is " + key + "\r")
		sees("my key is") // echoed
		types("/help\r")
		for _, hint := range []string{"stop  ", "/quit, Ctrl-D", "Ctrl-C  "} {
			sees(hint)
		}
	})
	history, err := os.ReadFile(filepath.Join(home, "history"))
	if err != nil || !strings.Contains(string(history), "my key is [redacted key]\n/help\n") {
		t.Errorf("the history is %q, %v", history, err)
	}
	files, err := filepath.Glob(filepath.Join(home, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && strings.Contains(string(data), "canary") {
			t.Errorf("%s contains the key", file)
		}
	}
}

// TestS12TheHistoryForgetsWhatIsForgotten forgets one message in the chat, and another with the command line. Neither is in any
// file of the home afterwards; other lines stay.
func TestS12TheHistoryForgetsWhatIsForgotten(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	history := func() string {
		data, err := os.ReadFile(filepath.Join(home, "history"))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}

	sitsAt(t, home, func(types, sees func(string)) {
		types("My cat is called Zanzibar.\r")
		sees("Zanzibar")
		types("My aunt lives in Ouagadougou.\r")
		types("I play the hurdygurdy.\r")
		sees("play the hurdygurdy.")
		types("/memory Zanzibar\r")
		sees("best first")
		types("/forget 1\r")
		sees("Forgotten: ")
	})
	if got := history(); strings.Contains(got, "cat is called") || !strings.Contains(got, "Ouagadougou") || strings.Contains(got, "Zanzibar") {
		t.Errorf("after /forget the history is %q", got)
	}
	familiar(t, home, nil, "", "memory", "forget", "2").must(t)
	if got := history(); strings.Contains(got, "Ouagadougou") || !strings.Contains(got, "hurdygurdy") {
		t.Errorf("after memory forget the history is %q", got)
	}
	sitsAt(t, home, func(_, _ func(string)) {})
	if got := history(); !strings.Contains(got, "hurdygurdy") {
		t.Errorf("the next chat keeps %q", got)
	}
}

// sitsAt lets Ann chat at a terminal, from the first prompt until she leaves. types types a text, sees waits until it is shown.
func sitsAt(t *testing.T, home string, do func(types, sees func(string))) {
	t.Helper()
	cmd := command(home, []string{"TERM=xterm"}, "chat", "--as", "Ann")
	keyboard, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 100})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = keyboard.Close() })
	var seen safeBuffer
	go func() { _, _ = io.Copy(&seen, keyboard) }() // ends with the process
	sees := func(text string) {
		t.Helper()
		eventually(t, "showing "+text, func() bool { return strings.Contains(seen.String(), text) })
	}
	types := func(text string) {
		t.Helper()
		if _, err := io.WriteString(keyboard, text); err != nil {
			t.Fatal(err)
		}
	}
	sees("> ")
	do(types, sees)
	types("\x04")
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v after\n%s", err, seen.String())
	}
}
