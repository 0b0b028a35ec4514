package personas

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"familiar/internal/cli"
	"familiar/internal/plainfile"
	"familiar/persona/card"
	"familiar/persona/character"
	"familiar/persona/edit"
)

func newPersonaImport(inv *cli.Invocation) *cobra.Command {
	var as string
	var yes, dry bool
	cmd := &cobra.Command{
		Use: "import FILE", Short: "Make a persona from a character card",
		Long: "Make a persona from a character card: version 1, 2 or 3, as JSON, in a PNG or APNG image, or as a CHARX archive. A persona\n" +
			"file (.yaml) is taken too. First it shows what goes where, what is kept without being used and what was wrong, and asks.\n" +
			"It makes a persona file, a file with the lorebook beside it, and keeps the original card, so that an export loses nothing.\n" +
			"Nothing is overwritten, nothing that the card names on the network is fetched, and a card that cannot be read leaves\n" +
			"nothing behind.",
		Example: "  familiar persona import Mira.png --dry-run\n  familiar persona import Mira.charx --as mira --yes",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if as != "" && !card.ValidKey(as) {
				return cli.Usage(cmd, fmt.Errorf("%q is not a valid key: use up to 40 characters of a–z, 0–9 and -", as))
			}
			if !yes && !dry && !inv.Interactive {
				return cli.Usage(cmd, errors.New("nobody can be asked here: look with --dry-run, then import with --yes"))
			}
			return importPersona(cmd.Context(), inv, args[0], as, yes, dry)
		},
	}
	cmd.Flags().StringVar(&as, "as", "", "the `KEY` of the persona (default: made from the name)")
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only show what would be made")
	return cmd
}

// importPersona plans, shows, asks and writes.
func importPersona(ctx context.Context, inv *cli.Invocation, path, as string, yes, dry bool) error {
	home, err := inv.Home()
	if err != nil {
		return err
	}
	data, err := plainfile.Read(path, character.MaxFile)
	if err != nil {
		return fmt.Errorf("import a persona: %w", err)
	}
	plan, err := edit.Plan(home.Personas(), path, data, as)
	if err == nil {
		err = plan.New()
	}
	if err != nil {
		return err
	}
	if !inv.JSON || dry {
		if err := cli.Render(inv, plan.Parts); err != nil {
			return err
		}
	}
	if dry {
		return nil
	}
	if !yes {
		if err := cli.Confirm(ctx, inv, "Make the persona "+plan.Key+"?"); err != nil {
			return err
		}
	}
	if err := home.Create(); err != nil {
		return err
	}
	if err := plan.Write(inv.Now()); err != nil {
		return err
	}
	if inv.JSON {
		return cli.Render(inv, plan.Parts)
	}
	for _, path := range plan.Files() {
		inv.Say("wrote %s", path)
	}
	inv.Say("speak with it: familiar chat --persona %s", plan.Key)
	return nil
}
