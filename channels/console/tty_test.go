//go:build unix

package console

import (
	"context"
	"errors"
	"io"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"familiar/channels"
)

func TestTerminalIsGivenBack(t *testing.T) {
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
	c := New(Options{In: tty, Out: tty, Arrive: true, Now: time.Now, NewID: counter()})
	ctx, cancel := context.WithCancel(t.Context())
	err = c.Run(ctx, func(context.Context, channels.Message) error {
		during, err := term.GetState(int(tty.Fd()))
		if err != nil || reflect.DeepEqual(before, during) {
			t.Errorf("the keyboard was not taken over: %v", err)
		}
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Run ended with %v", err)
	}
	if after, err := term.GetState(int(tty.Fd())); err != nil || !reflect.DeepEqual(before, after) {
		t.Errorf("the terminal is left as %+v, was %+v, %v", after, before, err)
	}
}

// Standard input outlives the console: a read that waits on it ends with the context and loses nothing.
func TestInputIsLeftOpen(t *testing.T) {
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
