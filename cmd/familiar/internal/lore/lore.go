// Package lore has `familiar lore`: what a persona knows of the world from elsewhere, the web and other installations, and the signed
// files in which lore goes from one to another.
package lore

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/persona/card"
	"familiar/persona/signedlore"
	"familiar/persona/webnote"
)

// NewLore returns the verb `familiar lore`.
func NewLore(inv *cli.Invocation) *cobra.Command {
	return cli.Group("lore", "Exchange what a persona knows of the world, and look at what it read",
		"Exchange what a persona knows of the world with other installations, as signed files, and look at what came from elsewhere:\n"+
			"sentences that it read on the web (learning), and lore of others. Both are quoted with their source wherever they are\n"+
			"used, and never change what the persona is or may do. `familiar persona lore` edits its own lorebook.",
		newList(inv), newShow(inv), newRevert(inv), newExport(inv), newImport(inv), newImports(inv), newKey(inv), newTrust(inv))
}

// personaFlag adds the flag that chooses the persona.
func personaFlag(inv *cli.Invocation, cmd *cobra.Command, key *string) {
	cli.PersonaFlag(cmd, inv, key, "the `KEY` of the persona (default: the configured one)")
}

// cardOf returns the card of the chosen persona.
func cardOf(cfg *config.Config, key string) (*card.Card, error) {
	return card.LoadCard(cfg.Home.Personas(), cmp.Or(key, cfg.Persona))
}

// row is one piece of lore in the list.
type row struct {
	ID   int64  `json:"id"`
	Kind string `json:"kind"` // web or lore
	// From is the host, or who signed it. Day is when it was read.
	From string `json:"from"`
	Day  string `json:"day,omitempty"`
	// For says where it may be used: everywhere, or a group. Fades is when it is forgotten unless it is used.
	For   string    `json:"for"`
	Fades time.Time `json:"fades,omitzero"`
	Text  string    `json:"text"`
}

func newList(inv *cli.Invocation) *cobra.Command {
	var key string
	kind, limit := cli.Choice{Of: cli.Strings([]model.Kind{model.Web, model.Lore})}, cli.Count(50)
	cmd := &cobra.Command{
		Use: "list", Short: "List what came from the web and from others, newest first", Args: cobra.NoArgs,
		Example: "  familiar lore list\n  familiar lore list --kind web --json",
		RunE: inv.OnStore(func(cmd *cobra.Command, _ []string, cfg *config.Config, store *memory.Store) error {
			var all []model.Memory
			for _, k := range []model.Kind{model.Web, model.Lore} {
				if kind.Value != "" && kind.Value != string(k) {
					continue
				}
				some, err := store.Entries.ListMemories(cmd.Context(), entry.MemoryFilter{Persona: cmp.Or(key, cfg.Persona), Kind: k, Limit: int(limit)})
				if err != nil {
					return err
				}
				all = append(all, some...)
			}
			slices.SortFunc(all, func(a, b model.Memory) int { return cmp.Compare(b.ID, a.ID) })
			rows := make([]row, 0, len(all))
			for _, m := range all[:min(len(all), int(limit))] {
				r, err := rowOf(cmd.Context(), cfg, store, m)
				if err != nil {
					return err
				}
				rows = append(rows, r)
			}
			return cli.Render(inv, rows)
		}),
	}
	personaFlag(inv, cmd, &key)
	cli.ChoiceFlag(cmd, &kind, "kind", "only what was read on the web, or only lore of others")
	cmd.Flags().Var(&limit, "limit", "how many")
	return cmd
}

// rowOf returns how a memory is listed.
func rowOf(ctx context.Context, cfg *config.Config, store *memory.Store, m model.Memory) (row, error) {
	r := row{ID: m.ID, Kind: string(m.Kind), For: "everywhere", Fades: cli.InZone(m.ForgetAt, cfg), Text: m.Text}
	if m.Audience.Kind != model.World {
		room, err := store.Log.RoomByID(ctx, m.Audience.Ref)
		if err != nil {
			return r, err
		}
		r.For = find.RoomName(room)
	}
	if n, ok := webnote.Parse(m.Text); ok && m.Kind == model.Web {
		r.From, r.Day, r.Text = n.Host(), n.Read.Format(time.DateOnly), n.Text
	}
	if m.Kind != model.Lore {
		return r, nil
	}
	o, err := store.Lore.Origin(ctx, m.ID)
	if errors.Is(err, memory.ErrNotFound) {
		return r, nil // its import was left out of an export
	}
	r.From = o.Signer
	return r, err
}

// detail is one piece of lore with its source.
type detail struct {
	row
	Title     string `json:"title,omitempty"`
	Address   string `json:"address,omitempty"`
	Published string `json:"published,omitempty"`
	// Topics are the topic it was read about, or its keys.
	Topics []string `json:"topics,omitempty"`
	// Run is the run of the job that read it.
	Run int64 `json:"run,omitempty"`
	// Persona is whose lore it is, at home with the signer.
	Persona     string    `json:"persona,omitempty"`
	Fingerprint string    `json:"fingerprint,omitempty"`
	Signed      time.Time `json:"signed,omitzero"`
	Import      int64     `json:"import,omitempty"`
	Imported    time.Time `json:"imported,omitzero"`
	Used        int       `json:"used"`
}

func newShow(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "show NUMBER", Short: "Show a piece of lore with its source", Args: cobra.ExactArgs(1),
		RunE: inv.OnStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
			m, err := piece(cmd, store, args[0])
			if err != nil {
				return err
			}
			d := detail{Topics: m.Entities, Run: m.JobRun, Used: m.Uses}
			if d.row, err = rowOf(cmd.Context(), cfg, store, m); err != nil {
				return err
			}
			if n, ok := webnote.Parse(m.Text); ok {
				d.Title, d.Address = n.Title, n.Address
				if !n.Published.IsZero() {
					d.Published = n.Published.Format(time.DateOnly)
				}
			}
			if m.Kind == model.Lore {
				if err := d.addOrigin(cmd.Context(), cfg, store, m.ID); err != nil {
					return err
				}
			}
			return cli.RenderOne(inv, d)
		}),
	}
}

// piece returns the piece of lore with a number. Other memories are none.
func piece(cmd *cobra.Command, store *memory.Store, word string) (m model.Memory, err error) {
	id, err := cli.ParseID(cmd, word)
	if err != nil {
		return m, err
	}
	m, err = store.Entries.Memory(cmd.Context(), id)
	if err == nil && !m.Kind.Foreign() {
		err = memory.ErrNotFound
	}
	return m, cli.WithListHint(cmd, err)
}

// addOrigin adds who signed a piece of lore, and what the file says of it.
func (d *detail) addOrigin(ctx context.Context, cfg *config.Config, store *memory.Store, id int64) error {
	o, err := store.Lore.Origin(ctx, id)
	if errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	d.Persona, d.Import, d.Signed, d.Imported = o.SourceName, o.ID, cli.InZone(o.Signed, cfg), cli.InZone(o.Imported, cfg)
	key, err := signedlore.ParseKey(o.Key)
	if err != nil {
		return err
	}
	d.Fingerprint = key.Fingerprint()
	if o.Content == "" {
		return nil
	}
	file, err := signedlore.Open([]byte(o.Content), func(signedlore.Key) error { return nil })
	if err != nil {
		return err
	}
	for _, e := range file.Entries {
		if e.ID == o.Entry {
			d.Title, d.Address, d.Topics = e.Title, e.Address, e.Keys
			d.Day, d.Text = e.Day, e.Text
		}
	}
	return nil
}
