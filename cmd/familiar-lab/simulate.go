package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/lab/place"
	"familiar/internal/lab/simulate"
	"familiar/memory"
	"familiar/memory/model"
	"familiar/persona/plain"
)

func newSimulate(inv *cli.Invocation) *cobra.Command {
	days, people, price := cli.Count(365), cli.Count(20), price{In: 0.15, Out: 0.60}
	var seed uint64
	var chart, report, keep string
	var strict bool
	cmd := &cobra.Command{
		Use: "simulate", Short: "Simulate a year in a minute and check what is remembered", Args: cobra.NoArgs,
		Long: "Simulate a year in a minute and check what is remembered. People generated from a seed talk with the default persona:\n" +
			"they talk about themselves, move, change jobs, correct themselves, stay away for weeks, meet in a group, and ask about\n" +
			"what they said. Everything except the clock is real: the engine, the plain voice, the scheduled jobs, and a temporary\n" +
			"database. The same seed always gives the same report. --json lists every answer that was not right.",
		Example: "  familiar-lab simulate --days 30 --people 5\n  familiar-lab simulate --chart year.svg --report reports/year.json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if chart != "" {
				if err := checkChart(chart); err != nil {
					return cli.Usage(cmd, err)
				}
			}
			if err := checkReport(report); err != nil {
				return cli.Usage(cmd, err)
			}
			dir, drop, err := simulationDir(keep)
			if err != nil {
				return err
			}
			defer drop()
			r, err := runSimulation(cmd.Context(), inv, dir, simulate.Settings{
				Days: int(days), People: int(people), Seed: seed, Price: simulate.Price(price),
			})
			if err != nil {
				return err
			}
			if err := keepReport(report, r.File); err != nil {
				return err
			}
			if err := renderSimulation(inv, r, chart); err != nil {
				return err
			}
			if stale, foreign := r.Served(); strict && stale+foreign > 0 {
				return fmt.Errorf("%d stale and %d foreign facts were used: --json lists them", stale, foreign)
			}
			return nil
		},
	}
	cmd.Flags().Var(&days, "days", "number of days")
	cmd.Flags().Var(&people, "people", "number of people")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "the `NUMBER` from which people and their lives are generated")
	cmd.Flags().StringVar(&chart, "chart", "", "draw memories, trust and knowledge per week to `FILE`, an .svg")
	reportFlag(cmd, &report)
	cmd.Flags().Var(&price, "model-price", "a model's prices per million input and output tokens, to estimate its cost")
	cmd.Flags().StringVar(&keep, "keep", "", "keep the database, or a copy of that on a server, in the new or empty `DIR`, a home that familiar --home can open")
	cmd.Flags().BoolVar(&strict, "strict", false, "fail if a stale or foreign fact was used")
	return cmd
}

// checkChart reports whether a chart can be written to path, before the simulation starts.
func checkChart(path string) error {
	if err := simulate.CheckChart(path); err != nil {
		return fmt.Errorf("--chart: %w", err)
	}
	return checkWritable("--chart", path)
}

// checkWritable reports whether the file named by a flag can be written, before the work that fills it.
func checkWritable(flag, path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644) //nolint:gosec // the operator names the file to be written
	if err != nil {
		return fmt.Errorf("%s: %w: name a writable file", flag, err)
	}
	return f.Close()
}

// renderSimulation shows a report and draws its chart, "" for none.
func renderSimulation(inv *cli.Invocation, r simulate.Report, chart string) error {
	if chart != "" {
		if err := writeFile(chart, r.Chart); err != nil {
			return err
		}
	}
	if inv.JSON {
		return cli.WriteJSON(inv.Out, r)
	}
	return cli.Render(inv, r.Summary())
}

// simulationDir returns the directory for the database: keep, or a temporary one that drop removes.
func simulationDir(keep string) (dir string, drop func(), err error) {
	if keep == "" {
		dir, err := os.MkdirTemp("", "familiar-simulate-")
		if err != nil {
			return "", nil, fmt.Errorf("create a directory for the simulation: %w", err)
		}
		return dir, func() { _ = os.RemoveAll(dir) }, nil // what is left behind is in the system's own place for it
	}
	if err := os.MkdirAll(keep, 0o700); err != nil {
		return "", nil, fmt.Errorf("--keep: %w", err)
	}
	left, err := os.ReadDir(keep)
	if err != nil {
		return "", nil, fmt.Errorf("--keep: %w", err)
	}
	if len(left) > 0 {
		return "", nil, fmt.Errorf("--keep: %s is not empty: name a new directory", keep)
	}
	return keep, func() {}, nil
}

// runSimulation runs s with its database in dir.
func runSimulation(ctx context.Context, inv *cli.Invocation, dir string, s simulate.Settings) (r simulate.Report, err error) {
	// Each step waits for the previous one: switching cores takes half as long again.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	cfg := config.Default()
	cfg.Timezone.Location, cfg.Debounce.Quiet = time.UTC, 0 // the clock stands still during a reply
	s.Budget, s.Longest = app.EngineSettings(cfg, time.UTC).PromptBudget, cfg.Model.MaxTokens
	world, err := simulate.New(s)
	if err != nil {
		return r, err
	}
	a := &app.App{Config: cfg, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: world.Now}
	if a.Card, err = benchCard(); err != nil {
		return r, err
	}
	address, remove, err := place.New(ctx, dir)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	a.Store, err = memory.Open(ctx, address, memory.Options{
		Now: a.Now, ForgetBelow: cfg.Memory.ForgetBelow, DecayRates: map[string]model.Rates{a.Card.Key: a.Card.Rates}, NoSync: true,
	})
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, a.Store.Close()) }()
	if r, err = simulateIn(ctx, a, world); err == nil && place.IsServer(address) {
		err = a.Store.Backup(ctx, filepath.Join(dir, "familiar.db"))
	}
	return r, err
}

// simulateIn runs the application in a simulated world.
func simulateIn(ctx context.Context, a *app.App, world *simulate.World) (simulate.Report, error) {
	a.Store.Recall.SetLanguage(a.Card.Key, a.Card.Language)
	voice := world.Voice(plain.New(), a.Store, a.Card.Key)
	a.Voice = voice
	settings := a.Settings()
	settings.InOrder = true
	settings.AnswersPerMinute = 0                           // its clock does not pass by itself
	settings.Proactive.Channels[world.Channel().Name()] = 0 // as on any network
	engine := a.Engine(settings, world.Channel())
	jobs, err := a.Jobs(engine)
	if err != nil {
		return simulate.Report{}, err
	}
	parts := simulate.Parts{Persona: a.Card.Key, Store: a.Store, Engine: engine, Voice: voice, Mood: func(ctx context.Context) (float64, float64, error) { return currentMood(ctx, a) }}
	for _, j := range jobs {
		parts.Jobs = append(parts.Jobs, simulate.Job{
			Name: j.Name, Next: j.Schedule.Next,
			Run: func(ctx context.Context, due time.Time) error {
				_, err := a.Scheduler(j).RunOnce(ctx, j, due)
				return err
			},
		})
	}
	return world.Live(ctx, parts)
}

// currentMood returns the persona's current mood, neutral before its first session.
func currentMood(ctx context.Context, a *app.App) (valence, energy float64, err error) {
	m, err := a.Store.Turns.MoodAt(ctx, a.Card.Key, a.Now())
	if errors.Is(err, memory.ErrNotFound) {
		return 0, 0, nil
	}
	return m.Valence, m.Energy, err
}

// price is a flag for the prices of a model.
type price simulate.Price

// String returns the prices in the format of the flag.
func (p *price) String() string { return fmt.Sprintf("%g/%g", p.In, p.Out) }

// Type returns the placeholder for the value in help.
func (p *price) Type() string { return "IN/OUT" }

// Set parses prices such as "0.15/0.60".
func (p *price) Set(word string) error {
	in, out, two := strings.Cut(word, "/")
	read, err := strconv.ParseFloat(in, 64)
	written, err2 := strconv.ParseFloat(out, 64)
	if !two || err != nil || err2 != nil || !(read >= 0 && written >= 0) || read+written > 1e6 {
		return errors.New("use two prices per million tokens, such as 0.15/0.60")
	}
	*p = price{In: read, Out: written}
	return nil
}
