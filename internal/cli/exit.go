package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"familiar/internal/app"
	"familiar/internal/backup"
	"familiar/memory"
	"familiar/memory/fleet"

	"familiar/persona/card"
)

// ExitCodes documents the exit codes that exitCode returns.
const ExitCodes = `Exit codes:
  0  success
  1  failure
  2  usage error: an unknown command, flag or argument
  3  not found
  4  another process is using the home directory, or serves its memory`

// exitCode returns the exit code for the error of a verb.
func exitCode(err error) int {
	var wrongUse *usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &wrongUse):
		return 2
	case errors.Is(err, memory.ErrNotFound), errors.Is(err, card.ErrNoCard), errors.Is(err, backup.ErrNone):
		return 3
	case errors.Is(err, app.ErrInUse), errors.Is(err, fleet.ErrOtherCast), errors.Is(err, fleet.ErrClock):
		return 4
	}
	return 1
}

// usageError is a mistake in the command line.
type usageError struct {
	cause error
	// command is the command whose help explains the usage.
	command string
}

// Usage marks err as a mistake in the use of cmd.
func Usage(cmd *cobra.Command, err error) error {
	return &usageError{cause: err, command: cmd.CommandPath()}
}

func (e *usageError) Error() string { return fmt.Sprintf("%v (see %s --help)", e.cause, e.command) }

func (e *usageError) Unwrap() error { return e.cause }
