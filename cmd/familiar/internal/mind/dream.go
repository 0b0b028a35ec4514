package mind

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/model"
)

// NewDream returns the verb `familiar dream`.
func NewDream(inv *cli.Invocation) *cobra.Command {
	return cli.Group("dream", "Read the dream journal",
		"Read the dream journal. It is for you alone: its entries are never recalled in a conversation, believed or linked to\n"+
			"other memories.", newDreamList(inv), newDreamShow(inv))
}

// dreamRow is one entry of the journal.
type dreamRow struct {
	ID    int64     `json:"id"`
	Night time.Time `json:"night"`
	Kind  string    `json:"kind"` // dream, lesson, insight
	// Of names the person (for their direct rooms) or the group that the entry is about.
	Of   string `json:"of"`
	Run  int64  `json:"run,omitempty"`
	Text string `json:"text"`
}

// dreamDetail is an entry with the messages it was made from.
type dreamDetail struct {
	dreamRow
	Sources []int64  `json:"sources,omitempty"`
	Quotes  []string `json:"quotes,omitempty"`
}

// journalKinds are the kinds of memory that a night makes, in display order.
var journalKinds = []model.Kind{model.Dream, model.InsightMoment, model.Lesson}

func newDreamList(inv *cli.Invocation) *cobra.Command {
	limit := cli.Count(30)
	cmd := &cobra.Command{
		Use: "list", Short: "List dreams, newest first", Args: cobra.NoArgs,
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			dreams, err := store.Entries.ListMemories(cmd.Context(), entry.MemoryFilter{Persona: cfg.Persona, Kind: model.Dream, Limit: int(limit)})
			if err != nil {
				return err
			}
			rows := make([]dreamRow, 0, len(dreams))
			for _, m := range dreams {
				row, err := journalRow(cmd.Context(), cfg, store, m)
				if err != nil {
					return err
				}
				rows = append(rows, row)
			}
			return cli.Render(inv, rows)
		}),
	}
	cmd.Flags().Var(&limit, "limit", "maximum number of rows")
	return cmd
}

func newDreamShow(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "show [NIGHT|NUMBER]", Short: "Show the entries of a night with their sources",
		Long: "Show the entries of the last night or of a date such as 2026-01-31: dreams, insights and lessons, each with the messages\n" +
			"it was made from. With a number, show one entry. `familiar job revert RUN` removes the entries of a run.",
		Example: "  familiar dream show\n  familiar dream show 2026-01-31",
		Args:    cobra.MaximumNArgs(1),
		RunE: inv.OnStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
			which := ""
			if len(args) > 0 {
				which = args[0]
			}
			entries, err := journal(inv, cmd, cfg, store, which)
			if err != nil {
				return err
			}
			rows := make([]dreamDetail, 0, len(entries))
			for _, m := range entries {
				row, err := journalEntry(cmd.Context(), cfg, store, m.ID)
				if err != nil {
					return cli.WithListHint(cmd, err)
				}
				rows = append(rows, row)
			}
			return cli.Render(inv, rows)
		}),
	}
}

// journal returns the entries of a night, of the latest night if which is empty, or the single entry with that number.
func journal(inv *cli.Invocation, cmd *cobra.Command, cfg *config.Config, store *memory.Store, which string) ([]model.Memory, error) {
	night, err := time.ParseInLocation(time.DateOnly, which, cfg.Timezone.Location)
	if err != nil && which != "" {
		n, err := cli.ParseID(cmd, which)
		return []model.Memory{{ID: n}}, err
	}
	var all []model.Memory
	for _, kind := range journalKinds {
		some, err := store.Entries.ListMemories(cmd.Context(), entry.MemoryFilter{Persona: cfg.Persona, Kind: kind, Limit: maxJournal})
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	if which == "" {
		for _, m := range all {
			if m.Kind == model.Dream && m.Created.After(night) {
				night = m.Created
			}
		}
	}
	day := night.In(cfg.Timezone.Location).Format(time.DateOnly)
	all = slices.DeleteFunc(all, func(m model.Memory) bool {
		return m.JobRun == 0 || m.Created.In(cfg.Timezone.Location).Format(time.DateOnly) != day
	})
	slices.SortStableFunc(all, func(a, b model.Memory) int {
		return cmp.Or(cmp.Compare(a.Audience.Kind, b.Audience.Kind), cmp.Compare(a.Audience.Ref, b.Audience.Ref))
	})
	return all, nil
}

// maxJournal is the number of entries of each kind that are searched for a night.
const maxJournal = 5000

func journalRow(ctx context.Context, cfg *config.Config, store *memory.Store, m model.Memory) (dreamRow, error) {
	of, err := scopeName(ctx, store, m.Audience)
	return dreamRow{ID: m.ID, Night: m.Created.In(cfg.Timezone.Location), Kind: string(m.Kind), Of: of, Run: m.JobRun, Text: m.Text}, err
}

func journalEntry(ctx context.Context, cfg *config.Config, store *memory.Store, number int64) (d dreamDetail, err error) {
	m, err := store.Entries.Memory(ctx, number)
	if err != nil {
		return d, err
	}
	if !slices.Contains(journalKinds, m.Kind) {
		return d, fmt.Errorf("memory %d is not an entry of the dream journal: %w", number, memory.ErrNotFound)
	}
	if d.dreamRow, err = journalRow(ctx, cfg, store, m); err != nil {
		return d, err
	}
	said, err := store.Log.Messages(ctx, m.Sources)
	for _, s := range said {
		d.Sources = append(d.Sources, s.ID)
		d.Quotes = append(d.Quotes, fmt.Sprintf("%s: %s", s.Name, s.Text))
	}
	return d, err
}

// scopeName returns the person or the group that an audience belongs to.
func scopeName(ctx context.Context, store *memory.Store, a model.Audience) (string, error) {
	switch a.Kind {
	case model.Private:
		p, err := store.Log.Person(ctx, a.Ref)
		return p.Name, err
	case model.InRoom:
		r, err := store.Log.RoomByID(ctx, a.Ref)
		return find.RoomName(r), err
	}
	return "everybody", nil
}
