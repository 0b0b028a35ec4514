package personas

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/persona/card"
)

// versionRow is one version of a persona.
type versionRow struct {
	Number int       `json:"number"`
	At     time.Time `json:"at"`
	From   string    `json:"from"`
	// Present reports that the persona's file is this version.
	Present bool `json:"present"`
}

func newPersonaHistory(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "history KEY", Short: "List the kept versions of a persona, newest first",
		Long: "List the kept versions of a persona, newest first: the last 50 of what edit, set, import and revert wrote, and of the\n" +
			"changes to the file that `familiar run` noticed. `persona diff` shows what changed, `persona revert` brings one back.",
		Args: cobra.ExactArgs(1), ValidArgsFunction: cli.CompleteKeys(inv),
		RunE: func(_ *cobra.Command, args []string) error {
			home, err := inv.Home()
			if err != nil {
				return err
			}
			all, err := card.Versions(home.Personas(), args[0])
			if err != nil {
				return err
			}
			now, _, err := card.CardText(home.Personas(), args[0])
			if err != nil && len(all) == 0 {
				return err
			}
			var rows []versionRow
			present := false
			for _, v := range slices.Backward(all) {
				text, err := v.Text()
				if err != nil {
					return err
				}
				first := !present && bytes.Equal(text, now)
				present = present || first
				rows = append(rows, versionRow{v.Number, v.At, string(v.Change), first})
			}
			return cli.Render(inv, rows)
		},
	}
}

func newPersonaDiff(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "diff KEY [A] [B]", Short: "Show what changed between two versions of a persona",
		Long: "Show what changed between two versions of a persona: by default from the last other version to the present file, with A\n" +
			"from that version to the present file. A and B are numbers that `persona history` lists.",
		Args: cobra.RangeArgs(1, 3), ValidArgsFunction: cli.CompleteKeys(inv),
		RunE: func(cmd *cobra.Command, args []string) error {
			home, err := inv.Home()
			if err != nil {
				return err
			}
			changed, err := diffPersona(cmd, home, args[0], args[1:])
			if err != nil {
				return err
			}
			if inv.JSON {
				return cli.WriteJSON(inv.Out, struct {
					Diff string `json:"diff"`
				}{string(changed)})
			}
			if len(changed) == 0 {
				inv.Say("no difference")
			}
			_, err = inv.Out.Write(changed)
			return err
		},
	}
}

func diffPersona(cmd *cobra.Command, home config.Home, key string, numbers []string) ([]byte, error) {
	now, file, err := card.CardText(home.Personas(), key)
	if err != nil && len(numbers) < 2 {
		return nil, err
	}
	texts, names := [2][]byte{now, now}, [2]string{file, file}
	if len(numbers) == 0 {
		if texts[0], names[0], err = lastOther(home, key, now); err != nil {
			return nil, err
		}
	}
	for i, number := range numbers {
		if texts[i], names[i], err = versionText(cmd, home, key, number); err != nil {
			return nil, err
		}
	}
	return diff.Diff(names[0], texts[0], names[1], texts[1]), nil
}

// lastOther returns the newest version that differs from the present text.
func lastOther(home config.Home, key string, now []byte) (text []byte, name string, err error) {
	all, err := card.Versions(home.Personas(), key)
	if err != nil {
		return nil, "", err
	}
	for _, v := range slices.Backward(all) {
		if text, err = v.Text(); err != nil || !bytes.Equal(text, now) {
			return text, versionName(key, v), err
		}
	}
	return nil, "", fmt.Errorf("%w: no other version of %s is kept", card.ErrNoCard, key)
}

// versionText returns the version of a persona with a number as it was typed.
func versionText(cmd *cobra.Command, home config.Home, key, number string) (text []byte, name string, err error) {
	n, err := strconv.Atoi(number)
	if err != nil {
		return nil, "", cli.Usage(cmd, errors.New("a version is a number that `familiar persona history` lists, not "+strconv.Quote(number)))
	}
	v, err := card.FindVersion(home.Personas(), key, n)
	if err != nil {
		return nil, "", err
	}
	text, err = v.Text()
	return text, versionName(key, v), err
}

func versionName(key string, v card.Version) string {
	return fmt.Sprintf("%s, version %d of %s (%s)", key, v.Number, v.At.Format(time.DateTime), v.Change)
}
