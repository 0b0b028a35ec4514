package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
)

// gcPercent lets the heap grow to three times the live data before a collection. At the default a busy process spends a
// seventh of its time collecting a few megabytes; at 400 a large store takes a third more memory and turns are no
// faster.
const gcPercent = 200

// program returns the root command of a program.
type program func(*Invocation) *cobra.Command

// Run executes the process's command line until it ends or a signal stops it, and returns the exit code.
func Run(p program, now func() time.Time) int {
	debug.SetGCPercent(gcPercent)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second signal ends the process immediately.
	context.AfterFunc(ctx, stop)
	return runArgs(ctx, p, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, config.OS(), now)
}

// runArgs executes a command line and returns the exit code. All external input comes in through its parameters.
func runArgs(ctx context.Context, p program, args []string, stdin io.Reader, stdout, stderr io.Writer, env config.Env, now func() time.Time) int {
	inv := &Invocation{Env: env, Now: now, In: stdin, Out: stdout, Errs: stderr, width: terminalWidth(stdout), Interactive: isTerminal(stdin)}
	root := p(inv)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil {
		inv.report(err, inv.JSON || wantsJSON(args))
	}
	return exitCode(err)
}

// report prints an error on standard error, as text or as one JSON object.
func (inv *Invocation) report(err error, asJSON bool) {
	if !asJSON {
		fmt.Fprintln(inv.Errs, inv.program+": "+strings.ReplaceAll(err.Error(), "\n", "\n"+inv.program+": "))
		return
	}
	failure := struct {
		Error string `json:"error"`
		Code  int    `json:"code"`
	}{err.Error(), exitCode(err)}
	// One line, like the log with --json. If standard error is not writable, the exit code still reports the failure.
	_ = lineWriter(inv.Errs).Encode(failure)
}

// wantsJSON reports whether args contain --json. Flag parsing stops at the first invalid flag, but an error is reported
// as JSON even if --json follows it.
func wantsJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--json")
}
