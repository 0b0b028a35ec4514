package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/turns"
	"familiar/persona/card"
	"familiar/persona/mind"
)

func newPersonaGrowth(inv *cli.Invocation) *cobra.Command {
	return cli.Group("growth", "See what the persona grew above its file, and reset it",
		"See what the persona grew above its file, and reset it. Once a week the job growth notes how its traits, its skills and its\n"+
			"usual mood moved by how talks went: figures alone, within bounds. The file always wins: what you change in it begins anew\n"+
			"there, and values, boundaries and voice are never touched.",
		newGrowthShow(inv), newGrowthHistory(inv), newGrowthDiff(inv), newGrowthReset(inv))
}

// growthFigure is one figure of what a persona grew, or what it says of itself.
type growthFigure struct {
	Part string `json:"part"` // trait, skill, mood, note
	Name string `json:"name"`
	// Card is the figure the file alone gives, Now the one that holds.
	Card     *float64   `json:"card,omitempty"`
	Now      *float64   `json:"now,omitempty"`
	Trend    mind.Trend `json:"trend,omitempty"`
	Sessions int        `json:"sessions,omitempty"`
}

func newGrowthShow(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "show [VERSION]", Short: "Show traits, skills and mood as they grew, the latest version when none is named",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				c, err := card.LoadCard(cfg.Home.Personas(), cfg.Persona)
				if err != nil {
					return err
				}
				version, err := store.Turns.Grown(cmd.Context(), cfg.Persona)
				if len(args) > 0 {
					version, err = findVersion(cmd, store, cfg.Persona, args[0])
				}
				if err != nil {
					return err
				}
				grown, err := card.ReadGrowth(version)
				if err != nil {
					return err
				}
				return cli.Render(inv, growthFigures(c, grown))
			})
		},
	}
}

// growthFigures are a card's traits and mood with what grew above them, then the skills and what it says of itself.
func growthFigures(card *card.Card, g mind.Grown) (rows []growthFigure) {
	figure := func(x float64) *float64 { x = round(x); return &x }
	strengths := card.Strengths()
	over := mind.Over(strengths, g)
	for _, t := range card.Traits {
		rows = append(rows, growthFigure{Part: "trait", Name: t.Name, Card: figure(t.Strength), Now: figure(over[t.Name])})
	}
	plain, usual := mind.Temperament(strengths), mind.UsualMood(strengths, g)
	rows = append(rows,
		growthFigure{Part: "mood", Name: "valence", Card: figure(plain.Valence), Now: figure(usual.Valence)},
		growthFigure{Part: "mood", Name: "energy", Card: figure(plain.Energy), Now: figure(usual.Energy)})
	for _, s := range mind.Skills {
		if f, known := g.Skills[s]; known {
			rows = append(rows, growthFigure{Part: "skill", Name: string(s), Now: figure(f.Confidence), Trend: f.Trend, Sessions: f.Sessions})
		}
	}
	for _, note := range mind.SelfNotes(g) {
		rows = append(rows, growthFigure{Part: "note", Name: note})
	}
	return rows
}

// findVersion is the version an argument names.
func findVersion(cmd *cobra.Command, store *memory.Store, key, arg string) (turns.GrowthVersion, error) {
	n, err := strconv.Atoi(arg)
	if err != nil || n < 0 {
		return turns.GrowthVersion{}, cli.Usage(cmd, fmt.Errorf("%q is no version: take a number that `familiar persona growth history` shows", arg))
	}
	if n == 0 { // as the card has it
		return turns.GrowthVersion{}, nil
	}
	version, err := store.Turns.GrowthAt(cmd.Context(), key, n)
	if errors.Is(err, memory.ErrNotFound) {
		err = fmt.Errorf("%w (`familiar persona growth history` shows those there are)", err)
	}
	return version, err
}

// growthRow is one version in the history.
type growthRow struct {
	Version int       `json:"version"`
	At      time.Time `json:"at"`
	Run     int64     `json:"run,omitempty"`
	// Changes are those since the version before.
	Changes []mind.Change `json:"changes"`
}

func newGrowthHistory(inv *cli.Invocation) *cobra.Command {
	limit := cli.Count(20)
	cmd := &cobra.Command{
		Use: "history", Short: "List the versions, newest first, with what changed in each", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				versions, err := store.Turns.GrowthHistory(cmd.Context(), cfg.Persona, int(limit)+1)
				if err != nil {
					return err
				}
				rows, err := growthRows(cfg, versions)
				if err != nil {
					return err
				}
				return cli.Render(inv, rows[:min(len(rows), int(limit))])
			})
		},
	}
	cmd.Flags().Var(&limit, "limit", "how many")
	return cmd
}

// growthRows are versions, newest first, each with what changed since the next one in the list.
func growthRows(cfg *config.Config, versions []turns.GrowthVersion) ([]growthRow, error) {
	rows := make([]growthRow, len(versions))
	var newer mind.Grown
	for i, v := range versions {
		grown, err := card.ReadGrowth(v)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			rows[i-1].Changes = mind.Diff(grown, newer)
		}
		rows[i] = growthRow{Version: v.Version, At: inZone(v.At, cfg), Run: v.JobRun, Changes: mind.Diff(mind.Grown{}, grown)}
		newer = grown
	}
	return rows, nil
}

func newGrowthDiff(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "diff VERSION VERSION", Short: "Show what differs between two versions; 0 is the file alone", Args: cobra.ExactArgs(2),
		Example: "  familiar persona growth diff 0 3",
		RunE: func(cmd *cobra.Command, args []string) error {
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				var grown [2]mind.Grown
				for i, arg := range args {
					version, err := findVersion(cmd, store, cfg.Persona, arg)
					if err != nil {
						return err
					}
					if grown[i], err = card.ReadGrowth(version); err != nil {
						return err
					}
				}
				return cli.Render(inv, mind.Diff(grown[0], grown[1]))
			})
		},
	}
}

// growthReset is what a reset did.
type growthReset struct {
	// Version is the empty version that was written, the one that holds when nothing had grown.
	Version int `json:"version"`
}

func newGrowthReset(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "reset", Short: "Let the persona be as its file says again, its history kept", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				done, err := resetGrowth(cmd.Context(), store, cfg.Persona)
				if err != nil {
					return err
				}
				if inv.JSON {
					return cli.WriteJSON(inv.Out, done)
				}
				_, err = fmt.Fprintf(inv.Out, "%s is as its file says (version %d)\n", cfg.Persona, done.Version)
				return err
			})
		},
	}
}

// resetGrowth writes an empty version, unless nothing had grown.
func resetGrowth(ctx context.Context, store *memory.Store, key string) (growthReset, error) {
	grown, err := card.Grown(ctx, store, key)
	if err != nil {
		return growthReset{}, err
	}
	if len(mind.Diff(mind.Grown{}, grown)) == 0 {
		return growthReset{grown.Version}, nil
	}
	return growthReset{grown.Version + 1}, store.Turns.Grow(ctx, key, 0, grown.Version, []byte("{}"))
}
