package memories

import (
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/model"
)

func newMemoryEdge(inv *cli.Invocation) *cobra.Command {
	return cli.Group("edge", "List, add and remove edges between memories",
		"List, add and remove edges between memories. Recall follows the edges of its best matches by one hop. Edges between\n"+
			"memories that are used in the same reply grow stronger; edges that are not used for a month grow weaker.",
		newEdgeList(inv), newEdgeAdd(inv), newEdgeRemove(inv))
}

// edgeRow is one edge.
type edgeRow struct {
	From    int64     `json:"from"`
	Type    string    `json:"type"`
	To      int64     `json:"to"`
	Weight  float64   `json:"weight"`
	Uses    int       `json:"uses"`
	Touched time.Time `json:"touched"`
	Run     int64     `json:"run,omitempty"`
}

func newEdgeRow(cfg *config.Config, e model.Edge) edgeRow {
	return edgeRow{
		From: e.From, Type: string(e.Kind), To: e.To, Weight: cli.Round(e.Weight), Uses: e.Uses, Touched: cli.InZone(e.Touched, cfg), Run: e.JobRun,
	}
}

func newEdgeList(inv *cli.Invocation) *cobra.Command {
	limit := cli.Count(100)
	cmd := &cobra.Command{
		Use: "list [NUMBER]", Short: "List the edges of one memory or of all, heaviest first", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var of int64
			if len(args) > 0 {
				var err error
				if of, err = cli.ParseID(cmd, args[0]); err != nil {
					return err
				}
			}
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				edges, err := store.Lifecycle.Edges(cmd.Context(), cfg.Persona, of, int(limit))
				if err != nil {
					return err
				}
				return cli.RenderEach(inv, edges, func(e model.Edge) edgeRow { return newEdgeRow(cfg, e) })
			})
		},
	}
	cmd.Flags().Var(&limit, "limit", "maximum number of rows")
	return cmd
}

func newEdgeAdd(inv *cli.Invocation) *cobra.Command {
	kind := cli.Choice{Value: string(model.RelatesTo), Of: cli.Strings(model.EdgeKinds)}
	var weight cli.Share
	cmd := &cobra.Command{
		Use: "add FROM TO", Short: "Add an edge from one memory to another", Args: cobra.ExactArgs(2),
		Example: "  familiar memory edge add 12 7 --type contradicts\n  familiar memory edge add 3 12 --type contains",
		RunE: func(cmd *cobra.Command, args []string) error {
			from, to, err := edgeEnds(cmd, args)
			if err != nil {
				return err
			}
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				e, err := store.Lifecycle.AddEdge(cmd.Context(), model.Edge{From: from, To: to, Kind: model.EdgeKind(kind.Value), Weight: float64(weight)})
				if err != nil {
					return err
				}
				return cli.RenderOne(inv, newEdgeRow(cfg, e))
			})
		},
	}
	cli.ChoiceFlag(cmd, &kind, "type", "how the first memory relates to the second")
	cmd.Flags().Var(&weight, "weight", "how much of one memory's score the other receives, 0–1 (default: the weight of the type)")
	return cmd
}

// edgeEnds parses the numbers of two memories.
func edgeEnds(cmd *cobra.Command, args []string) (from, to int64, err error) {
	if from, err = cli.ParseID(cmd, args[0]); err != nil {
		return 0, 0, err
	}
	to, err = cli.ParseID(cmd, args[1])
	return from, to, err
}

func newEdgeRemove(inv *cli.Invocation) *cobra.Command {
	kind := cli.Choice{Of: cli.Strings(model.EdgeKinds)}
	cmd := &cobra.Command{
		Use: "rm FROM TO", Short: "Remove the edges from one memory to another", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			from, to, err := edgeEnds(cmd, args)
			if err != nil {
				return err
			}
			return inv.WithStore(cmd.Context(), func(_ *config.Config, store *memory.Store) error {
				n, err := store.Lifecycle.RemoveEdge(cmd.Context(), from, to, model.EdgeKind(kind.Value))
				if err != nil {
					return cli.WithListHint(cmd, err)
				}
				return cli.RenderDone(inv, struct {
					Removed int `json:"removed"`
				}{n}, "%s removed", english.Plural(n, "edge", "edges"))
			})
		},
	}
	cli.ChoiceFlag(cmd, &kind, "type", "only edges of this type")
	return cmd
}
