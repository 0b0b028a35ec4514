package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"familiar/internal/app"
	"familiar/memory"

	"familiar/persona/card"
)

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("disk full"), 1},
		{Usage(&cobra.Command{Use: "x"}, errors.New("no such flag")), 2},
		{fmt.Errorf("show: %w", memory.ErrNotFound), 3},
		{fmt.Errorf("show: %w", card.ErrNoCard), 3},
		{fmt.Errorf("serve: %w", app.ErrInUse), 4},
	} {
		if got := exitCode(c.err); got != c.want {
			t.Errorf("exitCode(%v) = %d, want %d", c.err, got, c.want)
		}
		if !strings.Contains(ExitCodes, fmt.Sprintf("\n  %d  ", c.want)) {
			t.Errorf("exit code %d is not documented", c.want)
		}
	}
}
