package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"familiar/channels/all"
	"familiar/config"
	"familiar/internal/spelling"
)

// verbs is every verb of the command line: one line each, in the order help shows them.
var verbs = []func(*app) *cobra.Command{
	newChat,
	newRun,
	newInit,
	newConfig,
	newDoctor,
	newChannel,
	newPersona,
	newMemory,
	newBelief,
	newPerson,
	newSession,
	newJob,
	newDream,
	newFollowUp,
	newReplay,
	newSimulate,
	newBench,
	newCompare,
	newVersion,
}

// app is what a verb is given. A verb is a function newX(a *app) *cobra.Command in a file of its own, named in verbs.
//
// It reads its settings with a.config (or a.home, when it must work with a broken configuration), takes the time from
// a.now and the context from cmd.Context(), reads from a.in and shows its result with render or renderOne, which
// know about --json and terminals; a.say is for words to a person. It returns errors and never prints them: Main
// does, once, and exitCode turns them into the exit code.
type app struct {
	env  config.Env
	now  func() time.Time
	in   io.Reader
	out  io.Writer
	errs io.Writer
	// width is the terminal's in columns, 0 when out is no terminal.
	width int
	// asks says that in is a terminal: somebody is there to answer questions.
	asks bool

	homeFlag  string
	levelFlag string
	// json says that results are to be JSON.
	json bool

	// loaded is the configuration once it was read.
	loaded *config.Config
	// faceless says that it was told that there is no persona: a verb may open the store several times.
	faceless bool
}

// Main runs the command line and returns the exit code. Everything from outside comes in through its parameters.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, env config.Env, now func() time.Time) int {
	a := &app{env: env, now: now, in: stdin, out: stdout, errs: stderr, width: terminalWidth(stdout)}
	a.asks = isTerminal(stdin)
	root := newRoot(a)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil {
		a.report(err, a.json || asksForJSON(args))
	}
	return exitCode(err)
}

// report says on standard error why the work was not done: in words, or as one JSON object.
func (a *app) report(err error, asJSON bool) {
	if !asJSON {
		fmt.Fprintln(a.errs, "familiar: "+strings.ReplaceAll(err.Error(), "\n", "\nfamiliar: "))
		return
	}
	failure := struct {
		Error string `json:"error"`
		Code  int    `json:"code"`
	}{err.Error(), exitCode(err)}
	// One line, as the log's are with --json. Where standard error takes nothing, the exit code still tells.
	_ = lineWriter(a.errs).Encode(failure)
}

// asksForJSON says that args hold --json. Flags are read up to the first that is wrong, and what was wrong is told in
// the shape that was asked for behind it, too.
func asksForJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--json")
}

func newRoot(a *app) *cobra.Command {
	root := group("familiar", "A chat bot with a persona that remembers",
		"Familiar answers in chats as a persona that remembers who it talks with. It needs neither an account nor a\n"+
			"configuration to begin: `familiar chat` talks here, `familiar init` sets up a language model.\n\n"+exitCodes)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.errs)
	flags := root.PersistentFlags()
	flags.StringVar(&a.homeFlag, "home", "", "the `DIR` with the configuration, the personas and the database\n"+
		"(default $FAMILIAR_HOME, $XDG_DATA_HOME/familiar, ~/.local/share/familiar)")
	flags.BoolVar(&a.json, "json", false, "show results, and why it failed, as JSON")
	flags.StringVar(&a.levelFlag, "log-level", "", "the `LEVEL` to log at, instead of the configured one: debug, info, warn or error")
	complete(root, "log-level", cobra.FixedCompletions(words(config.Levels), cobra.ShellCompDirectiveNoFileComp))
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usage(cmd, err) })
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return a.checkFlags(cmd) }
	cobra.EnableCommandSorting = false // the order of verbs is one to read in
	for _, verb := range verbs {
		root.AddCommand(verb(a))
	}
	root.SetHelpCommand(newHelp(root))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	checkArgs(root)
	return root
}

// newHelp is the verb that shows the help of others.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [VERB]…", Short: "Show the help of a verb",
		Args: func(_ *cobra.Command, args []string) error {
			found, rest, err := root.Find(args)
			if err == nil && len(rest) > 0 {
				err = unknownVerb(found, rest[0])
			}
			return err
		},
		RunE: func(_ *cobra.Command, args []string) error {
			found, _, err := root.Find(args)
			if err != nil {
				return err
			}
			return found.Help()
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) (verbs []cobra.Completion, _ cobra.ShellCompDirective) {
			if found, rest, err := root.Find(args); err == nil && len(rest) == 0 {
				for _, c := range found.Commands() {
					verbs = append(verbs, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return verbs, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// group is a command that only holds others: alone it shows its help, with a word it does not know it says so.
func group(use, short, long string, children ...*cobra.Command) *cobra.Command {
	g := &cobra.Command{
		Use: use, Short: short, Long: long, Args: noWord,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	g.AddCommand(children...)
	return g
}

// noWord refuses words that are no verb of cmd.
func noWord(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return unknownVerb(cmd, args[0])
}

func unknownVerb(cmd *cobra.Command, word string) error {
	var known []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			known = append(known, c.Name())
		}
	}
	if near := spelling.Nearest(word, known); near != "" {
		return fmt.Errorf("%s knows no %q: did you mean %q?", cmd.CommandPath(), word, near)
	}
	return fmt.Errorf("%s knows no %q", cmd.CommandPath(), word)
}

// checkArgs makes wrong arguments of cmd and everything below it usage errors that say what it takes.
func checkArgs(cmd *cobra.Command) {
	if cmd.HasSubCommands() && cmd.Run == nil && cmd.RunE == nil {
		cmd.Args, cmd.RunE = noWord, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			err := check(cmd, args)
			if err != nil && !cmd.HasSubCommands() && cmd.Name() != "help" {
				err = takes(cmd, args)
			}
			if err != nil {
				return usage(cmd, err)
			}
			return nil
		}
	}
	for _, child := range cmd.Commands() {
		checkArgs(child)
	}
}

// takes says what cmd takes, where it was given something else.
func takes(cmd *cobra.Command, args []string) error {
	_, what, some := strings.Cut(cmd.Use, " ")
	switch {
	case !some:
		return fmt.Errorf("%s takes flags only, not %q", cmd.CommandPath(), args[0])
	case len(args) == 0:
		return fmt.Errorf("%s takes %s, and nothing was given", cmd.CommandPath(), what)
	}
	return fmt.Errorf("%s takes %s, not %q: put quotes around what belongs together", cmd.CommandPath(), what, args)
}

func (a *app) checkFlags(cmd *cobra.Command) error {
	if a.levelFlag == "" {
		return nil
	}
	var level config.Level
	if err := level.UnmarshalText([]byte(a.levelFlag)); err != nil {
		return usage(cmd, fmt.Errorf("--log-level %w", err))
	}
	return nil
}

// home is the directory everything is kept in.
func (a *app) home() (config.Home, error) { return a.env.Home(a.homeFlag) }

// config reads the configuration once, with the flags that override it. Its warnings are for the verbs an operator
// looks after the home with: config check and run.
func (a *app) config() (*config.Config, error) {
	if a.loaded != nil {
		return a.loaded, nil
	}
	home, err := a.home()
	if err != nil {
		return nil, err
	}
	c, err := config.Load(home, a.env, all.Sections()...)
	if err != nil {
		return nil, err
	}
	if a.levelFlag != "" {
		c.Log.Level = config.Level(a.levelFlag)
	}
	a.loaded = c
	return c, nil
}

// note tells a person something beside the result, on standard error.
func (a *app) note(format string, args ...any) {
	if !a.json {
		fmt.Fprintf(a.errs, "familiar: "+format+"\n", args...)
	}
}

// say tells a person something; with --json nobody is listening.
func (a *app) say(format string, args ...any) {
	if !a.json {
		fmt.Fprintf(a.out, format+"\n", args...)
	}
}
