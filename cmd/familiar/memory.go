package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/memory"
)

func newMemory(a *app) *cobra.Command {
	return group("memory", "See, add and forget what is remembered",
		"See, add and forget what the configured persona remembers. These verbs look across all rooms and people; they work\n"+
			"while the persona is being served, which notices at once what they changed.",
		newMemoryList(a), newMemorySearch(a), newMemoryShow(a), newMemoryAdd(a), newMemoryForget(a), newMemoryEmbed(a), newMemoryStats(a))
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

func (a *app) memoryRow(cfg *config.Config, m memory.Memory) memoryRow {
	author := m.Author
	if author == "" {
		author = string(m.Origin)
	}
	return memoryRow{
		ID: m.ID, At: m.Created.In(cfg.Timezone.Location), Author: author, Room: roomOf(m), Sector: string(m.Sector),
		Salience: round(m.Salience), Text: m.Text,
	}
}

// roomOf says where a memory may be heard.
func roomOf(m memory.Memory) string {
	switch {
	case m.Audience.Kind == memory.World:
		return "everywhere"
	case m.Audience.Kind == memory.Private:
		return "private"
	}
	return m.RoomTitle
}

func newMemoryList(a *app) *cobra.Command {
	var who, text string
	sector, limit := choice{of: sectors()}, count(50)
	cmd := &cobra.Command{
		Use: "list", Short: "List memories, newest first", Args: cobra.NoArgs,
		Example: "  familiar memory list --person Ann --limit 10\n  familiar memory list --text lighthouse --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				filter := memory.MemoryFilter{Persona: cfg.Persona, Sector: memory.Sector(sector.value), Text: text, Limit: int(limit)}
				if who != "" {
					person, err := someone(cmd.Context(), store, cfg.Persona, who)
					if err != nil {
						return err
					}
					filter.PersonID = person.ID
				}
				found, err := store.ListMemories(cmd.Context(), filter)
				if err != nil {
					return err
				}
				rows := make([]memoryRow, 0, len(found))
				for _, m := range found {
					rows = append(rows, a.memoryRow(cfg, m))
				}
				return render(a, rows)
			})
		},
	}
	personFlag(cmd, &who, "only what this person said or what is about them")
	choiceFlag(cmd, &sector, "sector", "only this sector")
	cmd.Flags().StringVar(&text, "text", "", "only what contains this `TEXT`")
	cmd.Flags().Var(&limit, "limit", "how many")
	return cmd
}

// foundRow is one memory a search brought back.
type foundRow struct {
	ID     int64     `json:"id"`
	Score  float64   `json:"score"`
	At     time.Time `json:"at"`
	Author string    `json:"author"`
	Text   string    `json:"text"`
	Why    []string  `json:"why,omitempty"`
}

func newMemorySearch(a *app) *cobra.Command {
	var as, room string
	limit := count(10)
	var explain, all bool
	cmd := &cobra.Command{
		Use: "search WORDS…", Short: "Recall as the persona would in a room, best first",
		Long: "Recall as the persona would, asked these words by a person (--as) in their direct room, or in a group (--room): what\n" +
			"is private elsewhere stays out, as it would there.",
		Example: "  familiar memory search --as Ann 'where was I born'\n" +
			"  familiar memory search --room 'book club' lighthouse --explain",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, words []string) error {
			if as == "" && room == "" {
				return usage(cmd, errors.New("say who asks with --as NAME, or in which group it is asked with --room TITLE"))
			}
			return a.withStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				h, asker, err := hearingFor(cmd.Context(), store, cfg.Persona, as, room)
				if err != nil {
					return err
				}
				near, err := a.near(cmd.Context(), cfg, strings.Join(words, " "))
				if err != nil {
					return err
				}
				recalled, err := store.Recall(cmd.Context(), h, memory.Query{
					Text: strings.Join(words, " "), Near: near, Asker: asker, Now: a.now().In(cfg.Timezone.Location), Limit: int(limit), Explain: explain,
				})
				if err != nil {
					return err
				}
				return a.showHits(cfg, recalled.Hits, all)
			})
		},
	}
	cmd.Flags().StringVar(&as, "as", "", "who asks, in their direct room: a `NAME` or number")
	cmd.Flags().StringVar(&room, "room", "", "the group it is asked in: its `TITLE` or number")
	cmd.Flags().Var(&limit, "limit", "how many")
	cmd.Flags().BoolVar(&explain, "explain", false, "show what each score is made of")
	cmd.Flags().BoolVar(&all, "all", false, "show weak matches, too: what came up for the talk around it, or for little")
	return cmd
}

// showHits shows what was found; without all, weak hits only as their number.
func (a *app) showHits(cfg *config.Config, hits []memory.Hit, all bool) error {
	rows := make([]foundRow, 0, len(hits))
	for _, hit := range hits {
		if hit.Weak && !all {
			continue
		}
		row := foundRow{
			ID: hit.Memory.ID, Score: round(hit.Score), At: hit.Memory.Created.In(cfg.Timezone.Location),
			Author: hit.Memory.Author, Text: hit.Memory.Text,
		}
		for _, r := range hit.Reasons {
			row.Why = append(row.Why, fmt.Sprintf("%s %.2f×%.2f", r.Feature, r.Value, r.Weight))
		}
		rows = append(rows, row)
	}
	if weak := len(hits) - len(rows); weak > 0 {
		a.noteWeak(weak)
	}
	return render(a, rows)
}

// noteWeak says that n weak hits are left out.
func (a *app) noteWeak(n int) {
	if n == 1 {
		a.note("1 weak match is left out: --all shows it")
		return
	}
	a.note("%d weak matches are left out: --all shows them", n)
}

// round keeps three places: more is noise in a list.
func round(x float64) float64 { return math.Round(x*1000) / 1000 }

// hearingFor is where an operator's search is spoken: a person's direct room, or a group.
func hearingFor(ctx context.Context, store *memory.Store, persona, as, group string) (h memory.Hearing, asker int64, err error) {
	rooms, err := store.Rooms(ctx)
	if err != nil {
		return h, 0, err
	}
	if as != "" {
		person, err := someone(ctx, store, persona, as)
		if err != nil {
			return h, 0, err
		}
		asker = person.ID
	}
	for _, r := range rooms {
		direct := group == "" && r.Direct && r.PersonID == asker
		named := group != "" && !r.Direct && (strings.EqualFold(r.Title, group) || fmt.Sprint(r.ID) == group)
		if direct || named {
			h, err = store.Hearing(ctx, persona, r.ID)
			return h, asker, err
		}
	}
	if group != "" {
		return h, 0, fmt.Errorf("%w: no group is called %q; `familiar session list` shows the rooms", memory.ErrNotFound, group)
	}
	return h, 0, fmt.Errorf("%w: %s has no direct room yet: search with --room, or let them say hello first", memory.ErrNotFound, as)
}

// memoryDetail is all there is to one memory.
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
	Sources     []int64   `json:"sources"`
	Entities    []string  `json:"entities,omitempty"`
}

func newMemoryShow(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "show NUMBER", Short: "Show all there is to one memory", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := id(cmd, args[0])
			if err != nil {
				return err
			}
			return a.withStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				m, err := store.Memory(cmd.Context(), n)
				if err != nil {
					return listed(cmd, err)
				}
				return renderOne(a, memoryDetail{
					memoryRow: a.memoryRow(cfg, m), Origin: string(m.Origin), Session: m.SessionID, Instruction: m.Instruction,
					Pinned: m.Pinned, Recalls: m.Recalls, Uses: m.Uses, EventFrom: inZone(m.EventFrom, cfg), EventUntil: inZone(m.EventUntil, cfg),
					Sources: m.Sources, Entities: m.Entities,
				})
			})
		},
	}
}

func newMemoryAdd(a *app) *cobra.Command {
	var who string
	sector, salience := choice{value: string(memory.Semantic), of: sectors()}, share(0.7)
	var pin bool
	cmd := &cobra.Command{
		Use: "add TEXT…", Short: "Tell the persona something yourself",
		Long: "Tell the persona something yourself: lore that may be spoken of everywhere, or, with --person, something that only\n" +
			"that person's direct rooms may hear.",
		Example: "  familiar memory add 'The bar closes at eleven on Sundays.' --pin\n" +
			"  familiar memory add --person Ann 'Ann collects lighthouse postcards.'",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, words []string) error {
			return a.withStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				told := memory.NewMemory{
					Persona: cfg.Persona, Audience: memory.Audience{Kind: memory.World}, Origin: memory.Told,
					Sector: memory.Sector(sector.value), Text: strings.Join(words, " "), Salience: float64(salience), Pinned: pin,
				}
				if who != "" {
					person, err := someone(cmd.Context(), store, cfg.Persona, who)
					if err != nil {
						return err
					}
					told.Audience = memory.Audience{Kind: memory.Private, Ref: person.ID}
					told.About = []int64{person.ID}
				}
				m, err := store.Remember(cmd.Context(), told)
				if err != nil {
					return err
				}
				return renderOne(a, a.memoryRow(cfg, m))
			})
		},
	}
	personFlag(cmd, &who, "whose it is")
	choiceFlag(cmd, &sector, "sector", "its sector")
	cmd.Flags().Var(&salience, "salience", "how much it matters, 0–1")
	cmd.Flags().BoolVar(&pin, "pin", false, "always keep it in mind")
	return cmd
}

// forgottenRow is one memory that was forgotten, and what went with it.
type forgottenRow struct {
	ID       int64 `json:"id"`
	Memories int   `json:"memories"`
	Beliefs  int   `json:"beliefs"`
	Loops    int   `json:"loops"`
	Messages int   `json:"messages"`
	Replies  int   `json:"replies"`
}

func newMemoryForget(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "forget NUMBER…", Short: "Forget memories and what rests on them",
		Long: "Forget memories and what rests on them: the words they were said in, what was believed for them, and the answers\n" +
			"made from them. This cannot be undone.",
		Example: "  familiar memory list --text Oslo\n  familiar memory forget 2 5",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var numbers []int64
			for _, word := range args {
				n, err := id(cmd, word)
				if err != nil {
					return err
				}
				numbers = append(numbers, n)
			}
			return a.withStore(cmd.Context(), func(_ *config.Config, store *memory.Store) error {
				return listed(cmd, a.forget(cmd.Context(), store, numbers))
			})
		},
	}
}

// forget forgets what it can of numbers and says what is gone; the rest is the error.
func (a *app) forget(ctx context.Context, store *memory.Store, numbers []int64) error {
	var rows []forgottenRow
	var failed []error
	for _, n := range numbers {
		gone, err := store.Forget(ctx, n)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		a.say("forgot memory %d: %s", n, gone)
		rows = append(rows, forgottenRow{n, gone.Memories, gone.Beliefs, gone.Loops, gone.Messages, gone.Replies})
	}
	if a.json {
		failed = append(failed, render(a, rows))
	}
	return errors.Join(failed...)
}

func newMemoryStats(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "stats", Short: "Count what is stored", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
				s, err := store.Stats(cmd.Context(), cfg.Persona)
				if err != nil {
					return err
				}
				e, err := store.Embedding(cmd.Context())
				if err != nil {
					return err
				}
				return renderOne(a, newStatsRow(s, e))
			})
		},
	}
}

// statsRow is what is stored, in numbers.
type statsRow struct {
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
	Beliefs      int `json:"beliefs"`
	History      int `json:"history"`
	OpenLoops    int `json:"open_loops"`
	Turns        int `json:"turns"`
	Pending      int `json:"pending"`
	Unsent       int `json:"unsent"`
	Dead         int `json:"dead"`
	// Embedder is the model whose vectors are kept, of all personas' memories: how many have one, wait for it, were given
	// up, how much the vectors tell beyond the words (0–1), and what is wrong with it.
	Embedder    string  `json:"embedder"`
	Vectors     int     `json:"vectors"`
	ToEmbed     int     `json:"to_embed"`
	NotEmbedded int     `json:"not_embedded"`
	VectorWorth float64 `json:"vector_worth"`
	Fault       string  `json:"embedder_fault"`
}

func newStatsRow(s memory.Stats, e memory.Embedding) statsRow {
	return statsRow{
		People: s.People, Rooms: s.Rooms, Sessions: s.Sessions, OpenSessions: s.OpenSessions, Messages: s.Messages,
		Episodic: s.Memories[memory.Episodic], Semantic: s.Memories[memory.Semantic], Procedural: s.Memories[memory.Procedural],
		Emotional: s.Memories[memory.Emotional], Reflective: s.Memories[memory.Reflective],
		Beliefs: s.Beliefs, History: s.History, OpenLoops: s.OpenLoops, Turns: s.Turns,
		Pending: s.Pending, Unsent: s.Unsent, Dead: s.Dead,
		Embedder: e.Model, Vectors: e.Vectors, ToEmbed: e.Waiting, NotEmbedded: e.Failed, VectorWorth: round(e.Worth), Fault: e.Fault,
	}
}
