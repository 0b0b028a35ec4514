package serving

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"familiar/channels/supervise"
	"familiar/cmd/familiar/internal/networks"
	"familiar/cmd/familiar/internal/version"
	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/metrics"
	"familiar/internal/operations"
	"familiar/internal/sleep"
	"familiar/memory/fleet"
	"familiar/memory/hosting"
	"familiar/persona"
	"familiar/persona/follow"
)

// NewRun returns the verb `familiar run`, which serves dashboard at http.listen.
func NewRun(inv *cli.Invocation, dashboard Dashboard) *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use: "run", Short: "Serve all configured channels and run the jobs",
		Long: "Serve all configured channels, run the jobs and follow the watches, until stopped with Ctrl-C or SIGTERM. With http.listen, or\n" +
			"--http, browsers reach the dashboard and other programs the memory. The log goes to standard error,\n" +
			"with --json or log.format as one object per line. Stopping takes at most ten seconds: nothing more is received, replies in\n" +
			"progress are finished and sent, and what is left is kept for the next start. A second signal ends it at once. To chat in\n" +
			"the terminal, use `familiar chat` instead; it runs the jobs too.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := inv.Config()
			if err != nil {
				return err
			}
			if listen != "" {
				if err := cfg.ListenHTTP(listen); err != nil {
					return cli.Usage(cmd, fmt.Errorf("--http %w", err))
				}
			}
			return runAgain(cmd.Context(), inv, cfg, dashboard)
		},
	}
	cmd.Flags().StringVar(&listen, "http", "", "the `ADDRESS` where browsers and other programs reach the persona, such as 127.0.0.1:8484 (default: http.listen)")
	return cmd
}

// serverPause is how long the start waits before it looks again for a server that cannot be reached.
const serverPause = 2 * time.Second

// runAgain serves the home. It waits for the server of the memory, and starts again as another process would when this one was cut off
// from the others for too long.
func runAgain(ctx context.Context, inv *cli.Invocation, cfg *config.Config, dashboard Dashboard) error {
	log := cli.NewLog(inv.Errs, cfg, inv.JSON)
	for _, w := range cfg.Warnings {
		log.Warn(w)
	}
	for {
		err := run(ctx, inv, cfg, dashboard)
		switch {
		case err == nil || ctx.Err() != nil:
			return err
		case errors.Is(err, fleet.ErrGone):
			log.Warn("other processes have taken over, since this one was cut off from the database; it starts again", "error", err)
		case hosting.NotConnected(err):
			log.Warn("the server of the memory cannot be reached; nothing is received meanwhile", "error", err, "retry_in", serverPause)
			if !sleep.For(ctx, serverPause) {
				return nil
			}
		default:
			return err
		}
	}
}

// run serves the home without a terminal user.
func run(ctx context.Context, inv *cli.Invocation, cfg *config.Config, dashboard Dashboard) (err error) {
	a, err := inv.OpenApp(ctx, "run", cli.NewLog(inv.Errs, cfg, inv.JSON))
	if err != nil {
		return err
	}
	defer func() {
		if !errors.Is(err, errStillBusy) { // what is still busy holds the store
			err = errors.Join(err, a.Close())
		}
	}()
	supervisor := networks.Supervisor(a)
	networks, err := networks.NewAll(ctx, a, supervisor)
	if err != nil {
		return err
	}
	var pages site
	desk, err := openDesk(a, supervisor, pages.address)
	if err != nil {
		return err
	}
	personas, err := a.Personas(func(s *persona.Settings) { s.SignIn = pages.signIn }, networks...)
	if err != nil {
		return errors.Join(err, desk.Close())
	}
	if pages, err = openSite(inv, a, dashboard, endpoints(personas, networks)...); err != nil {
		return errors.Join(err, desk.Close())
	}
	hear := NetworkListener(ctx.Done(), a, supervisor, networks)
	hear.beside = []func(context.Context) error{desk.Run, pages.Run}
	hear.follow = (&follow.Loop{Reader: a.SessionReader(), Log: a.Log}).Run
	err = Serve(ctx, a, personas, hear)
	a.Log.Info("stopped")
	return err
}

// openDesk opens what answers the operator's questions to this process, and has the app count what it does. dashboard is asked for
// the address of the dashboard once the desk runs.
func openDesk(a *app.App, s *supervise.Supervisor, dashboard func() string) (*operations.Server, error) {
	b := version.Describe(version.Info())
	a.Measure(metrics.Build{Version: b.Version, Go: b.Go}, s.States)
	ready, since, listen := a.NewReadiness(s.States), a.Now(), a.Config.Operations.Listen
	return operations.Listen(operations.Options{
		Socket: a.Config.Home.Socket(), Listen: listen, Remote: a.Config.Operations.Remote, Metrics: a.Metrics.Handler(), Log: a.Log,
		Status: func(ctx context.Context) operations.Status {
			now := operations.Status{
				Version: b.Version, PID: os.Getpid(), Since: since, Problems: ready.Problems(ctx), Channels: map[string]string{},
				Listen: listen, Dashboard: dashboard(), Goroutines: runtime.NumGoroutine(),
			}
			now.Ready = len(now.Problems) == 0
			for name, state := range s.States() {
				now.Channels[name] = string(state.Phase)
			}
			return now
		},
	})
}
