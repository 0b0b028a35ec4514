package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"familiar/internal/spelling"
)

// Choice is a flag that takes one of a few words.
type Choice struct {
	Value string
	Of    []string
}

// String returns the chosen word.
func (c *Choice) String() string { return c.Value }

// Type returns the placeholder for the value in help.
func (c *Choice) Type() string { return "WORD" }

// Set chooses a word.
func (c *Choice) Set(word string) error {
	for _, known := range c.Of {
		if known == word {
			c.Value = word
			return nil
		}
	}
	if near := spelling.Nearest(word, c.Of); near != "" {
		return fmt.Errorf("did you mean %q?", near)
	}
	return fmt.Errorf("use one of %s", strings.Join(c.Of, ", "))
}

// ChoiceFlag adds a flag to cmd that takes one of the words of c. The shell completes them.
func ChoiceFlag(cmd *cobra.Command, c *Choice, name, usage string) {
	cmd.Flags().Var(c, name, usage+": "+strings.Join(c.Of, ", "))
	Complete(cmd, name, cobra.FixedCompletions(c.Of, cobra.ShellCompDirectiveNoFileComp))
}

// Complete sets the shell completion of a flag of cmd.
func Complete(cmd *cobra.Command, flag string, with cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, with); err != nil {
		panic(err) // no such flag, or called twice: a mistake in the code
	}
}

// Strings converts values to plain strings.
func Strings[S ~string](values []S) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// Count is a flag for a number of at least 1.
type Count int

// String returns the number.
func (c *Count) String() string { return strconv.Itoa(int(*c)) }

// Type returns the placeholder for the value in help.
func (c *Count) Type() string { return "NUMBER" }

// Set parses the number.
func (c *Count) Set(word string) error {
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 {
		return errors.New("use a number of at least 1")
	}
	*c = Count(n)
	return nil
}

// Share is a flag for a number from 0 to 1.
type Share float64

// String returns the number.
func (s *Share) String() string { return strconv.FormatFloat(float64(*s), 'g', -1, 64) }

// Type returns the placeholder for the value in help.
func (s *Share) Type() string { return "SHARE" }

// Set parses the number.
func (s *Share) Set(word string) error {
	x, err := strconv.ParseFloat(word, 64)
	if err != nil || !(x >= 0 && x <= 1) {
		return errors.New("use a number from 0 to 1")
	}
	*s = Share(x)
	return nil
}
