package exports

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/training"
	"familiar/persona/card"
	"familiar/persona/macro"
)

// countRow is a line of the report.
type countRow struct {
	What  string `json:"what"`
	Count int    `json:"count"`
}

func newExportTraining(inv *cli.Invocation) *cobra.Command {
	format := cli.Choice{Of: []string{"chatml", "sharegpt"}}
	var persona, since, out string
	var bare, dry bool
	cmd := &cobra.Command{
		Use: "training", Short: "Export what consenting people and a persona said as training data",
		Long: "Export conversations with a persona as training data, one JSON object a line: chatml has messages with role and content, sharegpt\n" +
			"conversations with from and value. Only people who said /training on are in it. A reply is left out unless everything that the\n" +
			"persona had in front of it comes from people who did: messages, memories, and in a group everybody in the talk. Left out are\n" +
			"also exchanges that name anybody else, quotes, pictures and recordings, replies made with tools, the weeks after somebody was\n" +
			"in danger, commands, imported replies, and replies of a model older than 90 days, since what they were made from is no longer\n" +
			"on record. Names of people become Person 1, Person 2; secrets, links, e-mail addresses, phone numbers and addresses are taken\n" +
			"out. People write in their own words all the same: read the file before you pass it on. The report counts what was left out.",
		Example: "  familiar export training --format chatml --out mira.jsonl\n  familiar export training --format sharegpt --since 2026-01-01 --dry-run",
		Args:    cobra.NoArgs,
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			if format.Value == "" {
				return cli.Usage(cmd, errors.New("choose a format with --format: chatml or sharegpt"))
			}
			c, err := card.LoadCard(cfg.Home.Personas(), cmp.Or(persona, cfg.Persona))
			if err != nil {
				return err
			}
			o := training.Options{Persona: c.Key, Names: []string{c.Name, c.Called()}, Format: training.Formats[format.Value]}
			if o.Since, err = day(since, cfg.Timezone.Location); err != nil {
				return cli.Usage(cmd, err)
			}
			if !bare {
				o.System = c.Filled(macro.Values{User: "you"}).Description
			}
			if dry {
				return exportTo(cmd.Context(), inv, store, o, "", io.Discard)
			}
			return exportTo(cmd.Context(), inv, store, o, out, inv.Out)
		}),
	}
	cli.ChoiceFlag(cmd, &format, "format", "how a conversation is written")
	cli.PersonaFlag(cmd, inv, &persona, "whose conversations, the configured persona if not set")
	cmd.Flags().StringVar(&since, "since", "", "leave out what was said before this `DATE` (2026-01-31)")
	cmd.Flags().StringVar(&out, "out", "", "write to a new `FILE` that only its owner can read, not to standard output")
	cmd.Flags().BoolVar(&bare, "no-system", false, "leave out the description of the persona")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only report what would be written")
	return cmd
}

// day reads a date, the zero time for none.
func day(date string, zone *time.Location) (time.Time, error) {
	if date == "" {
		return time.Time{}, nil
	}
	at, err := time.ParseInLocation(time.DateOnly, date, zone)
	if err != nil {
		return at, fmt.Errorf("%q is not a date: write it as 2026-01-31", date)
	}
	return at, nil
}

// exportTo writes the conversations to a new file, or to w if path is "", and reports what was left out: beside conversations on
// standard error.
func exportTo(ctx context.Context, inv *cli.Invocation, store *memory.Store, o training.Options, path string, w io.Writer) error {
	var report training.Report
	write := func(w io.Writer) (err error) {
		b := bufio.NewWriter(w)
		report, err = store.Training.Export(ctx, b, o)
		return errors.Join(err, b.Flush())
	}
	var err error
	if path == "" {
		err = write(w)
	} else {
		err = cli.WriteNewFile(path, write)
	}
	if err != nil {
		return err
	}
	if report.People == 0 {
		inv.Note("nobody agreed: people do with /training on, in their direct talk")
	}
	rows := []countRow{{"people who agreed", report.People}, {"conversations", report.Conversations}, {"replies", report.Replies}}
	for _, why := range training.Reasons {
		if n := report.LeftOut[why]; n > 0 {
			rows = append(rows, countRow{"left out: " + string(why), n})
		}
	}
	if path != "" || w == io.Discard {
		return cli.Render(inv, rows)
	}
	for _, r := range rows {
		fmt.Fprintf(inv.Errs, "%s: %d\n", r.What, r.Count)
	}
	return nil
}
