package personas

import (
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
	return cli.Group("growth", "Show and reset the growth of a persona",
		"Show and reset the growth of a persona. Once a week the job growth records how conversations moved its traits, skills and\n"+
			"usual mood: only numbers, within limits. The file takes precedence: a trait that you change there starts over, and values,\n"+
			"boundaries and voice never change.",
		newGrowthShow(inv), newGrowthHistory(inv), newGrowthDiff(inv), newGrowthReset(inv))
}

// growthFigure is one number of a persona's growth, or a note about itself.
type growthFigure struct {
	Part string `json:"part"` // trait, skill, mood, note
	Name string `json:"name"`
	// Card is the value from the file alone, Now the current one.
	Card     *float64   `json:"card,omitempty"`
	Now      *float64   `json:"now,omitempty"`
	Trend    mind.Trend `json:"trend,omitempty"`
	Sessions int        `json:"sessions,omitempty"`
}

func newGrowthShow(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "show [VERSION]", Short: "Show traits, skills and mood, by default of the latest version",
		Args: cobra.MaximumNArgs(1),
		RunE: inv.OnStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
			c, err := card.LoadCard(cfg.Home.Personas(), cfg.Persona)
			if err != nil {
				return err
			}
			version, err := store.Turns.LatestGrowth(cmd.Context(), cfg.Persona)
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
		}),
	}
}

// growthFigures returns a card's traits and mood with their growth, then the skills and the notes.
func growthFigures(card *card.Card, g mind.Grown) (rows []growthFigure) {
	figure := func(x float64) *float64 { x = cli.Round(x); return &x }
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

// findVersion returns the version that an argument names.
func findVersion(cmd *cobra.Command, store *memory.Store, key, arg string) (turns.GrowthVersion, error) {
	n, err := strconv.Atoi(arg)
	if err != nil || n < 0 {
		return turns.GrowthVersion{}, cli.Usage(cmd, fmt.Errorf("%q is not a version: use a number from `familiar persona growth history`", arg))
	}
	if n == 0 { // the card alone
		return turns.GrowthVersion{}, nil
	}
	version, err := store.Turns.GrowthAt(cmd.Context(), key, n)
	if errors.Is(err, memory.ErrNotFound) {
		err = fmt.Errorf("%w (`familiar persona growth history` lists the versions)", err)
	}
	return version, err
}

// growthRow is one version in the history.
type growthRow struct {
	Version int       `json:"version"`
	At      time.Time `json:"at"`
	Run     int64     `json:"run,omitempty"`
	// Changes are the differences to the previous version.
	Changes []mind.Change `json:"changes"`
}

func newGrowthHistory(inv *cli.Invocation) *cobra.Command {
	limit := cli.Count(20)
	cmd := &cobra.Command{
		Use: "history", Short: "List the versions with their changes, newest first", Args: cobra.NoArgs,
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			versions, err := store.Turns.GrowthHistory(cmd.Context(), cfg.Persona, int(limit)+1)
			if err != nil {
				return err
			}
			rows, err := growthRows(cfg, versions)
			if err != nil {
				return err
			}
			return cli.Render(inv, rows[:min(len(rows), int(limit))])
		}),
	}
	cmd.Flags().Var(&limit, "limit", "maximum number of rows")
	return cmd
}

// growthRows returns versions, newest first, each with its differences to the next one in the list.
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
		rows[i] = growthRow{Version: v.Version, At: cli.InZone(v.At, cfg), Run: v.JobRun, Changes: mind.Diff(mind.Grown{}, grown)}
		newer = grown
	}
	return rows, nil
}

func newGrowthDiff(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "diff VERSION VERSION", Short: "Show the differences between two versions; 0 is the file alone", Args: cobra.ExactArgs(2),
		Example: "  familiar persona growth diff 0 3",
		RunE: inv.OnStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
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
		}),
	}
}

// growthReset is the result of a reset.
type growthReset struct {
	// Version is the empty version that was written, or the current one if nothing had grown.
	Version int `json:"version"`
}

func newGrowthReset(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "reset", Short: "Reset the persona to its file; the history is kept", Args: cobra.NoArgs,
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			version, err := card.ResetGrowth(cmd.Context(), store, cfg.Persona)
			if err != nil {
				return err
			}
			return cli.RenderDone(inv, growthReset{version}, "%s is reset to its file (version %d)", cfg.Persona, version)
		}),
	}
}
