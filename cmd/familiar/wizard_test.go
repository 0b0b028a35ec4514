package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
)

func TestWizardStopsWhenInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	silent, typist := io.Pipe()
	defer typist.Close() // ends the wizard's abandoned read
	w := wizard{ctx: ctx, in: bufio.NewReader(silent), out: &bytes.Buffer{}}
	interrupt()
	if _, err := w.ask("Well?", "", addressOrNone); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestWizardTakesALastLineWithoutANewline(t *testing.T) {
	w := wizard{ctx: t.Context(), in: bufio.NewReader(bytes.NewBufferString("yes")), out: &bytes.Buffer{}}
	if got, err := w.ask("Well?", "", oneOf("yes")); got != "yes" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := w.ask("And?", "", oneOf("yes")); !errors.Is(err, errNoAnswer) {
		t.Errorf("got %v", err)
	}
}
