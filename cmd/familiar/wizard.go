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

// wizard asks questions, one per line, and reads the answers.
type wizard struct {
	// ctx ends when the user interrupts. It lives as long as the wizard, for one interview.
	ctx context.Context
	in  *bufio.Reader
	out io.Writer
}

var (
	errNoAnswer = errors.New("the input ended before all questions were answered: nothing was written")
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
	return w.ask("Which persona?", config.DefaultPersona, oneOf(keys...))
}

func (w wizard) askProvider(found detected) (config.Provider, error) {
	if s := found.String(); s != "" {
		w.println("\nFound %s.", s)
	} else {
		w.println("\nFound neither Ollama on this machine nor an API key in the environment.")
	}
	var names []string
	for _, p := range config.Providers {
		names = append(names, string(p))
	}
	question := "Which provider runs the model? (" + strings.Join(names, ", ") + ")"
	answer, err := w.ask(question, string(found.provider()), oneOf(names...))
	return config.Provider(answer), err
}

// askModel asks the questions that only apply with a model.
func (w wizard) askModel(c config.Choices, found detected) (config.Choices, error) {
	var err error
	if c.Model, err = w.ask("Which model?", found.model(c.Provider), required); err != nil {
		return c, err
	}
	if c.BaseURL, err = w.ask("At which address? Leave empty for the default.", found.address(c.Provider), addressOrNone); err != nil {
		return c, err
	}
	if !c.Provider.NeedsKey() {
		return c, nil
	}
	suggested := ""
	if c.BaseURL == "" {
		suggested = found.keyVariable(c.Provider)
	}
	variable, err := w.ask("Which environment variable holds the API key? Enter its name, not the key.", suggested, variableOrNone)
	if variable != "" {
		c.APIKey = "env:" + variable
	}
	return c, err
}

// ask repeats a question until the answer is accepted. An empty answer selects the suggestion. accept returns what is
// wrong with an answer, or "".
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

// readLine reads a line, or returns when the wizard is interrupted. A read from a terminal cannot be interrupted, so
// the pending one is abandoned until the process exits.
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
		return "This cannot be empty."
	}
	return ""
}

// variableOrNone never repeats the answer: it may be the key itself.
func variableOrNone(answer string) string {
	var ref config.Secret
	if answer != "" && ref.UnmarshalText([]byte("env:"+answer)) != nil {
		return "That is not a variable name. Put the key into a variable and enter its name here."
	}
	return ""
}

func oneOf(known ...string) func(string) string {
	return func(answer string) string {
		if slices.Contains(known, answer) {
			return ""
		}
		return "Choose one of " + strings.Join(known, ", ") + "."
	}
}
