package serving

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"familiar/channels"
	"familiar/cmd/familiar/internal/version"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/mcpserver"
	"familiar/internal/restapi"
	"familiar/internal/webserver"
	"familiar/web"
	"familiar/web/signin"
)

// maxMCPBody is how long a request over MCP may be, in bytes.
const maxMCPBody = 1 << 20

// site is where browsers and other programs reach the home. Without http.listen it listens nowhere and does nothing.
type site struct {
	server *webserver.Server
	// public is http.address.
	public string
	// end ends the dashboard.
	end func()
}

// endpoints returns what answers programs on behalf of the channels that they talk to over HTTP.
func endpoints(personas *app.Personas, networks []channels.Channel) (mounts []channels.Mount) {
	for _, c := range networks {
		if e, ok := c.(channels.Endpoint); ok {
			mounts = append(mounts, e.Handler(personas.Callers()))
		}
	}
	return mounts
}

// Dashboard returns the dashboard of an open home behind its sign-in. address is its public address, "" for none. end is called when
// no more requests are answered, and before the home is closed.
type Dashboard func(inv *cli.Invocation, a *app.App, address string) (pages http.Handler, end func(), err error)

// openSite listens on the configured address and mounts what answers there.
func openSite(inv *cli.Invocation, a *app.App, dashboard Dashboard, mounts ...channels.Mount) (s site, err error) {
	h := a.Config.HTTP
	if h.Listen == "" {
		return site{}, nil
	}
	server, err := webserver.Listen(webserver.Options{Listen: h.Listen, Hosts: h.AllHosts(), Origins: h.Origins, Log: a.Log})
	if err != nil {
		return site{}, a.Config.Problem("http.listen", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, server.Close())
		}
	}()
	for _, m := range mounts {
		server.Mount(m.Prefix, m.MaxBody, m)
	}
	api, err := app.MemoryAPI(a.Config, a.Store, a.Log, a.Now)
	if err != nil {
		return site{}, err
	}
	now := version.Describe(version.Info()).Version
	rest, err := restapi.Handler(restapi.Options{API: api, Version: now, Log: a.Log})
	if err != nil {
		return site{}, err
	}
	pages, end, err := dashboard(inv, a, h.Address)
	if err != nil {
		return site{}, err
	}
	server.Mount("/mcp", maxMCPBody, mcpserver.Handler(api, mcpserver.Options{Version: now, Log: a.Log}))
	server.Mount(restapi.Prefix+"/", restapi.MaxBody, rest)
	server.Mount("/", web.MaxBody, pages)
	s = site{server, h.Address, end}
	a.Log.Info("browsers and other programs can ask: `familiar dashboard` signs a browser in", "address", s.address())
	return s, nil
}

// address returns the address of the dashboard, "" if it is not served.
func (s *site) address() string {
	if s.server == nil {
		return ""
	}
	return cmp.Or(s.public, s.server.URL())
}

// signIn returns the address to which a token is appended for a link to the dashboard, "" if that is not served.
func (s *site) signIn() string {
	if s.server == nil {
		return ""
	}
	return s.address() + signin.Path("")
}

// Run answers requests until ctx ends.
func (s site) Run(ctx context.Context) error {
	if s.server == nil {
		return nil
	}
	defer s.end()
	return s.server.Run(ctx)
}

// Close stops listening. It is for a site that does not run.
func (s site) Close() error {
	if s.server == nil {
		return nil
	}
	return s.server.Close()
}
