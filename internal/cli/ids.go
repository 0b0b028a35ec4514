package cli

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"familiar/memory"
)

// ParseID parses the number of a row.
func ParseID(cmd *cobra.Command, word string) (int64, error) {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n < 1 {
		return 0, Usage(cmd, fmt.Errorf("%q is not a number; %s", word, ListHint(cmd)))
	}
	return n, nil
}

// WithListHint adds to a not-found error how to list what exists.
func WithListHint(cmd *cobra.Command, err error) error {
	if errors.Is(err, memory.ErrNotFound) {
		return fmt.Errorf("%w; %s", err, ListHint(cmd))
	}
	return err
}

// ListHint names the list verb that belongs to cmd.
func ListHint(cmd *cobra.Command) string {
	return "`" + cmd.Parent().CommandPath() + " list` lists what exists"
}
