package watches

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/persona/follow"
)

// readRow is what one look at a watch led to.
type readRow struct {
	ID    int64  `json:"id"`
	Dir   string `json:"dir"`
	Files int    `json:"files"`
	Found int    `json:"found"`
	New   int    `json:"new"`
	// LeftOut counts what is no message of the person or the assistant.
	LeftOut  int      `json:"left_out"`
	Problems []string `json:"problems,omitempty" show:"below"`
}

func newOnce(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "once", Short: "Read what is new in all followed directories", Args: cobra.NoArgs,
		Long: "Read what is new in all followed directories. The exit code is 1 if something could not be read.",
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			return once(cmd.Context(), inv, cfg, store)
		}),
	}
}

func once(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store) error {
	a, err := appOf(inv, cfg, store, cfg.Persona)
	if err != nil {
		return err
	}
	loop := follow.Loop{Reader: a.SessionReader(), Log: a.Log}
	all, err := loop.Once(ctx)
	if err != nil {
		return err
	}
	var rows []readRow
	problems, personas := 0, map[string]bool{}
	for _, d := range all {
		r := readRow{ID: d.Watch.ID, Dir: d.Watch.Dir, Files: d.Files, Found: d.Found, New: d.New, Problems: d.Problems}
		for _, n := range d.Skipped {
			r.LeftOut += n
		}
		rows, problems, personas[d.Watch.Persona] = append(rows, r), problems+len(d.Problems), true
	}
	for key := range personas {
		if err := endSessions(ctx, inv, a, key); err != nil {
			return err
		}
	}
	if err := cli.Render(inv, rows); err != nil || problems == 0 {
		return err
	}
	return fmt.Errorf("%d files or directories could not be read", problems)
}

func newRun(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "run", Short: "Follow all watches until stopped", Args: cobra.NoArgs,
		Long: "Follow all watches until stopped with Ctrl-C or SIGTERM, without serving anything else. `familiar run` does the same next\n" +
			"to serving the channels.",
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			if app.IsServed(cfg.Home.Lock()) {
				return errors.New("`familiar run` serves this home and follows the watches")
			}
			a, err := appOf(inv, cfg, store, cfg.Persona)
			if err != nil {
				return err
			}
			logger := cli.NewLog(inv.Errs, cfg, inv.JSON)
			logger.Info("following session files")
			loop := follow.Loop{Reader: a.SessionReader(), Log: logger}
			loop.Run(cmd.Context())
			return nil
		}),
	}
}
