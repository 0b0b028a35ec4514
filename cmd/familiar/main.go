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

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// Once it was asked to stop, a second signal ends the process the way the system does.
	context.AfterFunc(ctx, stop)
	os.Exit(Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, config.OS(), time.Now))
}
