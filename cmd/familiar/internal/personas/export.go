package personas

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"familiar/internal/cli"
	"familiar/internal/plainfile"
	"familiar/persona/character"
	"familiar/persona/edit"
)

func newPersonaExport(inv *cli.Invocation) *cobra.Command {
	spec := cli.Choice{Of: []string{character.V2.String(), character.V3.String()}}
	var to string
	cmd := &cobra.Command{
		Use: "export KEY", Short: "Write a persona as a character card",
		Long: "Write a persona as a character card, in the format that the file name ends in: .json, .png, .charx, or .yaml for the\n" +
			"persona file itself. A persona that was made from a card is written as that card with what was changed since: everything\n" +
			"else that the card had is in it, and the picture is the same. An image has the versions 2 and 3, an archive version 3; JSON\n" +
			"has the original's version, or the one that --spec names. What a card has no field for, such as values and limits, goes\n" +
			"into its personality. Memories are not exported.",
		Example: "  familiar persona export mira --to Mira.png\n  familiar persona export nell --to nell.json --spec v2",
		Args:    cobra.ExactArgs(1), ValidArgsFunction: cli.CompleteKeys(inv),
		RunE: func(cmd *cobra.Command, args []string) error {
			format := strings.TrimPrefix(strings.ToLower(filepath.Ext(to)), ".")
			switch {
			case to == "":
				return cli.Usage(cmd, errors.New("name the file with --to, ending in .json, .png, .charx or .yaml"))
			case !edit.IsFormat(format):
				return cli.Usage(cmd, fmt.Errorf("%s must end in .json, .png, .charx or .yaml", to))
			case spec.Value != "" && format != string(character.JSON):
				return cli.Usage(cmd, errors.New("--spec is for .json: images have both versions, archives version 3"))
			}
			return exportPersona(inv, args[0], to, format, spec.Value)
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "the new `FILE`")
	cli.ChoiceFlag(cmd, &spec, "spec", "the version of the card")
	return cmd
}

func exportPersona(inv *cli.Invocation, key, to, format, spec string) error {
	home, err := inv.Home()
	if err != nil {
		return err
	}
	var version character.Spec
	switch spec {
	case character.V2.String():
		version = character.V2
	case character.V3.String():
		version = character.V3
	}
	data, err := edit.Export(home.Personas(), key, format, version)
	if err != nil {
		return err
	}
	if err := plainfile.WriteNew(to, data); err != nil {
		return fmt.Errorf("export the persona %s: %w", key, err)
	}
	return cli.ReportWritten(inv, to)
}
