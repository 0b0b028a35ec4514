package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/persona/tool"
	"familiar/persona/tool/workspace"
)

// checkTools reports gates that name no tool, and says what models may call.
func checkTools(_ context.Context, inv *cli.Invocation) (found []Finding, err error) {
	cfg := inv.Loaded
	var open []string
	for _, key := range cfg.Served() {
		registry, err := app.NewTools(cfg, key, inv.Now, nil, nil)
		if err != nil {
			return nil, err
		}
		for _, s := range registry.Specs() {
			if gate := registry.Rules.Decide(s, tool.Place{}).Gate; gate != tool.Deny && !slices.Contains(open, s.Name) {
				open = append(open, s.Name)
			}
		}
		if directory := cfg.Tools.Workspaces.Of(key); directory != "" {
			if err := workspace.Check(directory); err != nil {
				found = append(found, Finding{"tools", stateProblem, err.Error(), "make the directory, or correct tools.workspaces." + key})
			}
		}
		if key == cfg.Persona {
			for _, gate := range app.UnknownGates(cfg, registry) {
				found = append(found, Finding{"tools", stateWarning, gate + " names no tool", "remove it, or take a name that `familiar tool list` shows"})
			}
		}
	}
	if len(found) > 0 {
		return found, nil
	}
	says := "models may use the persona's memory only"
	if len(open) > 0 {
		says = fmt.Sprintf("models may use the persona's memory, and %s", strings.Join(open, ", "))
	}
	return []Finding{{"tools", stateOK, says, ""}}, nil
}
