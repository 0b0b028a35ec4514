package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"familiar/internal/app"
	"familiar/memory"

	"familiar/persona/card"
)

// ExitCodes documents the exit codes that exitCode returns.
const ExitCodes = `Exit codes:
  0  done
  1  it failed
  2  wrong use: a verb, flag or argument that does not exist
  3  what was asked for was not found
  4  the home directory is in use by another process`

// exitCode is the process's exit code for what a verb returned.
func exitCode(err error) int {
	var wrongUse *usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &wrongUse):
		return 2
	case errors.Is(err, memory.ErrNotFound), errors.Is(err, card.ErrNoCard):
		return 3
	case errors.Is(err, app.ErrInUse):
		return 4
	}
	return 1
}

// usageError is a mistake in the command line.
type usageError struct {
	cause error
	// command is the command whose help says how it is done.
	command string
}

// Usage makes err an error in the use of cmd.
func Usage(cmd *cobra.Command, err error) error {
	return &usageError{cause: err, command: cmd.CommandPath()}
}

func (e *usageError) Error() string { return fmt.Sprintf("%v (see %s --help)", e.cause, e.command) }

func (e *usageError) Unwrap() error { return e.cause }
