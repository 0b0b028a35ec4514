package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"familiar/channels"
	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/lab/talk"
	"familiar/internal/spelling"
	"familiar/memory"
	"familiar/memory/model"
	"familiar/persona"
	"familiar/persona/card"
)

// unrecalled selects answers whose told line was not recalled; the other words of --show are scores.
const unrecalled = "unrecalled"

// talkNow is when probes ask, unless --now says otherwise: a fixed time, so that two runs print the same.
var talkNow = time.Date(2026, time.June, 17, 20, 0, 0, 0, time.UTC)

// talkFlags are the flags of talk.
type talkFlags struct {
	days   int
	kind   string
	show   []string
	recall bool
	now    string
}

func newTalk(inv *cli.Invocation) *cobra.Command {
	var f talkFlags
	cmd := &cobra.Command{
		Use: "talk FILE…", Short: "Tell the persona something, ask for it in other words, and score the answers", Args: cobra.MinimumNArgs(1),
		Long: "Tell the persona something, ask for it in other words, and score the answers. Each probe is played to the default\n" +
			"persona in a temporary home of its own, on a simulated clock. If a model or an embedder is configured, it is used.\n\n" +
			"A file is a JSON list of probes:\n\n" +
			`  {"id": "1", "cat": "pets", "who": "Ann", "ago": null, "fill": 2, "told": ["Rex ate my shoe"],` + "\n" +
			`   "asks": [["what did the dog chew?", "shoe", "sock"]]}` + "\n\n" +
			"ago is null or says for each message how many days ago it was told, fill is the number of messages without content before\n" +
			"the questions. A question is followed by two regular expressions: what a right answer contains, and what it must not\n" +
			"contain. UNKNOWN as an alternative of the first asks for an honest \"I don't know\".\n\n" +
			"The table shows for each kind of probe how many answers are\n\n" +
			"  direct    right in the persona's own words\n" +
			"  quote     right, but only in a quotation\n" +
			"  hedge     a denial, then a quotation that holds the answer\n" +
			"  unknown   a denial of what was told\n" +
			"  wrong     forbidden\n" +
			"  nonsense  anything else\n" +
			"  none      missing",
		Example: "  familiar-lab talk probes.json\n" +
			"  familiar-lab talk probes.json --days 6 --recall\n" +
			"  familiar-lab talk probes.json --kind pets --show wrong,nonsense",
		RunE: func(cmd *cobra.Command, files []string) error {
			now, err := f.check()
			if err != nil {
				return cli.Usage(cmd, err)
			}
			probes, err := talk.Read(files...)
			if err != nil {
				return err
			}
			if probes, err = ofKind(probes, f.kind); err != nil {
				return cli.Usage(cmd, err)
			}
			open, err := talkHomes(inv)
			if err != nil {
				return err
			}
			report, err := talk.Run(cmd.Context(), talk.Parts{Open: open, Now: now, Days: f.days, Recall: f.recall}, probes)
			if err != nil {
				return err
			}
			return renderTalk(inv, report, f.show)
		},
	}
	cmd.Flags().IntVar(&f.days, "days", 0, "tell everything this `NUMBER` of days before, run the nightly jobs, and greet before asking")
	cmd.Flags().StringVar(&f.kind, "kind", "", "play only the probes of this `KIND`")
	cmd.Flags().StringSliceVar(&f.show, "show", nil, "also show the answers with these `SCORES`, and with --recall those that are unrecalled")
	cmd.Flags().BoolVar(&f.recall, "recall", false, "also count how often the told line is among the first three memories recalled")
	cmd.Flags().StringVar(&f.now, "now", talkNow.Format(time.RFC3339), "the `TIME` of the questions")
	cli.Complete(cmd, "show", cobra.FixedCompletions(shown(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// shown returns the words that --show takes.
func shown() []string { return append(cli.Strings(talk.Scores), unrecalled) }

// check returns the time of the questions, and the first flag that is wrong.
func (f talkFlags) check() (now time.Time, err error) {
	if f.days < 0 {
		return now, fmt.Errorf("--days %d: use 0 or more", f.days)
	}
	for _, word := range f.show {
		choice := cli.Choice{Of: shown()}
		if err := choice.Set(word); err != nil {
			return now, fmt.Errorf("--show %s: %w", word, err)
		}
	}
	if slices.Contains(f.show, unrecalled) && !f.recall {
		return now, errors.New("--show unrecalled: add --recall, which measures it")
	}
	if now, err = time.Parse(time.RFC3339, f.now); err != nil {
		return now, fmt.Errorf("--now %q: write it like %s", f.now, talkNow.Format(time.RFC3339))
	}
	return now.UTC(), nil
}

// ofKind returns the probes of a kind, all for "".
func ofKind(probes []talk.Probe, kind string) (some []talk.Probe, err error) {
	var kinds []string
	for _, p := range probes {
		if kind == "" || p.Kind == kind {
			some = append(some, p)
		}
		kinds = append(kinds, p.Kind)
	}
	if len(some) > 0 {
		return some, nil
	}
	if near := spelling.Nearest(kind, kinds); near != "" {
		return nil, fmt.Errorf("--kind %s: did you mean %q?", kind, near)
	}
	slices.Sort(kinds)
	return nil, fmt.Errorf("--kind %s: use one of %s", kind, strings.Join(slices.Compact(kinds), ", "))
}

// talkHomes returns the function that opens the home of a probe: the default persona and settings with the configured
// model and embedder.
func talkHomes(inv *cli.Invocation) (func(context.Context, string, func() time.Time) (talk.Home, error), error) {
	cfg, err := labConfig(inv)
	if err != nil {
		return nil, err
	}
	card, err := benchCard()
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, dir string, now func() time.Time) (talk.Home, error) {
		return openTalkHome(ctx, cfg, card, dir, now)
	}, nil
}

// openTalkHome opens a store in dir and connects everything to it.
func openTalkHome(ctx context.Context, cfg *config.Config, card *card.Card, dir string, now func() time.Time) (talk.Home, error) {
	store, err := memory.Open(ctx, filepath.Join(dir, "familiar.db"), memory.Options{
		Now: now, ForgetBelow: cfg.Memory.ForgetBelow, DecayRates: map[string]model.Rates{card.Key: card.Rates}, NoSync: true,
	})
	if err != nil {
		return talk.Home{}, err
	}
	store.Recall.SetLanguage(card.Key, card.Language)
	a := &app.App{Config: cfg, Card: card, Store: store, Log: slog.New(slog.DiscardHandler), Now: now}
	if err := a.Connect(); err != nil {
		return talk.Home{}, errors.Join(err, store.Close())
	}
	settings := a.Settings()
	settings.Quiet, settings.AnswersPerMinute = 0, 0 // the clock stands still during a reply
	return talk.Home{
		Card: card, Store: store, Settings: settings,
		Engine:     func(c channels.Channel) *persona.Engine { return a.Engine(settings, c) },
		RunJob:     func(ctx context.Context, name string) error { return runTalkJob(ctx, a, name) },
		Embed:      func(ctx context.Context) error { return embedAll(ctx, a) },
		EmbedQuery: a.EmbedQuery,
	}, nil
}

// runTalkJob runs a job as `familiar job run` does. A job that needs what is not configured is skipped.
func runTalkJob(ctx context.Context, a *app.App, name string) error {
	t, err := a.FindTask(name)
	if err != nil || t.Needs != "" {
		return err
	}
	job, err := a.Job(t)
	if err != nil {
		return err
	}
	_, err = a.Scheduler().RunOnce(ctx, job, a.Now())
	return err
}

// embedAll computes missing vectors, as the serving process does in the background.
func embedAll(ctx context.Context, a *app.App) error {
	if a.EmbedWorker == nil {
		return nil
	}
	_, err := a.EmbedWorker.EmbedOnce(ctx)
	return err
}
