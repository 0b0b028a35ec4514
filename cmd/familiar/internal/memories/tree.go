package memories

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/lifecycle"
)

// nodeRow is one memory in the hierarchy of summaries.
type nodeRow struct {
	ID       int64  `json:"id"`
	Level    string `json:"level"`
	Depth    int    `json:"depth,omitempty"`
	Children int    `json:"children,omitempty"`
	Text     string `json:"text"`
}

// renderNodes shows nodes. In text output, dots in front of the text show the depth.
func renderNodes(inv *cli.Invocation, nodes []lifecycle.Node) error {
	rows := make([]nodeRow, 0, len(nodes))
	for _, n := range nodes {
		row := nodeRow{ID: n.Memory.ID, Level: n.Level, Depth: n.Depth, Children: n.Children, Text: n.Memory.Text}
		if !inv.JSON {
			row.Text = strings.Repeat("· ", n.Depth) + row.Text
		}
		rows = append(rows, row)
	}
	return cli.Render(inv, rows)
}

func newMemoryTopics(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "topics", Short: "List the top-level summaries, largest first", Args: cobra.NoArgs,
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			nodes, err := store.Lifecycle.Topics(cmd.Context(), cfg.Persona)
			if err != nil {
				return err
			}
			return renderNodes(inv, nodes)
		}),
	}
}

func newMemoryTree(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "tree [NUMBER]", Short: "Show a memory with everything it contains; without a number, all topics", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var roots []int64
			for _, word := range args {
				n, err := cli.ParseID(cmd, word)
				if err != nil {
					return err
				}
				roots = append(roots, n)
			}
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				if len(args) == 0 {
					topics, err := store.Lifecycle.Topics(cmd.Context(), cfg.Persona)
					if err != nil {
						return err
					}
					for _, t := range topics {
						roots = append(roots, t.Memory.ID)
					}
				}
				var all []lifecycle.Node
				for _, root := range roots {
					nodes, err := store.Lifecycle.Tree(cmd.Context(), root)
					if err != nil {
						return cli.WithListHint(cmd, err)
					}
					all = append(all, nodes...)
				}
				return renderNodes(inv, all)
			})
		},
	}
}

func newMemoryChildren(inv *cli.Invocation) *cobra.Command {
	return newNodeVerb(inv, "children NUMBER", "List what a memory contains", (*lifecycle.Store).Children)
}

func newMemoryParent(inv *cli.Invocation) *cobra.Command {
	return newNodeVerb(inv, "parent NUMBER", "Show the summary that contains a memory",
		func(store *lifecycle.Store, ctx context.Context, id int64) ([]lifecycle.Node, error) {
			n, err := store.Parent(ctx, id)
			return []lifecycle.Node{n}, err
		})
}

// newNodeVerb returns a verb that shows nodes related to one memory.
func newNodeVerb(inv *cli.Invocation, use, short string, find func(*lifecycle.Store, context.Context, int64) ([]lifecycle.Node, error)) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := cli.ParseID(cmd, args[0])
			if err != nil {
				return err
			}
			return inv.WithStore(cmd.Context(), func(_ *config.Config, store *memory.Store) error {
				nodes, err := find(store.Lifecycle, cmd.Context(), n)
				if err != nil {
					return cli.WithListHint(cmd, err)
				}
				return renderNodes(inv, nodes)
			})
		},
	}
}
