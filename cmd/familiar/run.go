package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
)

func newRun(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "run", Short: "Serve every configured channel and run the jobs, until stopped",
		Long: "Serve every configured channel and run the jobs between conversations, until stopped with Ctrl-C or SIGTERM.\n" +
			"The log goes to standard error, with --json as one object a line. Talk in the terminal is `familiar chat`, which\n" +
			"serves by itself.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd.Context()) },
	}
}

// run serves without anybody at the terminal.
func (a *app) run(ctx context.Context) (err error) {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	log := newLog(a.errs, cfg, a.json)
	for _, w := range cfg.Warnings {
		log.Warn(w)
	}
	h, err := a.openHouse(ctx, "run", log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	supervisor := h.supervisor()
	networks, err := h.networks(ctx, supervisor)
	if err != nil {
		return err
	}
	err = h.serve(ctx, h.engine(h.settings(), networks...), everywhere(supervisor, networks))
	h.log.Info("stopped")
	return err
}
