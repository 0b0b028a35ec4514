package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"familiar/internal/spelling"
	"familiar/memory/model"
)

// choice is a flag that takes one of a few words.
type choice struct {
	value string
	of    []string
}

// String is the word chosen.
func (c *choice) String() string { return c.value }

// Type is what help calls the flag's value.
func (c *choice) Type() string { return "WORD" }

// Set chooses a word.
func (c *choice) Set(word string) error {
	for _, known := range c.of {
		if known == word {
			c.value = word
			return nil
		}
	}
	if near := spelling.Nearest(word, c.of); near != "" {
		return fmt.Errorf("did you mean %q?", near)
	}
	return fmt.Errorf("take one of %s", strings.Join(c.of, ", "))
}

// choiceFlag adds a flag to cmd that takes one of the words of c, which the shell completes.
func choiceFlag(cmd *cobra.Command, c *choice, name, usage string) {
	cmd.Flags().Var(c, name, usage+": "+strings.Join(c.of, ", "))
	complete(cmd, name, cobra.FixedCompletions(c.of, cobra.ShellCompDirectiveNoFileComp))
}

// personFlag adds the flag of cmd that names a person, as someone finds them.
func personFlag(cmd *cobra.Command, who *string, usage string) {
	cmd.Flags().StringVar(who, "person", "", usage+": a `NAME` or number")
}

// complete lets the shell complete a flag of cmd.
func complete(cmd *cobra.Command, flag string, with cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, with); err != nil {
		panic(err) // no such flag, or twice: cmd was just built
	}
}

// sectors are the words for memory's sectors.
func sectors() []string {
	return words([]model.Sector{model.Episodic, model.Semantic, model.Procedural, model.Emotional, model.Reflective})
}

// words are values as plain strings.
func words[S ~string](values []S) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// count is a flag for how many, at least 1.
type count int

// String is the number.
func (c *count) String() string { return strconv.Itoa(int(*c)) }

// Type is what help calls the flag's value.
func (c *count) Type() string { return "NUMBER" }

// Set reads the number.
func (c *count) Set(word string) error {
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 {
		return errors.New("take a number from 1 up")
	}
	*c = count(n)
	return nil
}

// share is a flag for how much of a whole, 0 to 1.
type share float64

// String is the number.
func (s *share) String() string { return strconv.FormatFloat(float64(*s), 'g', -1, 64) }

// Type is what help calls the flag's value.
func (s *share) Type() string { return "SHARE" }

// Set reads the number.
func (s *share) Set(word string) error {
	x, err := strconv.ParseFloat(word, 64)
	if err != nil || !(x >= 0 && x <= 1) {
		return errors.New("take a number from 0 to 1")
	}
	*s = share(x)
	return nil
}
