// Package tools has `familiar tool`: what models may call while they answer.
package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"familiar/channels"
	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/model"
	"familiar/persona/tool"
)

// NewTool returns the verb `familiar tool`.
func NewTool(inv *cli.Invocation) *cobra.Command {
	return cli.Group("tool", "Show what models may call while they answer",
		"Show what a persona's model may call while it answers. The gates are set in the configuration: tools.gates, tools.places and\n"+
			"personas.KEY.tools.", newToolList(inv), newToolServers(inv), newToolLog(inv))
}

// toolRow is one tool in a list.
type toolRow struct {
	Tool string `json:"tool"`
	// Gate is allow, confirm or deny, Why what says so.
	Gate string `json:"gate"`
	Why  string `json:"why"`
	// Reaches is what a call can reach.
	Reaches string `json:"reaches"`
	// Elsewhere are the places with another gate.
	Elsewhere string `json:"elsewhere,omitempty" show:"below"`
}

func newToolList(inv *cli.Invocation) *cobra.Command {
	var key, where string
	cmd := &cobra.Command{
		Use: "list", Short: "List the tools, where each is allowed, and why", Args: cobra.NoArgs,
		Long: "List the tools with the gate of each: allow, confirm (the person is asked first) or deny, and what decides it: the default,\n" +
			"tools.gates (everywhere), the persona's own gates (persona), or a place of tools.places. Without --room, the places with\n" +
			"another gate are named below each tool. Tools of other programs are shown by `familiar tool servers`.",
		Example: "  familiar tool list\n  familiar tool list --persona mira --room telegram/-1001234",
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := inv.Config()
			if err != nil {
				return err
			}
			place, err := placeOf(cmd.Context(), inv, where)
			if err != nil {
				return err
			}
			rows, err := rowsOf(cfg, cmp.Or(key, cfg.Persona), inv.Now, place, where == "")
			if err != nil {
				return err
			}
			return cli.Render(inv, rows)
		},
	}
	cli.PersonaFlag(cmd, inv, &key, "the tools of the persona with this `KEY`")
	cmd.Flags().StringVar(&where, "room", "", "in this `room`: CHANNEL/ID, CHANNEL/ID/THREAD, a title or a number")
	return cmd
}

// rowsOf returns the tools of a persona in a place.
func rowsOf(cfg *config.Config, persona string, now func() time.Time, place tool.Place, elsewhere bool) (rows []toolRow, err error) {
	registry, err := app.NewTools(cfg, persona, now, nil, nil)
	if err != nil {
		return nil, err
	}
	for _, s := range app.ToolSpecs(registry) {
		d := registry.Rules.Decide(s, place)
		row := toolRow{Tool: s.Name, Gate: string(d.Gate), Why: d.Why, Reaches: reaches(s)}
		if elsewhere {
			row.Elsewhere = exceptions(registry.Rules, s, d)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func reaches(s tool.Spec) string {
	all := make([]string, len(s.Touches))
	for i, r := range s.Touches {
		all[i] = string(r)
	}
	return strings.Join(all, ", ")
}

// exceptions returns the places with another gate than most.
func exceptions(r tool.Rules, s tool.Spec, most tool.Decision) string {
	var all []string
	for place, rules := range r.Places {
		d := tool.Rules{Everywhere: rules}.Decide(s, tool.Place{})
		if d.Why != tool.WhyDefault && d.Gate != most.Gate {
			all = append(all, place+": "+string(d.Gate))
		}
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// placeOf returns the room that is named, the zero Place for none.
func placeOf(ctx context.Context, inv *cli.Invocation, where string) (p tool.Place, err error) {
	if where == "" {
		return p, nil
	}
	if channel, id, ok := strings.Cut(where, "/"); ok && id != "" {
		id, thread, _ := strings.Cut(id, "/")
		p.Room = model.Room{Room: channels.Room{Channel: channel, ID: id, Thread: thread}}
		return p, nil
	}
	err = inv.WithStore(ctx, func(_ *config.Config, store *memory.Store) (err error) {
		p.Room, err = find.Group(ctx, store, where)
		return err
	})
	if errors.Is(err, memory.ErrNotFound) {
		err = fmt.Errorf("%w, or write its address, such as telegram/-1001234", err)
	}
	return p, err
}
