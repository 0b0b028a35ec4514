package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/persona/card"
)

// wizard asks questions, one a line, and reads the answers.
type wizard struct {
	// ctx ends when whoever answers interrupts: it lives as long as the wizard, one interview.
	ctx context.Context
	in  *bufio.Reader
	out io.Writer
}

var (
	errNoAnswer = errors.New("the answers ended before the questions did: nothing was written")
	errDeclined = errors.New("declined: nothing was written")
)

// interview asks for every choice in turn.
func (w wizard) interview(personas []card.CardEntry, found detected) (config.Choices, error) {
	var c config.Choices
	var err error
	if c.Persona, err = w.askPersona(personas); err != nil {
		return c, err
	}
	if c.Provider, err = w.askProvider(found); err != nil {
		return c, err
	}
	if c.Provider != config.NoModel {
		if c, err = w.askModel(c, found); err != nil {
			return c, err
		}
	}
	yes, err := w.ask("Write the configuration? (yes, no)", "yes", oneOf("yes", "no", "y", "n"))
	if err == nil && !strings.HasPrefix(yes, "y") {
		err = errDeclined
	}
	return c, err
}

func (w wizard) askPersona(entries []card.CardEntry) (string, error) {
	w.println("Personas:")
	var keys []string
	for _, e := range entries {
		if e.Card != nil {
			w.println("  %-12s %s", e.Key, cli.OneLine(e.Card.Name))
			keys = append(keys, e.Key)
		}
	}
	return w.ask("Who speaks?", config.DefaultPersona, oneOf(keys...))
}

func (w wizard) askProvider(found detected) (config.Provider, error) {
	if s := found.String(); s != "" {
		w.println("\nFound %s.", s)
	} else {
		w.println("\nFound no Ollama here and no provider's key in the environment.")
	}
	var names []string
	for _, p := range config.Providers {
		names = append(names, string(p))
	}
	question := "Who runs the model? (" + strings.Join(names, ", ") + ")"
	answer, err := w.ask(question, string(found.provider()), oneOf(names...))
	return config.Provider(answer), err
}

// askModel asks what only a choice with a model needs.
func (w wizard) askModel(c config.Choices, found detected) (config.Choices, error) {
	var err error
	if c.Model, err = w.ask("Which model?", found.model(c.Provider), required); err != nil {
		return c, err
	}
	if c.BaseURL, err = w.ask("At which address? Empty for the usual one.", found.address(c.Provider), addressOrNone); err != nil {
		return c, err
	}
	if !c.Provider.NeedsKey() {
		return c, nil
	}
	suggested := ""
	if c.BaseURL == "" {
		suggested = found.keyVariable(c.Provider)
	}
	variable, err := w.ask("Which variable of the environment holds the key? Its name, not the key.", suggested, variableOrNone)
	if variable != "" {
		c.APIKey = "env:" + variable
	}
	return c, err
}

// ask asks until the answer is accepted; an empty answer is the suggestion. accept returns what is wrong, "" when
// nothing is.
func (w wizard) ask(question, suggestion string, accept func(string) string) (string, error) {
	for {
		if suggestion == "" {
			fmt.Fprintf(w.out, "%s ", question)
		} else {
			fmt.Fprintf(w.out, "%s [%s] ", question, suggestion)
		}
		line, err := w.readLine()
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
		w.println("  %s", wrong)
	}
}

// readLine reads a line, or gives up when the wizard is interrupted: a read from a terminal cannot be, so the one under
// way is left behind for the end of the process to take.
func (w wizard) readLine() (string, error) {
	type reading struct {
		line string
		err  error
	}
	done := make(chan reading, 1)
	go func() {
		line, err := w.in.ReadString('\n')
		done <- reading{line, err}
	}()
	select {
	case r := <-done:
		return r.line, r.err
	case <-w.ctx.Done():
		return "", context.Cause(w.ctx)
	}
}

func (w wizard) println(format string, args ...any) { fmt.Fprintf(w.out, format+"\n", args...) }

func addressOrNone(answer string) string {
	if answer == "" {
		return ""
	}
	if err := config.CheckAddress(answer, "model.api_key"); err != nil {
		return "It " + err.Error() + "."
	}
	return ""
}

func required(answer string) string {
	if answer == "" {
		return "This cannot be left empty."
	}
	return ""
}

// variableOrNone never repeats the answer: it may be the key itself.
func variableOrNone(answer string) string {
	var ref config.Secret
	if answer != "" && ref.UnmarshalText([]byte("env:"+answer)) != nil {
		return "That is no variable's name. Put the key into a variable and name it here."
	}
	return ""
}

func oneOf(known ...string) func(string) string {
	return func(answer string) string {
		if slices.Contains(known, answer) {
			return ""
		}
		return "Take one of " + strings.Join(known, ", ") + "."
	}
}
