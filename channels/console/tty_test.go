//go:build unix

package console

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"familiar/channels"
)

func TestTerminalIsRestored(t *testing.T) {
	keyboard, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = tty.Close(), keyboard.Close() }()
	go func() { _, _ = io.Copy(io.Discard, keyboard) }() // ends when the pty is closed
	before, err := term.GetState(int(tty.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	endings := map[string]func(cancel func()){
		"the context ends":   func(cancel func()) { cancel() },
		"the persona panics": func(func()) { panic("boom") },
	}
	for name, end := range endings {
		t.Run(name, func(t *testing.T) {
			c := New(Options{In: tty, Out: tty, Arrive: true, Now: time.Now, NewID: counter()})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			err := recovered(func() error {
				return c.Run(ctx, func(context.Context, channels.Message) error {
					during, err := term.GetState(int(tty.Fd()))
					if err != nil || reflect.DeepEqual(before, during) {
						t.Errorf("the keyboard was not taken over: %v", err)
					}
					end(cancel)
					return nil
				})
			})
			if !errors.Is(err, context.Canceled) && !errors.Is(err, errPanic) {
				t.Errorf("Run ended with %v", err)
			}
			if after, err := term.GetState(int(tty.Fd())); err != nil || !reflect.DeepEqual(before, after) {
				t.Errorf("the terminal is left as %+v, was %+v, %v", after, before, err)
			}
		})
	}
}

var errPanic = errors.New("it panicked")

// recovered runs f and turns a panic into errPanic.
func recovered(f func() error) (err error) {
	defer func() {
		if recover() != nil {
			err = errPanic
		}
	}()
	return f()
}

// A program that contains the console sends no query to the terminal at start: some terminals never respond.
func TestStartAsksTheTerminalNothing(t *testing.T) {
	keyboard, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = keyboard.Close() }()
	cmd := exec.Command(os.Args[0], "-test.run=^$", "-test.v")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=", "COLORFGBG=")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true} // only a foreground process may query
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = tty.Close()
	var printed bytes.Buffer
	_, _ = io.Copy(&printed, keyboard) // ends with an error when the program closes the terminal
	if err := cmd.Wait(); err != nil || !strings.Contains(printed.String(), "PASS") || strings.Contains(printed.String(), "\x1b") {
		t.Errorf("ended with %v, printed %q", err, printed.String())
	}
}

// ptyConsole is a console at a pty of a given size, with the screen it shows.
type ptyConsole struct {
	t             *testing.T
	console       *Console
	keyboard, tty *os.File
	glass         *testScreen
	heard         chan string
}

func openPTY(t *testing.T, width int) *ptyConsole {
	t.Helper()
	keyboard, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	w := &ptyConsole{t: t, keyboard: keyboard, tty: tty, glass: &testScreen{t: t}, heard: make(chan string, 8)}
	w.resize(width)
	w.console = New(Options{In: tty, Out: tty, Persona: "Mira", Now: time.Now, NewID: counter()})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _, _ = io.Copy(w.glass, keyboard) }) // ends when the pty is closed
	ended := make(chan error, 1)
	go func() {
		ended <- w.console.Run(ctx, func(_ context.Context, m channels.Message) error {
			w.heard <- m.Text
			return nil
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Run ended with %v", err)
		}
		_, _ = tty.Close(), keyboard.Close()
		running.Wait()
	})
	w.glass.await("> |")
	return w
}

func (w *ptyConsole) resize(width int) {
	w.t.Helper()
	if err := pty.Setsize(w.tty, &pty.Winsize{Rows: 24, Cols: uint16(width)}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *ptyConsole) press(keys string) {
	w.t.Helper()
	if _, err := w.keyboard.WriteString(keys); err != nil {
		w.t.Fatal(err)
	}
}

func TestAMegabyteIsPasted(t *testing.T) {
	w := openPTY(t, 80)
	text := strings.Repeat("שלום, a line of many 日本\n", 1<<20/32) + "the end"
	started := time.Now()
	w.press("look: \x1b[200~" + strings.ReplaceAll(text, "\n", "\r") + "\x1b[201~\r")
	if got := <-w.heard; got != "look: "+text {
		t.Errorf("received %d bytes, want %d", len(got), len(text)+6)
	}
	t.Logf("%d bytes took %s", len(text), time.Since(started))
	w.glass.await("> look: [paste 1: 32769 lines,")
}

func TestANewSize(t *testing.T) {
	w := openPTY(t, 80)
	w.resize(30)
	// The process is not in this terminal's foreground, so it gets no signal for the new size.
	if err := syscall.Kill(os.Getpid(), syscall.SIGWINCH); err != nil {
		t.Fatal(err)
	}
	w.press("one two three four five")
	w.glass.await("> one two three four five|")
	if _, err := w.console.Send(t.Context(), channels.Outgoing{Room: w.console.Room(), Key: "k", Text: "seven eight nine ten eleven twelve"}); err != nil {
		t.Fatal(err)
	}
	w.glass.await("Mira: seven eight nine ten\neleven twelve\n> one two three four five|")
}

// Standard input outlives the console: a blocked read ends with the context and loses no input.
func TestInputStaysOpen(t *testing.T) {
	in, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = in.Close(), writer.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	reader, err := newInput(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		_, err := reader.Read(make([]byte, 8))
		ended <- err
	}()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the read ended with %v", err)
	}
	reader.stop()
	if _, err := writer.WriteString("later"); err != nil {
		t.Fatal(err)
	}
	left := make([]byte, 8)
	if n, err := in.Read(left); err != nil || string(left[:n]) != "later" {
		t.Errorf("read %q, %v", left[:n], err)
	}
}
