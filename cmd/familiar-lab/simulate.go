package main

import (
	"bytes"
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
	"familiar/internal/lab/simulate"
	"familiar/memory"
	"familiar/memory/model"
	"familiar/persona/plain"
)

func newSimulate(inv *cli.Invocation) *cobra.Command {
	days, people, price := cli.Count(365), cli.Count(20), price{In: 0.15, Out: 0.60}
	var seed uint64
	var chart string
	var strict bool
	cmd := &cobra.Command{
		Use: "simulate", Short: "Live through a year in a minute, and see what is remembered of it", Args: cobra.NoArgs,
		Long: "Live through a year in a minute, and see what is remembered of it. People made up from a seed talk with the persona\n" +
			"everybody starts with: they tell of themselves, move, change jobs, correct themselves, stay away for weeks, meet in a\n" +
			"group, and ask what they told. Everything but the clock is real: the engine, the plain voice, the jobs when they are\n" +
			"due, and a store of its own that is thrown away. One seed gives the same report each time. --json lists every answer\n" +
			"that was not right.",
		Example: "  familiar-lab simulate --days 30 --people 5\n  familiar-lab simulate --chart year.svg",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if chart != "" {
				if err := checkChart(chart); err != nil {
					return cli.Usage(cmd, err)
				}
			}
			r, err := runSimulation(cmd.Context(), inv, simulate.Settings{
				Days: int(days), People: int(people), Seed: seed, Price: simulate.Price(price),
			})
			if err != nil {
				return err
			}
			if err := showLife(inv, r, chart); err != nil {
				return err
			}
			if stale, foreign := r.Served(); strict && stale+foreign > 0 {
				return fmt.Errorf("%d stale and %d foreign facts were served: --json lists them", stale, foreign)
			}
			return nil
		},
	}
	cmd.Flags().Var(&days, "days", "how many days")
	cmd.Flags().Var(&people, "people", "how many people")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "the `NUMBER` that people and lives are made up from")
	cmd.Flags().StringVar(&chart, "chart", "", "draw memories, trust and what is known week by week to `FILE`, .svg or .png")
	cmd.Flags().Var(&price, "model-price", "what a model costs for a million tokens read and written, to estimate what it would have cost")
	cmd.Flags().BoolVar(&strict, "strict", false, "fail when a stale or a foreign fact was served")
	return cmd
}

// checkChart says whether a chart can be drawn to path, before a year is lived for it.
func checkChart(path string) error {
	if err := simulate.CheckChart(path); err != nil {
		return fmt.Errorf("--chart: %w", err)
	}
	return checkWritable("--chart", path)
}

// checkWritable says whether the file that a flag names can be written, before the work is done that is to fill it.
func checkWritable(flag, path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644) //nolint:gosec // the operator names the file to be written
	if err != nil {
		return fmt.Errorf("%s: %w: name a file that can be written", flag, err)
	}
	return f.Close()
}

// showLife shows a report and draws its chart, "" for none.
func showLife(inv *cli.Invocation, r simulate.Report, chart string) error {
	if chart != "" {
		var drawn bytes.Buffer
		if err := r.Chart(&drawn, chart); err != nil {
			return err
		}
		if err := os.WriteFile(chart, drawn.Bytes(), 0o644); err != nil {
			return fmt.Errorf("write the chart: %w", err)
		}
	}
	if inv.JSON {
		return cli.WriteJSON(inv.Out, r)
	}
	return cli.Render(inv, r.Summary())
}

// simulate lives through s in a store of its own, which is thrown away.
func runSimulation(ctx context.Context, inv *cli.Invocation, s simulate.Settings) (r simulate.Report, err error) {
	// Everything waits for the step before it: handing each from core to core takes half as long again.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	cfg := config.Default()
	cfg.Timezone.Location, cfg.Debounce.Quiet = time.UTC, 0 // the clock stands still while somebody is answered
	s.Budget, s.Longest = cfg.Model.ContextTokens-cfg.Model.MaxTokens, cfg.Model.MaxTokens
	world, err := simulate.New(s)
	if err != nil {
		return r, err
	}
	dir, err := os.MkdirTemp("", "familiar-simulate-")
	if err != nil {
		return r, fmt.Errorf("make a directory for the simulation: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what a simulation leaves behind is in the system's own place for it
	a := &app.App{Config: cfg, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: world.Now}
	if a.Card, err = benchCard(); err != nil {
		return r, err
	}
	a.Store, err = memory.Open(ctx, filepath.Join(dir, "familiar.db"), memory.Options{
		Now: a.Now, ForgetBelow: cfg.Memory.ForgetBelow, DecayRates: map[string]model.Rates{a.Card.Key: a.Card.Rates}, NoSync: true,
	})
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, a.Store.Close()) }()
	return liveIn(ctx, a, world)
}

// liveIn has the house live in a world.
func liveIn(ctx context.Context, a *app.App, world *simulate.World) (simulate.Report, error) {
	a.Store.Recall.Reply(a.Card.Key, a.Card.Language)
	voice := world.Voice(plain.New(), a.Store, a.Card.Key)
	a.Voice = voice
	settings := a.Settings()
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

// currentMood is the persona's as it stands, calm before its first session.
func currentMood(ctx context.Context, a *app.App) (valence, energy float64, err error) {
	m, err := a.Store.Turns.MoodAt(ctx, a.Card.Key, a.Now())
	if errors.Is(err, memory.ErrNotFound) {
		return 0, 0, nil
	}
	return m.Valence, m.Energy, err
}

// price is a flag for what a model costs.
type price simulate.Price

// String is the price as it is written.
func (p *price) String() string { return fmt.Sprintf("%g/%g", p.In, p.Out) }

// Type is what help calls the flag's value.
func (p *price) Type() string { return "IN/OUT" }

// Set reads a price such as "0.15/0.60".
func (p *price) Set(word string) error {
	in, out, two := strings.Cut(word, "/")
	read, err := strconv.ParseFloat(in, 64)
	written, err2 := strconv.ParseFloat(out, 64)
	if !two || err != nil || err2 != nil || !(read >= 0 && written >= 0) || read+written > 1e6 {
		return errors.New("take two prices for a million tokens, such as 0.15/0.60")
	}
	*p = price{In: read, Out: written}
	return nil
}
