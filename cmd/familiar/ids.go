package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"familiar/internal/cli"
	"familiar/memory"
)

// parseID reads the number of a row.
func parseID(cmd *cobra.Command, word string) (int64, error) {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n < 1 {
		return 0, cli.Usage(cmd, fmt.Errorf("%q is no number; %s", word, listHint(cmd)))
	}
	return n, nil
}

// withListHint is err, where it says that there is nothing of a number with where the numbers are.
func withListHint(cmd *cobra.Command, err error) error {
	if errors.Is(err, memory.ErrNotFound) {
		return fmt.Errorf("%w; %s", err, listHint(cmd))
	}
	return err
}

// listHint points to the list beside a verb.
func listHint(cmd *cobra.Command) string {
	return "`" + cmd.Parent().CommandPath() + " list` shows what there is"
}
