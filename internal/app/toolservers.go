package app

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"familiar/config"
	"familiar/internal/toolserver"
	"familiar/persona/tool/server"
)

// ToolServers returns the configured tool servers, not connected. changed is called with each list of tools that one sends
// while it runs; it may be nil.
func ToolServers(cfg *config.Config, log *slog.Logger, now func() time.Time, changed func(s *toolserver.Server, tools []toolserver.Tool)) (all []*toolserver.Server, err error) {
	for _, one := range cfg.Tools.Servers.Map {
		settings, err := toolServer(cfg, one.Name, one.Value)
		if err != nil {
			return nil, err
		}
		var s *toolserver.Server
		s = toolserver.New(settings, log, now, func(tools []toolserver.Tool) {
			if changed != nil {
				changed(s, tools)
			}
		})
		all = append(all, s)
	}
	return all, nil
}

func toolServer(cfg *config.Config, name string, s config.ToolServer) (toolserver.Settings, error) {
	env, hidden, err := s.Environment()
	if err != nil {
		return toolserver.Settings{}, cfg.Problem("tools.servers."+name+".env", err)
	}
	headers, sent, err := s.RequestHeaders()
	if err != nil {
		return toolserver.Settings{}, cfg.Problem("tools.servers."+name, err)
	}
	return toolserver.Settings{
		Name: name, Command: s.Command, Dir: string(cfg.Home), Env: env, URL: s.URL, Headers: headers, Secrets: append(hidden, sent...),
	}, nil
}

// RunToolServers keeps the connections to the tool servers until ctx ends, and offers their tools to all personas.
func (p *Personas) RunToolServers(ctx context.Context) error {
	a := p.Apps[0]
	servers, err := ToolServers(a.Config, a.Log, a.Now, func(s *toolserver.Server, tools []toolserver.Tool) {
		for _, own := range p.Apps {
			if own.Tools == nil {
				continue
			}
			if left := own.Tools.Serve(s.Name(), server.Tools(s, tools)...); len(left) > 0 {
				own.Log.Warn("tools of a server are not offered: others have their names", "server", s.Name(), "tools", strings.Join(left, ","))
			}
		}
	})
	if err != nil {
		return fmt.Errorf("connect the tool servers: %w", err)
	}
	var running sync.WaitGroup
	for _, s := range servers {
		running.Go(func() { s.Run(ctx) })
	}
	running.Wait()
	return nil
}

// isServed reports whether the gate of a name, which may end with a star, is for tools of a configured server. Which tools
// those are is known once it is connected.
func isServed(cfg *config.Config, gate string) bool {
	for _, one := range cfg.Tools.Servers.Map {
		if strings.HasPrefix(gate, one.Name+"_") {
			return true
		}
	}
	return false
}
