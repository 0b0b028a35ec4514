package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
)

func TestAskStopsWhenInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	silent, typist := io.Pipe()
	defer typist.Close() // ends the wizard's abandoned read
	q := NewQuestions(ctx, silent, &bytes.Buffer{})
	interrupt()
	if _, err := q.Ask("Well?", "", OneOf("yes")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestAskTakesALastLineWithoutANewline(t *testing.T) {
	q := NewQuestions(t.Context(), bytes.NewBufferString("yes"), &bytes.Buffer{})
	if got, err := q.Ask("Well?", "", OneOf("yes")); got != "yes" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := q.Ask("And?", "", OneOf("yes")); !errors.Is(err, errNoAnswer) {
		t.Errorf("got %v", err)
	}
}
