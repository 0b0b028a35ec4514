// Package memories has `familiar memory`: searching, correcting and maintaining what is remembered.
package memories

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"familiar/channels/console"
	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/memoryapi"
	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/erase"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// NewMemory returns the verb `familiar memory`. past are verbs of other groups that `as-of` runs too.
func NewMemory(inv *cli.Invocation, past ...func(*cli.Invocation) *cobra.Command) *cobra.Command {
	return cli.Group("memory", "Show, add and forget memories",
		"Show, add and forget memories of the configured persona. These commands cover all rooms and people. They work while the\n"+
			"home is being served; the serving process notices their changes at once.",
		newMemoryList(inv), newMemorySearch(inv), newMemoryShow(inv), newMemoryHistory(inv), newMemoryAdd(inv), newMemoryForget(inv),
		newMemoryPin(inv), newMemoryUnpin(inv), newMemoryPromote(inv), newMemoryDemote(inv), newMemoryExpire(inv), newMemoryTags(inv),
		newMemoryRules(inv), newMemoryReflect(inv), newMemoryGC(inv), newMemoryEdge(inv), newMemoryClusters(inv), newMemoryConsolidate(inv),
		newMemoryTopics(inv), newMemoryTree(inv), newMemoryChildren(inv), newMemoryParent(inv), newMemoryIngest(inv), newMemoryExport(inv),
		newMemoryImport(inv), newMemoryEmbed(inv), newMemoryStats(inv), newMemoryRefine(inv), newMemoryAsOf(inv, past))
}

// memoryRow is one memory in a list.
type memoryRow struct {
	ID       int64     `json:"id"`
	At       time.Time `json:"at"`
	Author   string    `json:"author"`
	Room     string    `json:"room"`
	Sector   string    `json:"sector"`
	Salience float64   `json:"salience"`
	Text     string    `json:"text"`
}

func newMemoryRow(inv *cli.Invocation, cfg *config.Config, m model.Memory) memoryRow {
	author := m.Author
	if author == "" {
		author = string(m.Origin)
	}
	return memoryRow{
		ID: m.ID, At: m.Created.In(cfg.Timezone.Location), Author: author, Room: roomLabel(m), Sector: string(m.Sector),
		Salience: cli.Round(m.Salience), Text: m.Text,
	}
}

// roomLabel says where a memory may be used.
func roomLabel(m model.Memory) string {
	switch {
	case m.Audience.Kind == model.World:
		return "everywhere"
	case m.Audience.Kind == model.Private:
		return "private"
	}
	return m.RoomTitle
}

func newMemoryList(inv *cli.Invocation) *cobra.Command {
	var who, text, tag string
	sector, tier, limit := cli.Choice{Of: sectorNames()}, cli.Choice{Of: cli.Strings(model.Tiers)}, cli.Count(50)
	cmd := &cobra.Command{
		Use: "list", Short: "List memories, newest first", Args: cobra.NoArgs,
		Example: "  familiar memory list --person Ann --limit 10\n  familiar memory list --text lighthouse --json",
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			filter := entry.MemoryFilter{
				Persona: cfg.Persona, Sector: model.Sector(sector.Value), Tier: model.Tier(tier.Value), Tag: tag, Text: text,
				Limit: int(limit),
			}
			var err error
			if filter.PersonID, err = find.PersonID(cmd.Context(), store, cfg.Persona, who); err != nil {
				return err
			}
			found, err := store.Entries.ListMemories(cmd.Context(), filter)
			if err != nil {
				return err
			}
			return cli.RenderEach(inv, found, func(m model.Memory) memoryRow { return newMemoryRow(inv, cfg, m) })
		}),
	}
	find.PersonFlag(cmd, &who, "only memories by or about this person")
	cli.ChoiceFlag(cmd, &sector, "sector", "only this sector")
	cli.ChoiceFlag(cmd, &tier, "tier", "only this tier")
	cmd.Flags().StringVar(&tag, "tag", "", "only memories with this `TAG`")
	cmd.Flags().StringVar(&text, "text", "", "only memories that contain this `TEXT`")
	cmd.Flags().Var(&limit, "limit", "maximum number of rows")
	return cmd
}

// hitRow is one search result.
type hitRow struct {
	ID     int64     `json:"id"`
	Score  float64   `json:"score"`
	At     time.Time `json:"at"`
	Author string    `json:"author"`
	Text   string    `json:"text"`
	Why    []string  `json:"why,omitempty"`
}

func newMemorySearch(inv *cli.Invocation) *cobra.Command {
	var as, room, tag string
	limit := cli.Count(10)
	var explain, all bool
	cmd := &cobra.Command{
		Use: "search WORDS…", Short: "Search as the persona would in a room, best match first",
		Long: "Search as the persona would if a person (--as) asked these words in their direct room, or somebody asked them in a group\n" +
			"(--room). Memories that the persona may not use there are left out.",
		Example: "  familiar memory search --as Ann 'where was I born'\n" +
			"  familiar memory search --room 'book club' lighthouse --explain",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, words []string) error {
			if as == "" && room == "" {
				return cli.Usage(cmd, errors.New("name the person who asks with --as NAME, or the group with --room TITLE"))
			}
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				h, asker, err := visibilityFor(cmd.Context(), store, cfg.Persona, as, room)
				if err != nil {
					return err
				}
				card, err := app.LoadCard(cfg)
				if err != nil {
					return err
				}
				store.Recall.SetLanguage(card.Key, card.Language)
				near, err := embedQuery(cmd.Context(), inv, cfg, recall.EmbeddedQuestion(as, strings.Join(words, " ")))
				if err != nil {
					return err
				}
				recalled, err := store.Recall.Find(cmd.Context(), h, recall.Query{
					Text: strings.Join(words, " "), Near: near, Asker: asker, Now: inv.Now().In(cfg.Timezone.Location), Limit: int(limit), Selection: recall.Selection{Tag: tag},
					Explain: explain, WithoutFacts: card.WithoutFacts,
				})
				if err != nil {
					return err
				}
				return showHits(inv, cfg, recalled.Hits, all, explain)
			})
		},
	}
	cmd.Flags().StringVar(&as, "as", "", "the person who asks, in their direct room: a `NAME` or number")
	cmd.Flags().StringVar(&room, "room", "", "the group: its `TITLE` or number")
	cmd.Flags().Var(&limit, "limit", "maximum number of rows")
	cmd.Flags().StringVar(&tag, "tag", "", "only memories with this `TAG`")
	cmd.Flags().BoolVar(&explain, "explain", false, "show the parts of each score")
	cmd.Flags().BoolVar(&all, "all", false, "include weak matches, such as messages next to a match")
	return cmd
}

// showHits shows search results. Without all, weak hits are only counted.
func showHits(inv *cli.Invocation, cfg *config.Config, hits []recall.Hit, all, explain bool) error {
	rows := make([]hitRow, 0, len(hits))
	for _, hit := range hits {
		if hit.Weak && !all {
			continue
		}
		row := hitRow{
			ID: hit.Memory.ID, Score: cli.Round(hit.Score), At: hit.Memory.Created.In(cfg.Timezone.Location),
			Author: hit.Memory.Author, Text: hit.Memory.Text,
		}
		for _, r := range hit.Reasons {
			row.Why = append(row.Why, fmt.Sprintf("%s %.2f×%.2f", r.Feature, r.Value, r.Weight))
		}
		rows = append(rows, row)
	}
	if weak := len(hits) - len(rows); weak > 0 {
		noteWeak(inv, weak)
	}
	if explain && !inv.JSON {
		return showExplained(inv, cfg, hits, all)
	}
	return cli.Render(inv, rows)
}

// showExplained shows each hit with the parts of its score, one line for each part: too much for a table.
func showExplained(inv *cli.Invocation, cfg *config.Config, hits []recall.Hit, all bool) error {
	out := bufio.NewWriter(inv.Out)
	for _, hit := range hits {
		if hit.Weak && !all {
			continue
		}
		at := hit.Memory.Created.In(cfg.Timezone.Location).Format("2006-01-02 15:04")
		fmt.Fprintf(out, "%d  %.3f  [%s] %s: %s\n", hit.Memory.ID, hit.Score, at, cli.OneLine(hit.Memory.Author), cli.OneLine(hit.Memory.Text))
		for _, r := range hit.Reasons {
			fmt.Fprintf(out, "    %5.2f × %5.2f  %s: %s\n", r.Value, r.Weight, cli.OneLine(r.Feature), r.Meaning)
		}
	}
	return out.Flush()
}

// noteWeak says that n weak hits are hidden.
func noteWeak(inv *cli.Invocation, n int) {
	if n == 1 {
		inv.Note("1 weak match is hidden: --all shows it")
		return
	}
	inv.Note("%d weak matches are hidden: --all shows them", n)
}

// visibilityFor returns what may be recalled where an operator's search takes place: in a person's direct room, or in a
// group.
func visibilityFor(ctx context.Context, store *memory.Store, persona, as, group string) (h memory.Visibility, asker int64, err error) {
	if as != "" {
		person, err := find.Person(ctx, store, persona, as)
		if err != nil {
			return h, 0, err
		}
		asker = person.ID
	}
	var room model.Room
	if group != "" {
		room, err = find.Group(ctx, store, group)
	} else {
		room, err = find.DirectRoom(ctx, store, asker, as)
	}
	if err == nil {
		h, err = store.Log.Visibility(ctx, persona, room.ID)
	}
	return h, asker, err
}

// memoryDetail holds everything about one memory.
type memoryDetail struct {
	memoryRow
	Origin      string    `json:"origin"`
	Session     int64     `json:"session,omitempty"`
	Instruction bool      `json:"instruction,omitempty"`
	Pinned      bool      `json:"pinned,omitempty"`
	Recalls     int       `json:"recalls"`
	Uses        int       `json:"uses"`
	EventFrom   time.Time `json:"event_from,omitzero"`
	EventUntil  time.Time `json:"event_until,omitzero"`
	Tier        string    `json:"tier"`
	Strength    float64   `json:"strength"`
	ForgetAt    time.Time `json:"forget_at,omitzero"`
	Expires     time.Time `json:"expires,omitzero"`
	Supersedes  int64     `json:"supersedes,omitempty"`
	Superseded  int64     `json:"superseded_by,omitempty"`
	Run         int64     `json:"run,omitempty"`
	Sources     []int64   `json:"sources"`
	Entities    []string  `json:"entities,omitempty"`
	Tags        []string  `json:"tags,omitempty"`
}

func newMemoryShow(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "show NUMBER", Short: "Show everything about one memory", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := cli.ParseID(cmd, args[0])
			if err != nil {
				return err
			}
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				m, err := store.Entries.Memory(cmd.Context(), n)
				if err != nil {
					return cli.WithListHint(cmd, err)
				}
				return cli.RenderOne(inv, memoryDetail{
					memoryRow: newMemoryRow(inv, cfg, m), Origin: string(m.Origin), Session: m.SessionID, Instruction: m.Instruction,
					Pinned: m.Pinned, Recalls: m.Recalls, Uses: m.Uses, EventFrom: cli.InZone(m.EventFrom, cfg), EventUntil: cli.InZone(m.EventUntil, cfg),
					Tier: string(m.Tier), Strength: cli.Round(m.Strength), ForgetAt: cli.InZone(m.ForgetAt, cfg), Expires: cli.InZone(m.Expires, cfg),
					Supersedes: m.Supersedes, Superseded: m.SupersededBy, Run: m.JobRun, Sources: m.Sources, Entities: m.Entities, Tags: m.Tags,
				})
			})
		},
	}
}

func newMemoryAdd(inv *cli.Invocation) *cobra.Command {
	var who string
	sector, salience := cli.Choice{Value: string(model.Semantic), Of: sectorNames()}, cli.Share(0.7)
	var pin bool
	var tags []string
	cmd := &cobra.Command{
		Use: "add TEXT…", Short: "Add a memory yourself",
		Long: "Add a memory yourself: lore that may be used in every room, or, with --person, something that may only be used in that\n" +
			"person's direct rooms. What you say about a person is believed until they say otherwise.",
		Example: "  familiar memory add 'The bar closes at eleven on Sundays.' --pin\n" +
			"  familiar memory add --person Ann 'Ann collects lighthouse postcards.'",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, words []string) error {
			told := memoryapi.Note{
				Audience: model.Audience{Kind: model.World}, Text: strings.TrimSpace(strings.Join(words, " ")),
				Sector: model.Sector(sector.Value), Salience: float64(salience), Pinned: pin, Tags: tags,
			}
			if told.Text == "" {
				return cli.Usage(cmd, errors.New("the text is empty"))
			}
			return inv.EnsureStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				told.Persona = cfg.Persona
				m, err := addMemory(cmd.Context(), inv, cfg, store, told, who)
				if err != nil {
					return err
				}
				return cli.RenderOne(inv, newMemoryRow(inv, cfg, m))
			})
		},
	}
	find.PersonFlag(cmd, &who, "the person it is about")
	cli.ChoiceFlag(cmd, &sector, "sector", "the memory's sector")
	cmd.Flags().Var(&salience, "salience", "its importance, 0–1")
	cmd.Flags().StringSliceVar(&tags, "tag", nil, "a `TAG` for it; may be repeated")
	cmd.Flags().BoolVar(&pin, "pin", false, "keep it in the context whatever is asked")
	return cmd
}

// addMemory stores lore, or, with who, what the operator says about that person.
func addMemory(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store, told memoryapi.Note, who string) (model.Memory, error) {
	if who != "" {
		person, err := find.Person(ctx, store, cfg.Persona, who)
		if err != nil {
			return model.Memory{}, err
		}
		told.Audience = model.Audience{Kind: model.Private, Ref: person.ID}
	}
	return (&memoryapi.API{Store: store, Now: inv.Now, Zone: cfg.Timezone.Location}).Tell(ctx, told)
}

// forgetResult is one forgotten memory and what was deleted with it.
type forgetResult struct {
	ID       int64 `json:"id"`
	Memories int   `json:"memories"`
	Beliefs  int   `json:"beliefs"`
	Loops    int   `json:"loops"`
	Messages int   `json:"messages"`
	Replies  int   `json:"replies"`
}

func newMemoryForget(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "forget NUMBER…", Short: "Forget memories and everything derived from them",
		Long: "Forget memories and everything derived from them: the text of their messages, beliefs based on them, and replies made\n" +
			"from them. This cannot be undone.",
		Example: "  familiar memory list --text Oslo\n  familiar memory forget 2 5",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var numbers []int64
			for _, word := range args {
				n, err := cli.ParseID(cmd, word)
				if err != nil {
					return err
				}
				numbers = append(numbers, n)
			}
			return inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				return cli.WithListHint(cmd, forgetMemories(cmd.Context(), inv, cfg, store, numbers))
			})
		},
	}
}

// Forget forgets a memory with everything derived from it, and what was typed of it at the terminal.
func Forget(ctx context.Context, cfg *config.Config, store *memory.Store, id int64) (gone erase.ForgetResult, err error) {
	if gone, err = store.Eraser.Forget(ctx, id); err != nil {
		return gone, err
	}
	return gone, console.ForgetHistory(cfg.Home.History(), false, find.Typed(ctx, store))
}

// forgetMemories first checks that every number exists, so that a typo in one deletes nothing. An error after that does
// not stop the others; it is returned, and what was deleted is shown.
func forgetMemories(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store, numbers []int64) error {
	for _, n := range numbers {
		if _, err := store.Entries.Memory(ctx, n); err != nil {
			return err
		}
	}
	var rows []forgetResult
	var failed []error
	for _, n := range numbers {
		gone, err := Forget(ctx, cfg, store, n)
		if err != nil {
			failed = append(failed, err)
		}
		if gone.Memories == 0 {
			continue
		}
		inv.Say("forgot memory %d: %s", n, gone)
		rows = append(rows, forgetResult{n, gone.Memories, gone.Beliefs, gone.Loops, gone.Messages, gone.Replies})
	}
	if inv.JSON {
		failed = append(failed, cli.Render(inv, rows))
	}
	return errors.Join(failed...)
}
