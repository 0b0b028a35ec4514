package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/spelling"
)

// NewRoot adds to root, the command of a program, the flags that every verb takes, its verbs, help and completion.
func NewRoot(inv *Invocation, root *cobra.Command, verbs []func(*Invocation) *cobra.Command) *cobra.Command {
	inv.program = root.Name()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetIn(inv.In)
	root.SetOut(inv.Out)
	root.SetErr(inv.Errs)
	flags := root.PersistentFlags()
	flags.StringVar(&inv.HomeFlag, "home", "", "the `DIR` with the configuration, the personas and the database\n"+
		"(default $FAMILIAR_HOME, $XDG_DATA_HOME/familiar, ~/.local/share/familiar)")
	flags.BoolVar(&inv.JSON, "json", false, "show results, and why it failed, as JSON")
	flags.StringVar(&inv.levelFlag, "log-level", "", "the `LEVEL` to log at, instead of the configured one: debug, info, warn or error")
	Complete(root, "log-level", cobra.FixedCompletions(Strings(config.Levels), cobra.ShellCompDirectiveNoFileComp))
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return Usage(cmd, err) })
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return inv.checkFlags(cmd) }
	cobra.EnableCommandSorting = false // the order of verbs is one to read in
	for _, verb := range verbs {
		root.AddCommand(verb(inv))
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

// Group is a command that only holds others: alone it shows its help, with a word it does not know it says so.
func Group(use, short, long string, children ...*cobra.Command) *cobra.Command {
	g := &cobra.Command{
		Use: use, Short: short, Long: long, Args: rejectArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	g.AddCommand(children...)
	return g
}

// rejectArgs refuses words that are no verb of cmd.
func rejectArgs(cmd *cobra.Command, args []string) error {
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
		cmd.Args, cmd.RunE = rejectArgs, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			err := check(cmd, args)
			if err != nil && !cmd.HasSubCommands() && cmd.Name() != "help" {
				err = wrongArgs(cmd, args)
			}
			if err != nil {
				return Usage(cmd, err)
			}
			return nil
		}
	}
	for _, child := range cmd.Commands() {
		checkArgs(child)
	}
}

// wrongArgs says what cmd takes, where it was given something else.
func wrongArgs(cmd *cobra.Command, args []string) error {
	_, what, some := strings.Cut(cmd.Use, " ")
	switch {
	case !some:
		return fmt.Errorf("%s takes flags only, not %q", cmd.CommandPath(), args[0])
	case len(args) == 0:
		return fmt.Errorf("%s takes %s, and nothing was given", cmd.CommandPath(), what)
	}
	return fmt.Errorf("%s takes %s, not %q: put quotes around what belongs together", cmd.CommandPath(), what, args)
}

// Verbs is every verb below root that does something, as it is typed after the program's name.
func Verbs(root *cobra.Command) (verbs []string) {
	for _, child := range root.Commands() {
		if !child.HasSubCommands() {
			verbs = append(verbs, child.Name())
		}
		for _, verb := range Verbs(child) {
			verbs = append(verbs, child.Name()+" "+verb)
		}
	}
	return verbs
}
