package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/spelling"
)

// NewRoot adds the global flags, the verbs, help and completion to root, the command of a program.
func NewRoot(inv *Invocation, root *cobra.Command, verbs []func(*Invocation) *cobra.Command) *cobra.Command {
	inv.program = root.Name()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetIn(inv.In)
	root.SetOut(inv.Out)
	root.SetErr(inv.Errs)
	flags := root.PersistentFlags()
	flags.StringVar(&inv.HomeFlag, "home", "", "the home directory `DIR`: configuration, personas and database\n"+
		"(default $FAMILIAR_HOME, $XDG_DATA_HOME/familiar, ~/.local/share/familiar)")
	flags.BoolVar(&inv.JSON, "json", false, "print results and errors as JSON")
	flags.StringVar(&inv.levelFlag, "log-level", "", "log `LEVEL` instead of the configured one: debug, info, warn or error")
	Complete(root, "log-level", cobra.FixedCompletions(Strings(config.Levels), cobra.ShellCompDirectiveNoFileComp))
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return Usage(cmd, err) })
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return inv.checkFlags(cmd) }
	cobra.EnableCommandSorting = false // help shows the verbs in their own order
	for _, verb := range verbs {
		root.AddCommand(verb(inv))
	}
	root.SetHelpCommand(newHelp(root))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	checkArgs(root)
	return root
}

// newHelp returns the help verb.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]…", Short: "Show the help of a command",
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

// Group returns a command that only contains others. Without arguments it shows its help, with an unknown one it fails.
func Group(use, short, long string, children ...*cobra.Command) *cobra.Command {
	g := &cobra.Command{
		Use: use, Short: short, Long: long, Args: rejectArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	g.AddCommand(children...)
	return g
}

// rejectArgs rejects arguments that are not verbs of cmd.
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
		return fmt.Errorf("%s has no command %q: did you mean %q?", cmd.CommandPath(), word, near)
	}
	return fmt.Errorf("%s has no command %q", cmd.CommandPath(), word)
}

// checkArgs turns invalid arguments of cmd and everything below it into usage errors that name the expected ones.
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

// wrongArgs returns the error for invalid arguments of cmd.
func wrongArgs(cmd *cobra.Command, args []string) error {
	_, what, some := strings.Cut(cmd.Use, " ")
	switch {
	case !some:
		return fmt.Errorf("%s takes flags only, not %q", cmd.CommandPath(), args[0])
	case len(args) == 0:
		return fmt.Errorf("%s takes %s, but there is no argument", cmd.CommandPath(), what)
	}
	return fmt.Errorf("%s takes %s, not %q: quote arguments that contain spaces", cmd.CommandPath(), what, args)
}

// Verbs returns every verb below root that does something, as typed after the program's name.
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
