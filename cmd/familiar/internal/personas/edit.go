package personas

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/internal/plainfile"
	"familiar/persona/card"
)

func newPersonaEdit(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "edit KEY", Short: "Edit a persona in your editor",
		Long: "Edit a persona in $VISUAL, $EDITOR or vi. Only a valid file replaces the persona; an invalid one is kept as a draft, and\n" +
			"the next edit continues there. Editing a built-in persona creates your own copy.",
		Args: cobra.ExactArgs(1), ValidArgsFunction: cli.CompleteKeys(inv),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !inv.Interactive && !inv.Env.HasEditor() {
				return cli.Usage(cmd, errors.New("an editor needs a terminal: without one, set EDITOR to a command that edits by itself"))
			}
			home, err := inv.Home()
			if err != nil {
				return err
			}
			return editPersona(cmd.Context(), inv, home, args[0])
		},
	}
}

// draftFile returns where an invalid edit is kept. The directory of its own prevents a draft from being loaded as a
// persona.
func draftFile(home config.Home, key string) string {
	return card.CardFile(filepath.Join(home.Personas(), "drafts"), key)
}

func editPersona(ctx context.Context, inv *cli.Invocation, home config.Home, key string) error {
	before, _, err := card.CardText(home.Personas(), key)
	if err != nil {
		return err
	}
	if err := home.Create(); err != nil {
		return err
	}
	draft := draftFile(home, key)
	if err := openDraft(inv, draft, before); err != nil {
		return err
	}
	if err := runEditor(ctx, inv, draft); err != nil {
		return fmt.Errorf("%w; your edit is in %s", err, draft)
	}
	after, err := os.ReadFile(draft)
	if err != nil {
		return fmt.Errorf("read the edited file: %w", err)
	}
	if bytes.Equal(before, after) {
		inv.Say("%s is unchanged", key)
		return os.Remove(draft)
	}
	if _, err = card.ParseCard(draft, after); err == nil {
		_, err = card.Replace(ctx, home.Personas(), key, before, after, card.Edited, inv.Now())
	}
	if err != nil {
		return fmt.Errorf("%w\nthe persona %s is unchanged; your edit is kept in %s: continue with `familiar persona edit %s`",
			err, key, draft, key)
	}
	file := card.CardFile(home.Personas(), key)
	if err := os.Remove(draft); err != nil {
		return err
	}
	return reportChanged(inv, home, key, file, before, after)
}

// openDraft writes text to the draft, unless an earlier edit left one.
func openDraft(inv *cli.Invocation, draft string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(draft), 0o700); err != nil {
		return fmt.Errorf("create the directory for drafts: %w", err)
	}
	err := plainfile.WriteNew(draft, text)
	if errors.Is(err, fs.ErrExist) {
		inv.Say("continuing the edit kept in %s", draft)
		return nil
	}
	return err
}

func runEditor(ctx context.Context, inv *cli.Invocation, file string) error {
	words := append(inv.Env.Editor(), file)
	editor := exec.CommandContext(ctx, words[0], words[1:]...)
	editor.Stdin, editor.Stdout, editor.Stderr = inv.In, inv.Out, inv.Errs
	if err := editor.Run(); err != nil {
		return fmt.Errorf("run the editor %s (set EDITOR to choose another): %w", words[0], err)
	}
	return nil
}
