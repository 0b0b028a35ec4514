package main

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/lab/compare"
	"familiar/internal/lab/virtual"
	"familiar/prompts"
	"familiar/web/simulate/report"
)

func newCompare(inv *cli.Invocation) *cobra.Command {
	var out, kept string
	budget := cli.Count(compare.DefaultBudget)
	cmd := &cobra.Command{
		Use: "compare [SCENARIO…]", Short: "Compare the persona with two simpler memories on scripted stories",
		Long: "Compare the persona with two simpler memories on scripted stories: one that knows only the current conversation, and one\n" +
			"that searches everything that was ever said. The result shows what each has in its context when a person returns: how\n" +
			"many of the facts that it should know, and which are stale, wrong or about somebody else. Each story uses a temporary\n" +
			"home. If a model is configured, it writes the replies and judges them.",
		Example: "  familiar-lab compare bartender archivist --out compare.md",
		RunE: func(cmd *cobra.Command, names []string) error {
			scenarios, err := compare.Load(names...)
			if err != nil {
				return cli.Usage(cmd, err)
			}
			parts, err := compareParts(inv, int(budget))
			if err != nil {
				return err
			}
			if out != "" {
				if err := checkWritable("--out", out); err != nil {
					return cli.Usage(cmd, err)
				}
			}
			if err := checkReport(kept); err != nil {
				return cli.Usage(cmd, err)
			}
			reports, err := compare.Run(cmd.Context(), parts, scenarios)
			if err != nil {
				return err
			}
			if out != "" {
				if err := writeFile(out, func(w io.Writer) error { return compare.Markdown(w, reports) }); err != nil {
					return err
				}
			}
			if err := keepReport(kept, func() report.Report { return compare.File(reports) }); err != nil {
				return err
			}
			return renderCompared(inv, reports)
		},
		ValidArgsFunction: cobra.FixedCompletions(cli.Strings(compare.Names()), cobra.ShellCompDirectiveNoFileComp),
	}
	cmd.Flags().StringVar(&out, "out", "", "write all messages and contexts to `FILE` as Markdown")
	reportFlag(cmd, &kept)
	cmd.Flags().Var(&budget, "budget", "number of tokens of each context to examine")
	return cmd
}

// compareParts returns what stories are played with: the default settings with the configured model and embedder.
func compareParts(inv *cli.Invocation, budget int) (compare.Parts, error) {
	cfg, err := labConfig(inv)
	if err != nil {
		return compare.Parts{}, err
	}
	return compare.Parts{Budget: budget, Parts: virtual.Parts{
		Settings: app.EngineSettings(cfg, time.UTC),
		Furnish: func(home virtual.Home) (virtual.Furniture, error) {
			return virtual.Furnish(cfg, home, (*app.App).Connect)
		},
	}}, nil
}

// comparedRow is the score of one memory in one story.
type comparedRow struct {
	Scenario string `json:"scenario"`
	Mode     string `json:"mode"`
	compare.Score
	Judged string `json:"judged,omitempty"`
	Fault  string `json:"fault,omitempty"`
}

// marksOf returns the marks of a verdict in order.
func marksOf(v prompts.Verdict) string {
	var marks []string
	for _, m := range v.Marks() {
		marks = append(marks, strconv.Itoa(m.Given))
	}
	return strings.Join(marks, " ")
}

// renderCompared shows the figures, with --json everything.
func renderCompared(inv *cli.Invocation, reports []compare.Report) error {
	if inv.JSON {
		return cli.WriteJSON(inv.Out, reports)
	}
	var rows []comparedRow
	for _, r := range reports {
		for _, m := range r.Modes {
			row := comparedRow{Scenario: r.Scenario, Mode: m.Mode, Score: m.Score, Fault: m.Fault}
			if v := m.Verdict; v != nil {
				row.Judged = marksOf(*v)
			}
			rows = append(rows, row)
		}
		for _, f := range r.Faults {
			inv.Note("%s: %s", r.Scenario, f)
		}
	}
	return cli.Render(inv, rows)
}
