// Package personas has `familiar persona`: the files of personas, their lorebooks, and how they grew.
package personas

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/internal/plainfile"
	"familiar/persona/card"
)

// NewPersona returns the verb `familiar persona`. chat is the verb that talks with one.
func NewPersona(inv *cli.Invocation, chat *cobra.Command) *cobra.Command {
	return cli.Group("persona", "List, show, create and edit personas",
		"List, show, create and edit personas. A persona is a YAML file in the personas directory of the home directory; the file\n"+
			"name is its key. A file with the key of a built-in persona replaces it.",
		newPersonaList(inv), newPersonaShow(inv), newPersonaNew(inv), newPersonaEdit(inv), chat, newPersonaSet(inv), newPersonaClone(inv),
		newPersonaHistory(inv), newPersonaDiff(inv), newPersonaRevert(inv), newPersonaValidate(inv), newPersonaGrowth(inv),
		newPersonaImport(inv), newPersonaExport(inv), newPersonaLore(inv))
}

// personaRow is one persona in the list.
type personaRow struct {
	Key    string `json:"key"`
	Name   string `json:"name"`
	From   string `json:"from"`
	Speaks bool   `json:"speaks"`
	// Problem is the first error in the file; `familiar persona validate` shows all of them.
	Problem string `json:"problem,omitempty"`
}

func newPersonaList(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the personas", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			c, err := inv.Config()
			if err != nil {
				return err
			}
			entries, err := card.Cards(c.Home.Personas())
			if err != nil {
				return err
			}
			var rows []personaRow
			for _, e := range entries {
				rows = append(rows, describePersona(e, c.Served()))
			}
			return cli.Render(inv, rows)
		},
	}
}

// describePersona describes a persona; served are the keys of those that speak.
func describePersona(e card.CardEntry, served []string) personaRow {
	row := personaRow{Key: e.Key, From: e.File, Speaks: slices.Contains(served, e.Key)}
	switch {
	case e.BuiltIn:
		row.From = "built-in"
	case e.Shadows:
		row.From += " (replaces the built-in one)"
	}
	if e.Err != nil {
		row.Problem, _, _ = strings.Cut(e.Err.Error(), "\n")
		return row
	}
	row.Name = e.Card.Name
	return row
}

func newPersonaShow(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "show [KEY]", Short: "Show a persona, by default the configured one",
		Long: "Show the file of a persona, or with --json its parsed form.",
		Args: cobra.MaximumNArgs(1), ValidArgsFunction: cli.CompleteKeys(inv),
		RunE: func(_ *cobra.Command, args []string) error {
			home, key, err := chosenPersona(inv, args)
			if err != nil {
				return err
			}
			data, file, err := card.CardText(home.Personas(), key)
			if err != nil {
				return err
			}
			if !inv.JSON {
				_, err = fmt.Fprintf(inv.Out, "# %s\n%s", file, data)
				return err
			}
			card, err := card.ParseCard(file, data)
			if err != nil {
				return err
			}
			return cli.RenderOne(inv, showCard(card, file))
		},
	}
}

// chosenPersona returns the key in args, or the configured persona.
func chosenPersona(inv *cli.Invocation, args []string) (config.Home, string, error) {
	if len(args) > 0 {
		home, err := inv.Home()
		return home, args[0], err
	}
	c, err := inv.Config()
	if err != nil {
		return "", "", err
	}
	return c.Home, c.Persona, nil
}

func newPersonaNew(inv *cli.Invocation) *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use: "new KEY", Short: "Create a persona, blank or as a copy of another",
		Long: "Create a persona, blank or as a copy of another, as a file to edit. In a copy, the name of the original is replaced by\n" +
			"one made from the new key.",
		Example: "  familiar persona new mira --from nell\n  familiar persona edit mira",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !card.ValidKey(args[0]) {
				return cli.Usage(cmd, invalidKey(args[0]))
			}
			return createPersona(inv, args[0], from)
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "the `KEY` of the persona to copy")
	cli.Complete(cmd, "from", cli.CompleteKeys(inv))
	return cmd
}

func createPersona(inv *cli.Invocation, key, from string) error {
	home, err := inv.Home()
	if err != nil {
		return err
	}
	_, file, err := card.CardText(home.Personas(), key)
	switch {
	case err == nil:
		return fmt.Errorf("the persona %s already exists (%s): change it with `familiar persona edit %s`", key, file, key)
	case !errors.Is(err, card.ErrNoCard):
		return err
	}
	text := card.BlankCard(key)
	if from != "" {
		if text, err = card.CopyCard(home.Personas(), from, key); err != nil {
			return err
		}
	}
	if err := home.Create(); err != nil {
		return err
	}
	file = card.CardFile(home.Personas(), key)
	if err := plainfile.WriteNew(file, text); err != nil {
		return err
	}
	if err := copyLore(home.Personas(), from, key); err != nil {
		return errors.Join(err, os.Remove(file))
	}
	return cli.ReportWritten(inv, file)
}

// copyLore copies the lorebook of a persona, if it has one.
func copyLore(dir, from, key string) error {
	if from == "" {
		return nil
	}
	book, err := card.LoadLore(dir, from)
	if err != nil || book == nil {
		return err
	}
	data, err := book.Write()
	if err != nil {
		return err
	}
	return plainfile.WriteNew(card.LoreFile(dir, key), data)
}

func newPersonaValidate(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "validate [KEY|FILE]…", Short: "Check personas, by default all of them",
		Long: "Check personas, by default all of them, and show each problem with its line. An argument that contains a dot or a slash\n" +
			"is a file, any other a key.",
		Example:           "  familiar persona validate\n  familiar persona validate mira drafts/otto.yaml",
		ValidArgsFunction: completeKeysAndFiles(inv),
		RunE: func(_ *cobra.Command, args []string) error {
			home, err := inv.Home()
			if err != nil {
				return err
			}
			problems, err := validatePersonas(home, args)
			if err != nil {
				return err
			}
			return cli.Report(inv, cli.Findings{Problems: problems})
		},
	}
}

func validatePersonas(home config.Home, args []string) ([]string, error) {
	var found []error
	if len(args) == 0 {
		entries, err := card.Cards(home.Personas())
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			found = append(found, e.Err)
		}
	}
	for _, arg := range args {
		err := validatePersona(home, arg)
		if _, wrong := cli.ProblemLines(err); err != nil && !wrong {
			return nil, err // not found or not readable: nothing was validated
		}
		found = append(found, err)
	}
	var lines []string
	for _, err := range found {
		if err != nil {
			lines = append(lines, strings.Split(err.Error(), "\n")...)
		}
	}
	return lines, nil
}

// validatePersona checks the file arg if it looks like a path, otherwise the persona with that key.
func validatePersona(home config.Home, arg string) error {
	if !strings.ContainsRune(arg, filepath.Separator) && filepath.Ext(arg) == "" {
		_, err := card.LoadCard(home.Personas(), arg)
		return err
	}
	data, err := os.ReadFile(arg)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: no file %s", card.ErrNoCard, arg)
	}
	if err != nil {
		return err
	}
	_, err = card.ParseCard(arg, data)
	return err
}

// completeKeysAndFiles completes persona keys and files.
func completeKeysAndFiles(inv *cli.Invocation) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		keys, directive := cli.CompleteKeys(inv)(cmd, args, word)
		return keys, directive &^ cobra.ShellCompDirectiveNoFileComp
	}
}
