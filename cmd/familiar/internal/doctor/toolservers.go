package doctor

import (
	"context"
	"log/slog"

	"github.com/dustin/go-humanize/english"

	"familiar/cmd/familiar/internal/tools"
	"familiar/internal/app"
	"familiar/internal/cli"
)

// checkToolServers connects to each tool server once.
func checkToolServers(ctx context.Context, inv *cli.Invocation) (found []Finding, err error) {
	servers, err := app.ToolServers(inv.Loaded, slog.New(slog.DiscardHandler), inv.Now, nil)
	if err != nil {
		return nil, err
	}
	for _, line := range tools.Faults(ctx, servers) {
		found = append(found, Finding{"servers", stateProblem, line, "check tools.servers; `familiar tool servers` tries it again"})
	}
	if len(found) == 0 {
		says := "no tool server is configured"
		if len(servers) > 0 {
			says = english.Plural(len(servers), "tool server is", "tool servers are") + " connected"
		}
		found = []Finding{{"servers", stateOK, says, ""}}
	}
	return found, nil
}
