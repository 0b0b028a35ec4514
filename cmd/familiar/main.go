// Familiar is a chat bot with a persistent persona. See familiar --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"familiar/config"
)

func main() { os.Exit(process(time.Now)) }

// process runs this process's command line to its end, or until a signal asks it to stop, and returns the exit code.
func process(now func() time.Time) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// Once it was asked to stop, a second signal ends the process the way the system does.
	context.AfterFunc(ctx, stop)
	return Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, config.OS(), now)
}
