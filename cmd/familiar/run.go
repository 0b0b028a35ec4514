package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"familiar/internal/cli"
)

func newRun(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "run", Short: "Serve all configured channels and run the jobs",
		Long: "Serve all configured channels and run the jobs, until stopped with Ctrl-C or SIGTERM. The log goes to standard error,\n" +
			"with --json as one object per line. To chat in the terminal, use `familiar chat` instead; it runs the jobs too.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), inv) },
	}
}

// run serves the home without a terminal user.
func run(ctx context.Context, inv *cli.Invocation) (err error) {
	cfg, err := inv.Config()
	if err != nil {
		return err
	}
	log := cli.NewLog(inv.Errs, cfg, inv.JSON)
	for _, w := range cfg.Warnings {
		log.Warn(w)
	}
	a, err := inv.OpenApp(ctx, "run", log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	supervisor := supervisor(a)
	networks, err := newNetworks(ctx, a, supervisor)
	if err != nil {
		return err
	}
	personas, err := a.Personas(nil, networks...)
	if err != nil {
		return err
	}
	err = serve(ctx, a, personas, networkListener(a, supervisor, networks))
	a.Log.Info("stopped")
	return err
}
