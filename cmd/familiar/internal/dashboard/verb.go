package dashboard

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/operations"
	"familiar/internal/webserver"
	"familiar/memory"
	"familiar/memory/login"
	"familiar/web"
	"familiar/web/signin"
)

// defaultListen is where the dashboard is served unless the configuration or a flag says otherwise.
const defaultListen = "127.0.0.1:8484"

// linkRow is a link that was just made.
type linkRow struct {
	URL     string    `json:"url"`
	Role    string    `json:"role"`
	Expires time.Time `json:"expires"`
	// ServedBy is "familiar run", or "familiar dashboard" if this process serves it.
	ServedBy string `json:"served_by"`
}

// NewDashboard returns the verb `familiar dashboard`.
func NewDashboard(inv *cli.Invocation) *cobra.Command {
	role, listen := cli.Choice{Value: string(login.Operator), Of: []string{string(login.Operator), string(login.Viewer)}}, ""
	cmd := &cobra.Command{
		Use: "dashboard", Short: "Open the dashboard in a browser",
		Long: "Print a link that signs a browser in to the dashboard: once, within ten minutes, for at most 30 days. If `familiar run` serves\n" +
			"it (http.listen), the link leads there. Otherwise this command serves the dashboard itself until Ctrl-C, also beside a\n" +
			"running `familiar run` or `familiar chat`. A viewer sees what an operator sees and changes nothing.",
		Example: "  familiar dashboard\n  familiar dashboard --role viewer\n  familiar dashboard --listen 127.0.0.1:9090\n  familiar dashboard end --all",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := inv.Config()
			if err != nil {
				return err
			}
			if listen != "" {
				if err := cfg.ListenHTTP(listen); err != nil {
					return cli.Usage(cmd, fmt.Errorf("--listen %w", err))
				}
				cfg.HTTP.Address = "" // the proxy passes requests on to http.listen
				return serve(cmd.Context(), inv, cfg, login.Role(role.Value))
			}
			at, err := served(cmd.Context(), cfg)
			if err != nil {
				return err
			}
			if at == "" {
				return serve(cmd.Context(), inv, cfg, login.Role(role.Value))
			}
			return inv.EnsureStore(cmd.Context(), func(_ *config.Config, store *memory.Store) error {
				return show(cmd.Context(), inv, store, linkRow{URL: at, Role: role.Value, ServedBy: "familiar run"})
			})
		},
	}
	cli.ChoiceFlag(cmd, &role, "role", "what the browser may do")
	cmd.Flags().StringVar(&listen, "listen", "", "serve the dashboard at this `ADDRESS` (default: http.listen, or "+defaultListen+")")
	cmd.AddCommand(newSessions(inv), newEnd(inv))
	return cmd
}

// served returns the address of the dashboard of the process that serves the home, "" if none serves it.
func served(ctx context.Context, cfg *config.Config) (string, error) {
	now, err := operations.Ask(ctx, cfg.Home.Socket())
	switch {
	case err == nil:
		return now.Dashboard, nil
	case errors.Is(err, fs.ErrNotExist), !app.IsServed(cfg.Home.Lock()):
		return "", nil
	}
	return "", fmt.Errorf("find out whether the dashboard is served: %w", err)
}

// serve serves the dashboard until ctx ends, and shows a link to it.
func serve(ctx context.Context, inv *cli.Invocation, cfg *config.Config, role login.Role) (err error) {
	log := cli.NewLog(inv.Errs, cfg, inv.JSON)
	a, err := app.OpenUnlocked(ctx, cfg, log, inv.Now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	h := cfg.HTTP
	server, err := webserver.Listen(webserver.Options{Listen: cmp.Or(h.Listen, defaultListen), Hosts: h.AllHosts(), Log: log})
	if err != nil {
		return fmt.Errorf("%w with --listen", err)
	}
	pages, end, err := Handler(inv, a, h.Address)
	if err == nil {
		defer end()
		server.Mount("/", web.MaxBody, pages)
		err = show(ctx, inv, a.Store, linkRow{URL: cmp.Or(h.Address, server.URL()), Role: string(role), ServedBy: "familiar dashboard"})
	}
	if err != nil {
		return errors.Join(err, server.Close())
	}
	inv.Note("serving until Ctrl-C; `familiar dashboard` in another terminal signs one more browser in")
	return server.Run(ctx)
}

// show makes a link to the dashboard at the URL of row and shows it.
func show(ctx context.Context, inv *cli.Invocation, store *memory.Store, row linkRow) error {
	row.Expires = inv.Now().Add(login.LinkLifetime)
	token, err := store.Logins.CreateLink(ctx, rand.Reader, login.Link{Role: login.Role(row.Role), Expires: row.Expires})
	if err != nil {
		return err
	}
	row.URL += signin.Path(token)
	return cli.RenderDone(inv, row, "%s", row.URL)
}
