package main

import (
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/lab/stories"
	"familiar/persona"
	"familiar/persona/modelvoice"
	"familiar/persona/plain"
	"familiar/scheduler"
)

func newPrompts(inv *cli.Invocation) *cobra.Command {
	var bad bool
	var show string
	cmd := &cobra.Command{
		Use: "prompts FILE…", Short: "Measure what a model is shown, on written stories",
		Long: "Play written stories through the whole program with a scripted model that files what a good reader would file, and measure\n" +
			"the prompt for the last message of each: how many of the vital facts it shows, what is stale, told by somebody else in\n" +
			"private, repeated, or marked inside a quote, how many tokens it has, and how much of it successive prompts share.",
		Example: "  familiar-lab prompts stories.json",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			all, err := stories.Load(files...)
			if err != nil {
				return cli.Usage(cmd, err)
			}
			parts := storyParts()
			parts.Bad = bad
			reports, err := stories.Run(cmd.Context(), parts, all)
			if err != nil {
				return err
			}
			return renderStories(inv, reports, show)
		},
	}
	cmd.Flags().BoolVar(&bad, "bad-answers", false, "the model wraps its answers in what bad models write around them")
	cmd.Flags().StringVar(&show, "show", "", "print the prompt of the story with this `ID`")
	return cmd
}

// storyParts returns what stories are played with: the default settings with the scripted model.
func storyParts() stories.Parts {
	cfg := config.Default()
	cfg.Timezone = config.Zone{Location: time.UTC}
	cfg.Model.Provider, cfg.Model.Model = config.OpenAI, "scripted"
	furnish := func(home stories.Home, m modelvoice.Model) (stories.Furniture, error) {
		meter := modelvoice.Meter{Store: home.Store, Persona: home.Card.Key, Now: home.Now, Zone: time.UTC}
		a := &app.App{
			Config: cfg, Card: home.Card, Store: home.Store, Now: home.Now, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		}
		a.Model = modelvoice.Budgeted(meter.For(0, m))
		a.Voice = modelvoice.Fallback(modelvoice.NewVoice(m, meter, app.EngineSettings(cfg, time.UTC).PromptBudget, cfg.Model.MaxTokens), plain.New())
		return stories.Furniture{
			Voice: a.Voice, Model: a.Model,
			Scheduler: func(e *persona.Engine) (*scheduler.Scheduler, error) {
				jobs, err := a.Jobs(e)
				return a.Scheduler(jobs...), err
			},
		}, nil
	}
	return stories.Parts{Settings: app.EngineSettings(cfg, time.UTC), Furnish: furnish}
}

// storyRow is the score of one story, or of all.
type storyRow struct {
	Story    string  `json:"story"`
	Vital    int     `json:"vital"`
	Missing  int     `json:"missing"`
	Stale    int     `json:"stale"`
	Foreign  int     `json:"foreign"`
	Repeated int     `json:"repeated"`
	Marked   int     `json:"marked"`
	Tokens   int     `json:"tokens"`
	Prefix   float64 `json:"prefix"`
}

// renderStories shows a row per story and the total, with --json everything. With show, it prints the prompt of that story.
func renderStories(inv *cli.Invocation, reports []stories.Report, show string) error {
	total := stories.Sum(reports)
	if inv.JSON {
		return cli.WriteJSON(inv.Out, map[string]any{"stories": reports, "total": total})
	}
	rows := make([]storyRow, 0, len(reports)+1)
	for _, r := range reports {
		if r.Story == show {
			_, err := io.WriteString(inv.Out, r.Prompt+"\n")
			return err
		}
		rows = append(rows, storyRow{
			Story: r.Story, Vital: r.Vital, Missing: len(r.Missing), Stale: len(r.Stale), Foreign: len(r.Foreign),
			Repeated: len(r.Repeated), Marked: len(r.Marked), Tokens: r.Tokens, Prefix: r.Prefix,
		})
		for _, f := range r.Faults {
			inv.Note("%s: %s", r.Story, f)
		}
	}
	if show != "" {
		return errors.New("there is no story with the id " + show)
	}
	if err := cli.Render(inv, rows); err != nil {
		return err
	}
	inv.Note("vital facts shown %.3f, stale %d, foreign %d, repeated %d, marked %d, %.0f tokens, common prefix %.2f",
		total.Vital, total.Stale, total.Foreign, total.Repeated, total.Marked, total.Tokens, total.Prefix)
	return nil
}
