package console

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestHistoryFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "history")
	h, err := openHistory(path, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	entries := []string{`two\nlines with a \ in them`, "one\ntwo\nthree", "שלום 😀"}
	long := strings.Repeat("x", maxEntry+1)
	for _, e := range append(entries, long) {
		if err := h.add(e); err != nil {
			t.Fatal(err)
		}
	}
	if last, _ := h.back(1); last != long {
		t.Error("a long entry is not offered in its own sitting")
	}
	again, err := openHistory(path, nil, nil)
	if err != nil || !slices.Equal(again.entries, entries) {
		t.Fatalf("read back %q, %v", again.entries, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("history is %v, %v; want 0600", info.Mode(), err)
	}
}

func TestHistoryIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	h, err := openHistory(path, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range maxHistory + 20 {
		if err := h.add(fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Fields(string(data)); len(lines) != maxHistory || lines[0] != "20" {
		t.Errorf("%d lines from %s, want %d from 20", len(lines), lines[0], maxHistory)
	}
}

// TestHistoryKeepsNoSecrets checks that a key typed now, and one stored by an earlier session, are not in the file.
func TestHistoryKeepsNoSecrets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	if err := os.WriteFile(path, []byte("hello\nkept key-1 raw\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	redact := func(entry string) string {
		return strings.NewReplacer("key-1", "[redacted]", "key-2", "[redacted]").Replace(entry)
	}
	h, err := openHistory(path, redact, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range []string{"my key is key-2", "two\nlines with key-2"} {
		if err := h.add(entry); err != nil {
			t.Fatal(err)
		}
	}
	want := "hello\nkept [redacted] raw\nmy key is [redacted]\ntwo\\nlines with [redacted]\n"
	if data, err := os.ReadFile(path); err != nil || string(data) != want {
		t.Errorf("the file contains %q, %v; want %q", data, err, want)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("history is %v, %v; want 0600", info.Mode(), err)
	}
	if last, _ := h.back(1); last != "two\nlines with [redacted]" {
		t.Errorf("last entry is %q", last)
	}
}

func TestHistoryThatCannotBeWritten(t *testing.T) {
	h, err := openHistory(filepath.Join(t.TempDir(), "file", "history"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Dir(h.path), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := h.add("kept in mind"); err == nil {
		t.Error("no error")
	}
	if last, _ := h.back(1); last != "kept in mind" {
		t.Errorf("last entry is %q", last)
	}
}

// TestS12HistoryForgets removes what is no longer remembered when the history is opened and after the answer to a command, from
// the process and from the file. Lines typed after the command stay. What is said to a command is never written.
func TestS12HistoryForgets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	if err := os.WriteFile(path, []byte("gone\nkept\n/help\n/forget my shift at the harbor\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{"kept": true}
	o := Options{History: path, Remembered: func(lines []string) (map[string]bool, error) {
		for _, line := range lines {
			if strings.HasPrefix(line, "/") {
				t.Errorf("asked for the command %q", line)
			}
		}
		return said, nil
	}}
	holds := func(want string) {
		t.Helper()
		data, err := os.ReadFile(path)
		if err != nil || string(data) != want {
			t.Errorf("the history is %q, %v; want %q", data, err, want)
		}
	}
	atTerminalTest(t, o, func(d *testTerminal) {
		holds("kept\n/help\n")
		said["secret"] = true
		d.press("secret\r")
		d.send("1", "I see.")
		holds("kept\n/help\nsecret\n")
		d.press("/forget 1\r")
		d.press("next\r") // not stored yet
		delete(said, "secret")
		d.send("2", "Forgotten.")
		holds("kept\n/help\nnext\n")
		d.press("\x1b[A\x1b[A\x1b[A\x1b[A\r")
		if last := d.heard[len(d.heard)-1]; last != "kept" {
			t.Errorf("four steps back is %q", last)
		}
	})
}

// TestHistoryStaysIfTheStoreCannotTell keeps every line when the question fails.
func TestHistoryStaysIfTheStoreCannotTell(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	if err := os.WriteFile(path, []byte("one\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := ForgetHistory(path, false, func([]string) (map[string]bool, error) { return nil, errors.New("the disk is full") })
	if err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("got %v", err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "one\ntwo\n" {
		t.Errorf("the history is %q, %v", data, err)
	}
}

// TestS12ARunningChatWritesNothingBack has another process forget lines that a full history still offers: neither they nor words
// said to commands, by name or plainly, return to the file with the lines typed later.
func TestS12ARunningChatWritesNothingBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	h, err := openHistory(path, nil, func(entry string) bool { return strings.HasPrefix(entry, "forget what") })
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	enter := func(entry string) {
		t.Helper()
		if said[entry] = true; h.add(entry) != nil {
			t.Fatal("not added")
		}
	}
	for i := range maxHistory {
		enter(fmt.Sprintf("my shift %d", i))
	}
	remembered := func([]string) (map[string]bool, error) { return said, nil }
	for entry := range said {
		said[entry] = !strings.Contains(entry, "shift 7")
	}
	if err := ForgetHistory(path, true, remembered); err != nil {
		t.Fatal(err)
	}
	h.remembered = remembered
	enter("/forget my shift 7")
	enter("forget what I told you about my shift 7")
	enter("good night")
	if err := h.forgetBeforeCommand(); err != nil {
		t.Fatal(err)
	}
	enter("one more")
	data, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(data), "shift 7") || strings.Contains(string(data), "forget") {
		t.Errorf("forgotten lines are back, %v", err)
	}
	if !strings.HasSuffix(string(data), "my shift 998\nmy shift 999\ngood night\none more\n") {
		t.Errorf("the history ends %q", data[max(0, len(data)-80):])
	}
	if last, _ := h.back(3); last != "forget what I told you about my shift 7" {
		t.Errorf("the chat itself offers %q", last)
	}
}
