package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// testTimeout is how long a test waits for an event that must happen: far more than a busy machine needs.
const testTimeout = 2 * time.Minute

// child is familiar in a process of its own whose input is an open pipe.
type child struct {
	t     testing.TB
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
	errs  *safeBuffer
	ended chan error
}

// start starts familiar with args in home. env is added to an environment that contains nothing of this machine.
func start(t testing.TB, home string, env []string, args ...string) *child {
	t.Helper()
	return launch(t, command(home, env, args...))
}

// launch starts cmd.
func launch(t testing.TB, cmd *exec.Cmd) *child {
	t.Helper()
	c := &child{t: t, cmd: cmd, lines: make(chan string, 1024), errs: new(safeBuffer), ended: make(chan error, 1)}
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.cmd.Stderr = c.errs
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			c.lines <- s.Text()
		}
		close(c.lines)
		c.ended <- c.cmd.Wait()
	}()
	t.Cleanup(func() { _ = c.cmd.Process.Kill() })
	return c
}

// command returns familiar with args in home, not started.
func command(home string, env []string, args ...string) *exec.Cmd {
	cmd := exec.Command("familiar", append([]string{"--home", home}, args...)...)
	cmd.Env = append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "OLLAMA_HOST=127.0.0.1:1", "TZ=UTC", "GORACE=" + endAtOnce}, env...)
	return cmd
}

// say writes a line.
func (c *child) say(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatalf("say %q: %v; it said on standard error:\n%s", line, err, c.errs)
	}
}

// hear waits for a line that contains part and returns it.
func (c *child) hear(part string) string {
	c.t.Helper()
	deadline := time.After(testTimeout)
	for {
		select {
		case line, ok := <-c.lines:
			if !ok {
				c.t.Fatalf("it ended before it said %q; on standard error:\n%s", part, c.errs)
			}
			if strings.Contains(line, part) {
				return line
			}
		case <-deadline:
			c.t.Fatalf("it did not say %q; on standard error:\n%s", part, c.errs)
		}
	}
}

// ask writes a line and waits for the first line of the reply.
func (c *child) ask(line string) string {
	c.t.Helper()
	c.say(line)
	return c.hear("")
}

// signal sends a signal.
func (c *child) signal(s syscall.Signal) {
	c.t.Helper()
	if err := c.cmd.Process.Signal(s); err != nil {
		c.t.Fatal(err)
	}
}

// exit waits for the end and returns the exit code, -1 after a signal, and the remaining output.
func (c *child) exit() (code int, said string) {
	c.t.Helper()
	var rest []string
	deadline := time.After(testTimeout)
	for {
		select {
		case line, ok := <-c.lines:
			if ok {
				rest = append(rest, line)
				continue
			}
			return exitCodeOf(c.t, <-c.ended), strings.Join(rest, "\n")
		case <-deadline:
			c.t.Fatalf("it did not end; on standard error:\n%s", c.errs)
		}
	}
}

// leave closes the input and expects success.
func (c *child) leave() string {
	c.t.Helper()
	_ = c.in.Close()
	code, said := c.exit()
	if code != 0 {
		c.t.Fatalf("exit code %d; on standard error:\n%s", code, c.errs)
	}
	return said
}

func exitCodeOf(t testing.TB, err error) int {
	t.Helper()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	t.Fatal(err)
	return 0
}

// result is the outcome of a finished process.
type result struct {
	code      int
	out, errs string
}

// familiar runs familiar to its end with in as its input.
func familiar(t testing.TB, home string, env []string, in string, args ...string) result {
	t.Helper()
	return finish(t, command(home, env, args...), in)
}

func finish(t testing.TB, cmd *exec.Cmd, in string) result {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(in), &out, &errs
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return result{code: -1}
	}
	hangs := time.AfterFunc(testTimeout, func() { _ = cmd.Process.Kill() })
	defer hangs.Stop()
	err := cmd.Wait()
	return result{exitCodeOf(t, err), out.String(), errs.String()}
}

// must expects success.
func (r result) must(t testing.TB) result {
	t.Helper()
	if r.code != 0 {
		t.Fatalf("exit code %d, said %q, on standard error:\n%s", r.code, r.out, r.errs)
	}
	return r
}

// fails expects an exit code and all of parts on standard error.
func (r result) fails(t *testing.T, code int, parts ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d; on standard error:\n%s", r.code, code, r.errs)
	}
	for _, part := range parts {
		if !strings.Contains(r.errs, part) {
			t.Errorf("nothing of %q on standard error:\n%s", part, r.errs)
		}
	}
}

// rowsOf returns the rows that a list verb prints with --json.
func rowsOf(t *testing.T, home string, args ...string) (rows []map[string]any) {
	t.Helper()
	r := familiar(t, home, nil, "", append(args, "--json")...).must(t)
	if err := json.Unmarshal([]byte(r.out), &rows); err != nil {
		t.Fatalf("familiar %v --json: %v:\n%s", args, err, r.out)
	}
	return rows
}

// talkOf returns the messages of a session.
func talkOf(t *testing.T, home, session string) []map[string]any {
	t.Helper()
	var shown struct {
		Talk []map[string]any `json:"talk"`
	}
	r := familiar(t, home, nil, "", "session", "show", session, "--json").must(t)
	if err := json.Unmarshal([]byte(r.out), &shown); err != nil {
		t.Fatalf("session show %s --json: %v:\n%s", session, err, r.out)
	}
	return shown.Talk
}

// column returns one field of every row as text.
func column(rows []map[string]any, name string) (cells []string) {
	for _, row := range rows {
		text, _ := row[name].(string)
		cells = append(cells, text)
	}
	return cells
}

// configure writes a configuration into a new home.
func configure(t testing.TB, text string) string {
	t.Helper()
	home := t.TempDir()
	if err := writeConfig(home, text); err != nil {
		t.Fatal(err)
	}
	return home
}

func writeConfig(home, text string) error {
	return os.WriteFile(filepath.Join(home, "familiar.yaml"), []byte(text), 0o600)
}

// eventually waits until ok returns true.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(testTimeout)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not happen", what)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// safeBuffer is a buffer that can be read while a process writes to it.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// reports waits until the log contains word.
func (c *child) reports(word string) {
	c.t.Helper()
	eventually(c.t, "a log that says "+word, func() bool { return strings.Contains(c.errs.String(), word) })
}
