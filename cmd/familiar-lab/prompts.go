package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/lab/stories"
	"familiar/internal/lab/virtual"
	"familiar/internal/llm"
	"familiar/persona/modelvoice"
)

// promptFlags are the flags of the verb prompts.
type promptFlags struct {
	bad, live        bool
	show, judge, out string
}

func newPrompts(inv *cli.Invocation) *cobra.Command {
	var flags promptFlags
	cmd := &cobra.Command{
		Use: "prompts FILE…", Short: "Measure what a model is shown, on written stories",
		Long: "Play written stories through the whole program with a scripted model that files what a good reader would file, and measure\n" +
			"the prompt for the last message of each: how many of the vital facts it shows, what is stale, told by somebody else in\n" +
			"private, repeated, or marked inside a quote, how many tokens it has, and how much of it successive prompts share.\n\n" +
			"With --bad-answers the model wraps, breaks and replaces its answers as bad models do, and files false claims with real\n" +
			"quotes. Also measured is then what was said that should not be, how often the plain voice stepped in, and which facts a\n" +
			"false claim displaced.\n\n" +
			"With --live the configured model replies and files, so the persona's turns are its own. A model then judges what it said, and\n" +
			"--out writes all of it. This costs tokens.",
		Example: "  familiar-lab prompts stories.json\n  familiar-lab prompts stories.json --live --judge gpt-5 --out talks.md",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			all, err := stories.Load(files...)
			if err != nil {
				return cli.Usage(cmd, err)
			}
			if err := flags.check(); err != nil {
				return cli.Usage(cmd, err)
			}
			parts, err := flags.parts(inv)
			if err != nil {
				return err
			}
			reports, err := stories.Run(cmd.Context(), parts, all)
			if err != nil {
				return err
			}
			if flags.out != "" {
				err := writeFile(flags.out, func(w io.Writer) error { return stories.Transcripts(w, reports) })
				if err != nil {
					return err
				}
			}
			return renderStories(inv, reports, flags.show)
		},
	}
	cmd.Flags().BoolVar(&flags.bad, "bad-answers", false, "the model gives bad answers and files false claims too")
	cmd.Flags().StringVar(&flags.show, "show", "", "print the prompt of the story with this `ID`")
	cmd.Flags().BoolVar(&flags.live, "live", false, "play with the configured model, and let a model judge what it says")
	cmd.Flags().StringVar(&flags.judge, "judge", "", "the judge: the `NAME` of another model of the provider that does the work; without it, that model judges")
	cmd.Flags().StringVar(&flags.out, "out", "", "with --live: write the talks and the verdicts to `FILE` as Markdown")
	return cmd
}

// check reports flags that exclude each other, and a file that cannot be written.
func (f promptFlags) check() error {
	switch {
	case f.live && f.bad:
		return errors.New("--live and --bad-answers exclude each other")
	case !f.live && (f.judge != "" || f.out != ""):
		return errors.New("--judge and --out need --live")
	case f.out != "":
		return checkWritable("--out", f.out)
	}
	return nil
}

// parts returns what stories are played with.
func (f promptFlags) parts(inv *cli.Invocation) (stories.Parts, error) {
	if f.live {
		return liveParts(inv, f.judge)
	}
	parts := stories.Scripted()
	parts.Bad = f.bad
	return parts, nil
}

// liveParts returns what stories are played with: the default settings with the configured model.
func liveParts(inv *cli.Invocation, judge string) (stories.Parts, error) {
	cfg, err := labConfig(inv)
	if err != nil {
		return stories.Parts{}, err
	}
	work := cfg.Model.ForWork()
	if len(cfg.Model.Talk()) == 0 || len(work) == 0 {
		return stories.Parts{}, errors.New("--live needs a model, but none is configured: see `familiar config show`")
	}
	live := &stories.Live{}
	if judge != "" {
		work[0].Model = judge
		client, err := app.NewModel(cfg, work[0], llm.Settings{Now: inv.Now, Rand: func() float64 { return 0.5 }})
		if err != nil {
			return stories.Parts{}, err
		}
		live.Judge = client
	}
	return stories.Parts{
		Settings: app.EngineSettings(cfg, time.UTC), Live: live,
		Furnish: func(home virtual.Home, _ modelvoice.Model) (virtual.Furniture, error) {
			return virtual.Furnish(cfg, home, (*app.App).Connect)
		},
	}, nil
}

// storyRow is the score of one story.
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

// badRow is the score of one story with bad answers.
type badRow struct {
	storyRow
	stories.BadTotal
}

// liveRow is the score of one story with a real model.
type liveRow struct {
	storyRow
	Judged string `json:"judged,omitempty"`
	Faults int    `json:"faults"`
}

func newStoryRow(r stories.Report) storyRow {
	return storyRow{
		Story: r.Story, Vital: r.Vital, Missing: len(r.Missing), Stale: len(r.Stale), Foreign: len(r.Foreign),
		Repeated: len(r.Repeated), Marked: len(r.Marked), Tokens: r.Tokens, Prefix: r.Prefix,
	}
}

func newBadRow(r stories.Report) badRow {
	return badRow{newStoryRow(r), *stories.Sum([]stories.Report{r}).Bad}
}

func newLiveRow(r stories.Report) liveRow {
	row := liveRow{storyRow: newStoryRow(r), Faults: len(r.Faults)}
	if r.Verdict != nil {
		row.Judged = marksOf(*r.Verdict)
	}
	return row
}

// renderStories shows a row per story and the total, with --json everything. With show, it prints the prompt of that story.
func renderStories(inv *cli.Invocation, reports []stories.Report, show string) error {
	total := stories.Sum(reports)
	if inv.JSON {
		return cli.WriteJSON(inv.Out, map[string]any{"stories": reports, "total": total})
	}
	if show != "" {
		return showPrompt(inv, reports, show)
	}
	for _, r := range reports {
		for _, f := range r.Faults {
			inv.Note("%s: %s", r.Story, f)
		}
		if r.Bad != nil {
			for _, why := range r.Bad.Unfit {
				inv.Note("%s: said %s", r.Story, why)
			}
			for _, fact := range r.Bad.Displaced {
				inv.Note("%s: displaced %s", r.Story, fact)
			}
		}
	}
	var err error
	switch {
	case total.Bad != nil:
		err = cli.RenderEach(inv, reports, newBadRow)
	case total.Judged != nil:
		err = cli.RenderEach(inv, reports, newLiveRow)
	default:
		err = cli.RenderEach(inv, reports, newStoryRow)
	}
	if err != nil {
		return err
	}
	noteTotal(inv, total)
	return nil
}

// showPrompt prints the prompt of a story.
func showPrompt(inv *cli.Invocation, reports []stories.Report, id string) error {
	for _, r := range reports {
		if r.Story == id {
			_, err := io.WriteString(inv.Out, r.Prompt+"\n")
			return err
		}
	}
	return errors.New("there is no story with the id " + id)
}

// noteTotal shows the figures of all stories.
func noteTotal(inv *cli.Invocation, t stories.Total) {
	inv.Note("vital facts shown %.3f, stale %d, foreign %d, repeated %d, marked %d, %.0f tokens, common prefix %.2f",
		t.Vital, t.Stale, t.Foreign, t.Repeated, t.Marked, t.Tokens, t.Prefix)
	if b := t.Bad; b != nil {
		inv.Note("said %d, unfit %d, by the plain voice %d; false claims %d, facts displaced %d, false claims shown without doubt %d",
			b.Said, b.Unfit, b.Makeshift, b.False, b.Displaced, b.FalseShown)
	}
	if j := t.Judged; j != nil {
		marks := fmt.Sprintf("judged %d of %d stories", j.Stories, t.Stories)
		for _, m := range j.Marks {
			marks += fmt.Sprintf(", %s %.2f", m.Of, m.Mean)
		}
		inv.Note("%s", marks)
	}
}
