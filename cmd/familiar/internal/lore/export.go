package lore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/internal/plainfile"
	"familiar/memory"
	"familiar/persona/signedlore"
)

// exported is what happened to the lore of a persona: entries in the file, and what was left out.
type exported struct {
	What  string `json:"what"`
	Entry string `json:"entry,omitempty"`
	// Why it was left out.
	Why  string `json:"why,omitempty"`
	Text string `json:"text"`
}

func newExport(inv *cli.Invocation) *cobra.Command {
	var key string
	var preview bool
	cmd := &cobra.Command{
		Use: "export FILE", Short: "Write what a persona knows of its world as a signed file",
		Long: "Write what a persona knows of its world as a signed file, which other installations import: its lorebook, what you told and\n" +
			"ingested for everybody, and what it read on the web for everybody. Nothing that anybody said is in it, nothing of a person or\n" +
			"a room, no instruction you gave the persona, and no lore of others. An entry that has the name of somebody known here is left\n" +
			"out and shown; secrets are redacted. What a text says is not judged: read it with --preview first.",
		Example: "  familiar lore export mira.lore --persona mira --preview\n  familiar lore export mira.lore --persona mira",
		Args:    cobra.RangeArgs(0, 1),
		RunE: inv.OnNewStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
			if len(args) == 0 && !preview {
				return cli.Usage(cmd, fmt.Errorf("name the file to write, or look with --preview"))
			}
			return export(cmd.Context(), inv, cfg, store, key, args, preview)
		}),
	}
	personaFlag(inv, cmd, &key)
	cmd.Flags().BoolVar(&preview, "preview", false, "only show what would be written")
	return cmd
}

// export writes the lore of a persona, or shows it.
func export(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store, key string, args []string, preview bool) error {
	c, err := cardOf(cfg, key)
	if err != nil {
		return err
	}
	entries, out, err := collect(ctx, store, c)
	if err != nil {
		return err
	}
	if preview {
		rows := make([]exported, 0, len(entries)+len(out))
		for _, e := range entries {
			rows = append(rows, exported{What: string(e.Kind), Entry: e.ID, Text: e.Text})
		}
		for _, o := range out {
			rows = append(rows, exported{What: "left out", Why: o.why, Text: o.text})
		}
		return cli.Render(inv, rows)
	}
	if len(entries) == 0 {
		return fmt.Errorf("%s knows nothing that could be given away: add lore with `familiar persona lore add` or `familiar memory add`", c.Key)
	}
	by, err := ownKey(inv, cfg.Home, "")
	if err != nil {
		return err
	}
	file, err := signedlore.Sign(signedlore.Lore{Persona: c.Key, Name: c.Name, Signed: inv.Now().UTC().Truncate(time.Millisecond), Entries: entries}, by)
	if err != nil {
		return err
	}
	if err := plainfile.WriteNew(args[0], file); err != nil {
		return err
	}
	for _, o := range out {
		inv.Note("left out, since it %s: %s", o.why, cli.OneLine(o.text))
	}
	done := struct {
		File        string `json:"file"`
		Entries     int    `json:"entries"`
		LeftOut     int    `json:"left_out"`
		Fingerprint string `json:"fingerprint"`
	}{args[0], len(entries), len(out), by.Public().Fingerprint()}
	return cli.RenderDone(inv, done, "%s has %d entries, signed with the key %s.", args[0], len(entries), done.Fingerprint)
}

// leftOut is lore that is not given away.
type leftOut struct{ text, why string }

// keep adds an entry unless it may not be given away.
func (c *collection) keep(e signedlore.Entry) {
	if name := c.names.in(e.Text, e.Title); name != "" {
		c.out = append(c.out, leftOut{e.Text, "has the name of " + name})
		return
	}
	e.Keys = slices.DeleteFunc(e.Keys, func(k string) bool { return c.names.in(k) != "" })
	c.ids[e.ID]++
	if n := c.ids[e.ID]; n > 1 {
		e.ID = fmt.Sprintf("%s-%d", e.ID, n)
	}
	c.entries = append(c.entries, e)
}
