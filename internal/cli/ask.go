package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Questions asks questions, one per line, and reads the answers.
type Questions struct {
	// ctx ends when the user interrupts. It lives as long as the questions, for one interview.
	ctx context.Context
	in  *bufio.Reader
	out io.Writer
}

// NewQuestions returns questions that are shown on out and answered on in until ctx ends.
func NewQuestions(ctx context.Context, in io.Reader, out io.Writer) Questions {
	return Questions{ctx: ctx, in: bufio.NewReader(in), out: out}
}

// ErrDeclined is the error of an interview that ended with a no.
var ErrDeclined = errors.New("declined: nothing was written")

var errNoAnswer = errors.New("the input ended before all questions were answered: nothing was written")

// Ask repeats a question until the answer is accepted. An empty answer selects the suggestion. accept returns what is
// wrong with an answer, or "".
func (q Questions) Ask(question, suggestion string, accept func(string) string) (string, error) {
	for {
		if suggestion == "" {
			fmt.Fprintf(q.out, "%s ", question)
		} else {
			fmt.Fprintf(q.out, "%s [%s] ", question, suggestion)
		}
		line, err := q.readLine()
		if errors.Is(err, io.EOF) && line == "" {
			return "", errNoAnswer
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("read the answer: %w", err)
		}
		answer := strings.TrimSpace(line)
		if answer == "" {
			answer = suggestion
		}
		wrong := accept(answer)
		if wrong == "" {
			return answer, nil
		}
		q.Println("  %s", wrong)
	}
}

// readLine reads a line, or returns when it is interrupted. A read from a terminal cannot be interrupted, so
// the pending one is abandoned until the process exits.
func (q Questions) readLine() (string, error) {
	type reading struct {
		line string
		err  error
	}
	done := make(chan reading, 1)
	go func() {
		line, err := q.in.ReadString('\n')
		done <- reading{line, err}
	}()
	select {
	case r := <-done:
		return r.line, r.err
	case <-q.ctx.Done():
		return "", context.Cause(q.ctx)
	}
}

// Println shows a line.
func (q Questions) Println(format string, args ...any) { fmt.Fprintf(q.out, format+"\n", args...) }

// OneOf accepts the known answers, for [Questions.Ask].
func OneOf(known ...string) func(string) string {
	return func(answer string) string {
		if slices.Contains(known, answer) {
			return ""
		}
		return "Choose one of " + strings.Join(known, ", ") + "."
	}
}

// Confirm asks a question that is answered with yes or no. It fails with ErrDeclined on a no.
func Confirm(ctx context.Context, inv *Invocation, question string) error {
	q := NewQuestions(ctx, inv.In, inv.Errs)
	answer, err := q.Ask(question+" (yes, no)", "no", OneOf("yes", "no", "y", "n"))
	if err == nil && !strings.HasPrefix(answer, "y") {
		err = ErrDeclined
	}
	return err
}
