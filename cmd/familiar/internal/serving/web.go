package serving

import (
	"context"
	"errors"

	"familiar/channels"
	"familiar/cmd/familiar/internal/version"
	"familiar/internal/app"
	"familiar/internal/mcpserver"
	"familiar/internal/restapi"
	"familiar/internal/webserver"
)

// maxMCPBody is how long a request over MCP may be, in bytes.
const maxMCPBody = 1 << 20

// web is where other programs reach the home. Without http.listen it listens nowhere and does nothing.
type web struct{ server *webserver.Server }

// endpoints returns what answers programs on behalf of the channels that they talk to over HTTP.
func endpoints(personas *app.Personas, networks []channels.Channel) (mounts []channels.Mount) {
	for _, c := range networks {
		if e, ok := c.(channels.Endpoint); ok {
			mounts = append(mounts, e.Handler(personas.Callers()))
		}
	}
	return mounts
}

// openWeb listens on the configured address and mounts what answers there.
func openWeb(a *app.App, mounts ...channels.Mount) (web, error) {
	h := a.Config.HTTP
	if h.Listen == "" {
		return web{}, nil
	}
	server, err := webserver.Listen(webserver.Options{Listen: h.Listen, Hosts: h.Hosts, Origins: h.Origins, Log: a.Log})
	if err != nil {
		return web{}, err
	}
	for _, m := range mounts {
		server.Mount(m.Prefix, m.MaxBody, m)
	}
	api, err := app.MemoryAPI(a.Config, a.Store, a.Log, a.Now)
	if err != nil {
		return web{}, errors.Join(err, server.Close())
	}
	now := version.Describe(version.Info()).Version
	rest, err := restapi.Handler(restapi.Options{API: api, Version: now, Log: a.Log})
	if err != nil {
		return web{}, errors.Join(err, server.Close())
	}
	server.Mount("/mcp", maxMCPBody, mcpserver.Handler(api, mcpserver.Options{Version: now, Log: a.Log}))
	server.Mount(restapi.Prefix+"/", restapi.MaxBody, rest)
	a.Log.Info("other programs can ask", "address", "http://"+server.Address())
	return web{server}, nil
}

// Run answers requests until ctx ends.
func (w web) Run(ctx context.Context) error {
	if w.server == nil {
		return nil
	}
	return w.server.Run(ctx)
}

// Close stops listening. It is for a web that does not run.
func (w web) Close() error {
	if w.server == nil {
		return nil
	}
	return w.server.Close()
}
