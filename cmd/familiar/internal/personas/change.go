package personas

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/persona/card"
)

func newPersonaSet(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "set KEY FIELD=VALUE…", Short: "Set fields of a persona",
		Long: "Set fields of a persona, all or none; everything else in the file stays as it is, comments included. The fields are those\n" +
			"of the file. Lists are written as in YAML, one trait or sector as traits.NAME=NUMBER; an empty value removes a list or a\n" +
			"number. Setting a field of a built-in persona creates your own copy. The version before is kept: see `persona history`.",
		Example: "  familiar persona set mira voice='Short sentences.' traits.warm=0.9\n" +
			"  familiar persona set mira values='[patience, \"a plain answer\"]' world_facts=false",
		Args: cobra.MinimumNArgs(2), ValidArgsFunction: cli.CompleteKeys(inv),
		RunE: func(cmd *cobra.Command, args []string) error {
			home, err := inv.Home()
			if err != nil {
				return err
			}
			return setPersona(cmd, inv, home, args[0], args[1:])
		},
	}
}

func setPersona(cmd *cobra.Command, inv *cli.Invocation, home config.Home, key string, fields []string) error {
	before, file, err := card.CardText(home.Personas(), key)
	if err != nil {
		return err
	}
	after := before
	for _, f := range fields {
		field, value, ok := strings.Cut(f, "=")
		if !ok {
			return cli.Usage(cmd, fmt.Errorf("%q sets nothing: write FIELD=VALUE", f))
		}
		if after, err = card.SetField(file, after, field, value); err != nil {
			return err
		}
	}
	if bytes.Equal(before, after) {
		inv.Say("%s is unchanged", key)
		return nil
	}
	if err := home.Create(); err != nil {
		return err
	}
	if file, err = card.Replace(cmd.Context(), home.Personas(), key, before, after, card.Set, inv.Now()); err != nil {
		return fmt.Errorf("%w\nthe persona %s is unchanged", err, key)
	}
	return reportChanged(inv, home, key, file, before, after)
}

// reportChanged prints which file was written, and when a running bot uses it.
func reportChanged(inv *cli.Invocation, home config.Home, key, file string, before, after []byte) error {
	if err := cli.ReportWritten(inv, file); err != nil {
		return err
	}
	if !app.IsServed(home.Lock()) {
		return nil
	}
	if cfg, err := inv.Config(); err == nil && !slices.Contains(cfg.Served(), key) {
		inv.Say("the running bot does not serve %s", key)
		return nil
	}
	inv.Say("the running bot uses it within %d seconds", int(2*card.WatchEvery.Seconds()))
	if old, err := card.ParseCard(file, before); err == nil {
		if now, err := card.ParseCard(file, after); err == nil && !maps.Equal(old.Rates, now.Rates) {
			inv.Say("how fast memories fade: what is stored already keeps the day on which it is forgotten")
		}
	}
	return nil
}

func newPersonaClone(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "clone KEY NEW", Short: "Create a persona as a copy of another, without its memories",
		Long: "Create a persona as a copy of another: the same character under a name made from the new key. Memories are not copied:\n" +
			"what people told one persona is not for another.",
		Args: cobra.ExactArgs(2), ValidArgsFunction: cli.CompleteKeys(inv),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !card.ValidKey(args[1]) {
				return cli.Usage(cmd, invalidKey(args[1]))
			}
			return createPersona(inv, args[1], args[0])
		},
	}
}

func invalidKey(key string) error {
	return fmt.Errorf("%q is not a valid key: use up to 40 characters of a–z, 0–9 and -", key)
}

func newPersonaRevert(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "revert KEY NUMBER", Short: "Bring back an earlier version of a persona",
		Long: "Bring back a version that `familiar persona history` lists. The present one is kept in the history.",
		Args: cobra.ExactArgs(2), ValidArgsFunction: cli.CompleteKeys(inv),
		RunE: func(cmd *cobra.Command, args []string) error {
			home, err := inv.Home()
			if err != nil {
				return err
			}
			text, _, err := versionText(cmd, home, args[0], args[1])
			if err != nil {
				return err
			}
			before, _, err := card.CardText(home.Personas(), args[0])
			if err != nil && !errors.Is(err, card.ErrNoCard) { // its file may be gone
				return err
			}
			file, err := card.Replace(cmd.Context(), home.Personas(), args[0], before, text, card.Reverted, inv.Now())
			if err != nil {
				return fmt.Errorf("%w\nthe persona %s is unchanged", err, args[0])
			}
			return reportChanged(inv, home, args[0], file, before, text)
		},
	}
}
