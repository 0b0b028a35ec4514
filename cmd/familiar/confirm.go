package main

import (
	"bufio"
	"context"
	"strings"

	"familiar/internal/cli"
)

// confirm asks a question that is answered with yes or no. It fails with errDeclined on a no.
func confirm(ctx context.Context, inv *cli.Invocation, question string) error {
	w := wizard{ctx: ctx, in: bufio.NewReader(inv.In), out: inv.Errs}
	answer, err := w.ask(question+" (yes, no)", "no", oneOf("yes", "no", "y", "n"))
	if err == nil && !strings.HasPrefix(answer, "y") {
		err = errDeclined
	}
	return err
}
