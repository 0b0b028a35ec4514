package tools

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/toolserver"
	"familiar/persona/tool/server"
)

// serverRow is one tool server in a list.
type serverRow struct {
	Server string `json:"server"`
	// State is connected or problem.
	State string `json:"state"`
	// Tools are the names of its tools, as gates name them.
	Tools []string `json:"tools"`
	// Problem says why there is no connection, LeftOut why tools are not offered.
	Problem string   `json:"problem,omitempty" show:"below"`
	LeftOut []string `json:"left_out,omitempty" show:"below"`
}

func newToolServers(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "servers", Short: "Connect to the tool servers and list their tools", Args: cobra.NoArgs,
		Long: "Connect once to each server of tools.servers and list its tools under the names that gates use. A server with a command is\n" +
			"started and ended again. The exit code is 1 if one cannot be reached.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := inv.Config()
			if err != nil {
				return err
			}
			servers, err := app.ToolServers(cfg, slog.New(slog.DiscardHandler), inv.Now, nil)
			if err != nil {
				return err
			}
			rows, failed := lookAt(cmd.Context(), servers)
			if err := cli.Render(inv, rows); err != nil {
				return err
			}
			if failed > 0 {
				return fmt.Errorf("%d of %d tool servers cannot be reached", failed, len(servers))
			}
			return nil
		},
	}
}

// lookAt connects to all servers at once.
func lookAt(ctx context.Context, servers []*toolserver.Server) (rows []serverRow, failed int) {
	rows = make([]serverRow, len(servers))
	var all sync.WaitGroup
	for i, s := range servers {
		all.Go(func() {
			st := s.Look(ctx)
			rows[i] = serverRow{Server: s.Name(), State: "connected", Tools: []string{}, Problem: st.Problem, LeftOut: st.Left}
			if st.Problem != "" {
				rows[i].State = "problem"
			}
			for _, t := range st.Tools {
				rows[i].Tools = append(rows[i].Tools, server.Name(s.Name(), t.Name))
			}
		})
	}
	all.Wait()
	for _, r := range rows {
		if r.Problem != "" {
			failed++
		}
	}
	return rows, failed
}

// Faults returns what is wrong with the tool servers, one line each, with the server's name.
func Faults(ctx context.Context, servers []*toolserver.Server) (lines []string) {
	rows, _ := lookAt(ctx, servers)
	for _, r := range rows {
		if r.Problem != "" {
			lines = append(lines, r.Server+": "+r.Problem)
		}
		if len(r.LeftOut) > 0 {
			lines = append(lines, r.Server+": some tools are not offered: "+strings.Join(r.LeftOut, "; "))
		}
	}
	return lines
}
