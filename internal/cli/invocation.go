// Package cli contains what the commands of all programs share: flags, output as text or JSON, exit codes, and opening
// a home.
package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"familiar/channels/all"
	"familiar/config"
	"familiar/memory"
)

// Invocation is one run of the command line: its streams, clock, environment and global flags.
//
// A verb is a function newX(inv *cli.Invocation) *cobra.Command. It reads its settings with Config (or Home, if it must
// work with a broken configuration), takes the time from Now and the context from cmd.Context(), reads from In, and
// shows its result with Render or RenderOne, which honour --json and fit the terminal. Say prints text for people. A
// verb returns errors and never prints them: Run prints them once and turns them into the exit code.
type Invocation struct {
	Env  config.Env
	Now  func() time.Time
	In   io.Reader
	Out  io.Writer
	Errs io.Writer
	// Interactive reports that In is a terminal, so that questions can be asked.
	Interactive bool
	// JSON reports that results are printed as JSON.
	JSON bool
	// HomeFlag is the value of --home, "" if it was not given.
	HomeFlag string
	// Loaded is the configuration, nil until Config has read it.
	Loaded *config.Config

	// store is what verbs work on instead of opening the home's, nil for that; see On.
	store *memory.Store
	// asOf is the time whose store verbs open, zero for the present; clock is then the clock that runs.
	asOf  time.Time
	clock func() time.Time

	// program is the command's name, the prefix of its messages.
	program string
	// width is the terminal's width in columns, 0 if Out is not a terminal.
	width     int
	levelFlag string
	// warned reports that the missing persona was reported: a verb may open the store several times.
	warned bool
}

func (inv *Invocation) checkFlags(cmd *cobra.Command) error {
	if inv.levelFlag == "" {
		return nil
	}
	var level config.Level
	if err := level.UnmarshalText([]byte(inv.levelFlag)); err != nil {
		return Usage(cmd, fmt.Errorf("--log-level %w", err))
	}
	return nil
}

// Home returns the directory that holds the configuration, the personas and the database.
func (inv *Invocation) Home() (config.Home, error) { return inv.Env.Home(inv.HomeFlag) }

// Config reads the configuration once and applies the flags that override it. Only config check and run show its
// warnings.
func (inv *Invocation) Config() (*config.Config, error) {
	if inv.Loaded != nil {
		return inv.Loaded, nil
	}
	home, err := inv.Home()
	if err != nil {
		return nil, err
	}
	c, err := config.Load(home, inv.Env, all.Sections()...)
	if err != nil {
		return nil, err
	}
	if inv.levelFlag != "" {
		c.Log.Level = config.Level(inv.levelFlag)
	}
	inv.Loaded = c
	return c, nil
}

// On returns an invocation whose verbs work on a store that is already open and say nothing. It is for a process that goes on:
// several goroutines may use it at a time, for what neither asks nor prints. Config must have been called.
func (inv *Invocation) On(store *memory.Store) *Invocation {
	quiet := *inv
	quiet.store, quiet.In, quiet.Out, quiet.Errs, quiet.Interactive, quiet.JSON = store, strings.NewReader(""), io.Discard, io.Discard, false, true
	return &quiet
}

// Note prints a remark on standard error, nothing with --json.
func (inv *Invocation) Note(format string, args ...any) {
	if !inv.JSON {
		fmt.Fprintf(inv.Errs, inv.program+": "+format+"\n", args...)
	}
}

// Say prints a line on standard output, nothing with --json.
func (inv *Invocation) Say(format string, args ...any) {
	if !inv.JSON {
		fmt.Fprintf(inv.Out, format+"\n", args...)
	}
}
