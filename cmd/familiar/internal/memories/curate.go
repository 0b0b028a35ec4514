package memories

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/model"
)

// lifecycleRow is one memory's tier, strength and dates.
type lifecycleRow struct {
	ID       int64     `json:"id"`
	Tier     string    `json:"tier"`
	Pinned   bool      `json:"pinned"`
	Strength float64   `json:"strength"`
	ForgetAt time.Time `json:"forget_at,omitzero"`
	Expires  time.Time `json:"expires,omitzero"`
	Text     string    `json:"text"`
}

func newLifecycleRow(cfg *config.Config, m model.Memory) lifecycleRow {
	return lifecycleRow{
		ID: m.ID, Tier: string(m.Tier), Pinned: m.Pinned, Strength: cli.Round(m.Strength), ForgetAt: cli.InZone(m.ForgetAt, cfg),
		Expires: cli.InZone(m.Expires, cfg), Text: m.Text,
	}
}

// newMemoryVerb returns a verb that changes the memory whose number is its first argument, and shows the result.
func newMemoryVerb(inv *cli.Invocation, use, short string, args cobra.PositionalArgs,
	do func(cmd *cobra.Command, store *memory.Store, id int64, rest []string) (model.Memory, error),
) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := cli.ParseID(cmd, args[0])
			if err != nil {
				return err
			}
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				m, err := do(cmd, store, n, args[1:])
				if err != nil {
					return cli.WithListHint(cmd, err)
				}
				return cli.RenderOne(inv, newLifecycleRow(cfg, m))
			})
		},
	}
}

func newMemoryPromote(inv *cli.Invocation) *cobra.Command {
	return newMemoryVerb(inv, "promote NUMBER", "Move a memory one tier up: sensory, short, long; a dormant one becomes active", cobra.ExactArgs(1),
		func(cmd *cobra.Command, store *memory.Store, id int64, _ []string) (model.Memory, error) {
			return store.Lifecycle.MoveTier(cmd.Context(), id, model.Tier.Promoted)
		})
}

func newMemoryDemote(inv *cli.Invocation) *cobra.Command {
	return newMemoryVerb(inv, "demote NUMBER", "Move a memory one tier down: long, short, dormant", cobra.ExactArgs(1),
		func(cmd *cobra.Command, store *memory.Store, id int64, _ []string) (model.Memory, error) {
			return store.Lifecycle.MoveTier(cmd.Context(), id, model.Tier.Demoted)
		})
}

func newMemoryPin(inv *cli.Invocation) *cobra.Command {
	return newMemoryVerb(inv, "pin NUMBER", "Keep a memory in the context whatever is asked, and stop its decay", cobra.ExactArgs(1),
		func(cmd *cobra.Command, store *memory.Store, id int64, _ []string) (model.Memory, error) {
			return store.Lifecycle.Pin(cmd.Context(), id, true)
		})
}

func newMemoryUnpin(inv *cli.Invocation) *cobra.Command {
	return newMemoryVerb(inv, "unpin NUMBER", "Let a pinned memory decay like others", cobra.ExactArgs(1),
		func(cmd *cobra.Command, store *memory.Store, id int64, _ []string) (model.Memory, error) {
			return store.Lifecycle.Pin(cmd.Context(), id, false)
		})
}

func newMemoryExpire(inv *cli.Invocation) *cobra.Command {
	cmd := newMemoryVerb(inv, "expire NUMBER WHEN", "Set when a memory expires: 12h, 7d, 2w, a date, or never", cobra.ExactArgs(2),
		func(cmd *cobra.Command, store *memory.Store, id int64, rest []string) (model.Memory, error) {
			cfg, err := inv.Config()
			if err != nil {
				return model.Memory{}, err
			}
			at, err := parseTime(rest[0], inv.Now(), cfg.Timezone.Location)
			if err != nil {
				return model.Memory{}, cli.Usage(cmd, err)
			}
			return store.Lifecycle.Expire(cmd.Context(), id, at)
		})
	cmd.Example = "  familiar memory expire 12 7d\n  familiar memory expire 12 2026-03-01\n  familiar memory expire 12 never"
	return cmd
}

// parseTime reads a point in time: never (the zero time), a duration from now, or a date and time in zone.
func parseTime(word string, now time.Time, zone *time.Location) (time.Time, error) {
	if word == "never" {
		return time.Time{}, nil
	}
	if span, err := model.ParseSpan(word); err == nil {
		return now.Add(span), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04", time.DateOnly} {
		if at, err := time.ParseInLocation(layout, word, zone); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a time: write 12h, 7d, 2w, 2026-03-01, \"2026-03-01 18:00\" or never", word)
}

func newMemoryHistory(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "history NUMBER", Short: "Show the versions of a memory, oldest first", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := cli.ParseID(cmd, args[0])
			if err != nil {
				return err
			}
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				versions, err := store.Lifecycle.History(cmd.Context(), n)
				if err != nil {
					return cli.WithListHint(cmd, err)
				}
				return cli.RenderEach(inv, versions, func(m model.Memory) memoryRow { return newMemoryRow(inv, cfg, m) })
			})
		},
	}
}

// tagsResult lists the tags of one memory.
type tagsResult struct {
	ID   int64    `json:"id"`
	Tags []string `json:"tags"`
}

func newMemoryTags(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "tags NUMBER [list | add TAG… | rm TAG…]", Short: "List, add or remove the tags of a memory",
		Example: "  familiar memory tags 12 add travel\n  familiar memory list --tag travel",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := cli.ParseID(cmd, args[0])
			if err != nil {
				return err
			}
			act, tags := "list", args[1:]
			if len(tags) > 0 {
				act, tags = tags[0], tags[1:]
			}
			if act != "list" && act != "add" && act != "rm" || (act == "list") != (len(tags) == 0) {
				return cli.Usage(cmd, fmt.Errorf("%q: use list, or add or rm with one or more tags", strings.Join(args[1:], " ")))
			}
			return inv.WithStore(cmd.Context(), func(_ *config.Config, store *memory.Store) error {
				change := store.Entries.Tag
				if act == "rm" {
					change = store.Entries.Untag
				}
				left, err := change(cmd.Context(), n, tags...)
				if err != nil {
					return cli.WithListHint(cmd, err)
				}
				return cli.RenderOne(inv, tagsResult{ID: n, Tags: left})
			})
		},
	}
}
