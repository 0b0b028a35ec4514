package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"familiar/internal/cli"
	"familiar/memory"
)

// id reads the number of a row.
func id(cmd *cobra.Command, word string) (int64, error) {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n < 1 {
		return 0, cli.Usage(cmd, fmt.Errorf("%q is no number; %s", word, listOf(cmd)))
	}
	return n, nil
}

// listed is err, where it says that there is nothing of a number with where the numbers are.
func listed(cmd *cobra.Command, err error) error {
	if errors.Is(err, memory.ErrNotFound) {
		return fmt.Errorf("%w; %s", err, listOf(cmd))
	}
	return err
}

// listOf points to the list beside a verb.
func listOf(cmd *cobra.Command) string {
	return "`" + cmd.Parent().CommandPath() + " list` shows what there is"
}
