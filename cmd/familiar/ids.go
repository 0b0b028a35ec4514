package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"familiar/internal/cli"
	"familiar/memory"
)

// parseID parses the number of a row.
func parseID(cmd *cobra.Command, word string) (int64, error) {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n < 1 {
		return 0, cli.Usage(cmd, fmt.Errorf("%q is not a number; %s", word, listHint(cmd)))
	}
	return n, nil
}

// withListHint adds to a not-found error how to list what exists.
func withListHint(cmd *cobra.Command, err error) error {
	if errors.Is(err, memory.ErrNotFound) {
		return fmt.Errorf("%w; %s", err, listHint(cmd))
	}
	return err
}

// listHint names the list verb that belongs to cmd.
func listHint(cmd *cobra.Command) string {
	return "`" + cmd.Parent().CommandPath() + " list` lists what exists"
}
