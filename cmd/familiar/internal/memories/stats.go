package memories

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
)

func newMemoryStats(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "stats", Short: "Show how much is stored", Args: cobra.NoArgs,
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			s, err := store.Lifecycle.Stats(cmd.Context(), cfg.Persona)
			if err != nil {
				return err
			}
			e, err := store.Entries.Embedding(cmd.Context())
			if err != nil {
				return err
			}
			return cli.RenderOne(inv, newStatsRow(s, e))
		}),
	}
}

// StatsRow counts what is stored.
type StatsRow struct {
	People       int `json:"people"`
	Rooms        int `json:"rooms"`
	Sessions     int `json:"sessions"`
	OpenSessions int `json:"open_sessions"`
	Messages     int `json:"messages"`
	Episodic     int `json:"episodic"`
	Semantic     int `json:"semantic"`
	Procedural   int `json:"procedural"`
	Emotional    int `json:"emotional"`
	Reflective   int `json:"reflective"`
	Sensory      int `json:"sensory"`
	Short        int `json:"short"`
	Long         int `json:"long"`
	Dormant      int `json:"dormant"`
	Pinned       int `json:"pinned"`
	Due          int `json:"due"`
	Edges        int `json:"edges"`
	// EdgeTypes counts the edges by type.
	EdgeTypes edgeCounts `json:"edge_types,omitempty"`
	Beliefs   int        `json:"beliefs"`
	History   int        `json:"history"`
	OpenLoops int        `json:"open_loops"`
	Turns     int        `json:"turns"`
	Pending   int        `json:"pending"`
	Unsent    int        `json:"unsent"`
	Dead      int        `json:"dead"`
	// Embedder is the model whose vectors are stored. Of the memories of all personas, Vectors have one, ToEmbed wait
	// for one and NotEmbedded were given up. VectorWorth is how much the vectors add to word search, 0–1. Fault is
	// the embedder's last error.
	Embedder    string  `json:"embedder"`
	Vectors     int     `json:"vectors"`
	ToEmbed     int     `json:"to_embed"`
	NotEmbedded int     `json:"not_embedded"`
	VectorWorth float64 `json:"vector_worth"`
	Fault       string  `json:"embedder_fault"`
}

// edgeCounts counts edges by type.
type edgeCounts map[model.EdgeKind]int

// String lists the types with their counts in alphabetical order.
func (c edgeCounts) String() string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(c)) {
		parts = append(parts, fmt.Sprintf("%s %d", kind, c[kind]))
	}
	return strings.Join(parts, ", ")
}

func newStatsRow(s lifecycle.Stats, e entry.Embedding) StatsRow {
	edges := 0
	for _, n := range s.Edges {
		edges += n
	}
	return StatsRow{
		People: s.People, Rooms: s.Rooms, Sessions: s.Sessions, OpenSessions: s.OpenSessions, Messages: s.Messages,
		Episodic: s.Memories[model.Episodic], Semantic: s.Memories[model.Semantic], Procedural: s.Memories[model.Procedural],
		Emotional: s.Memories[model.Emotional], Reflective: s.Memories[model.Reflective],
		Sensory: s.Tiers[model.Sensory], Short: s.Tiers[model.Short], Long: s.Tiers[model.Long], Dormant: s.Tiers[model.Dormant],
		Pinned: s.Pinned, Due: s.Due, Edges: edges, EdgeTypes: s.Edges,
		Beliefs: s.Beliefs, History: s.History, OpenLoops: s.OpenLoops, Turns: s.Turns,
		Pending: s.Pending, Unsent: s.Unsent, Dead: s.Dead,
		Embedder: e.Model, Vectors: e.Vectors, ToEmbed: e.Waiting, NotEmbedded: e.Failed, VectorWorth: cli.Round(e.Worth), Fault: e.Fault,
	}
}
