// Familiar is a chat bot with a persistent persona. See familiar --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"
	_ "time/tzdata" // zones are known also where the system knows none

	"familiar/config"
)

func main() { os.Exit(process(time.Now)) }

// garbagePercent lets the heap grow to three times what lives before it is collected: at the default a busy process spends
// a seventh of its time collecting a few megabytes, at 400 a large store takes a third more memory and turns are no faster.
const garbagePercent = 200

// process runs this process's command line to its end, or until a signal asks it to stop, and returns the exit code.
func process(now func() time.Time) int {
	debug.SetGCPercent(garbagePercent)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// Once it was asked to stop, a second signal ends the process the way the system does.
	context.AfterFunc(ctx, stop)
	return Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, config.OS(), now)
}
