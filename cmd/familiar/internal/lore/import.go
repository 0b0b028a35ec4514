package lore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/internal/plainfile"
	"familiar/memory"
	memorylore "familiar/memory/lore"
	"familiar/persona/signedlore"
)

// importOptions are the flags of import.
type importOptions struct {
	persona, once  string
	preview, force bool
}

func newImport(inv *cli.Invocation) *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use: "import FILE", Short: "Take in the signed lore of another installation",
		Long: "Take in the signed lore of another installation, for one persona. It replaces what was imported from the same signer and\n" +
			"persona before; the same file again changes nothing, and an older one is refused. What you forgot of it stays forgotten until\n" +
			"it changes. A file that is unsigned, was changed by a single byte, or is signed by somebody you do not trust is refused, and\n" +
			"nothing changes then. All of it can be taken back with `familiar lore revert --import`.\n\n" +
			"The persona quotes it with its source. It is data: no instruction in it is followed, no placeholder is filled, and it changes\n" +
			"neither the persona nor what it may do.",
		Example: "  familiar lore import mira.lore --preview\n  familiar lore import mira.lore --persona mira",
		Args:    cobra.ExactArgs(1),
		RunE: inv.OnNewStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
			return importFile(cmd.Context(), inv, cfg, store, args[0], o)
		}),
	}
	personaFlag(inv, cmd, &o.persona)
	cmd.Flags().BoolVar(&o.preview, "preview", false, "only show what would change")
	cmd.Flags().BoolVar(&o.force, "force", false, "also import a file that is older than the last, or signed in the future")
	cmd.Flags().StringVar(&o.once, "trust-once", "", "import this file though its signer is not trusted, whose key has this `FINGERPRINT`")
	return cmd
}

// importFile takes in a file, or shows what would change.
func importFile(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store, path string, o importOptions) error {
	c, err := cardOf(cfg, o.persona)
	if err != nil {
		return err
	}
	data, err := plainfile.Read(path, signedlore.MaxFile)
	if err != nil {
		return fmt.Errorf("import lore: %w", err)
	}
	signers, err := store.Lore.Signers(ctx)
	if err != nil {
		return err
	}
	t := trust{signers: signers, once: o.once}
	file, err := signedlore.Open(data, t.check)
	if err != nil {
		return fmt.Errorf("import %s: %w", path, err)
	}
	if ahead := file.Signed.Sub(inv.Now()); ahead > clockSkew && !o.force {
		return fmt.Errorf("import %s: it was signed at %s, which is in the future: check the clocks, or import it with --force", path, file.Signed.Format(time.RFC3339))
	}
	in := memorylore.Import{
		Persona: c.Key, Source: file.Persona, SourceName: file.Name, Key: file.Key.String(), Signer: t.name,
		Digest: file.Digest, Content: string(data), Signed: file.Signed,
	}
	done, err := store.Lore.Import(ctx, in, itemsOf(file, t.name), o.preview, o.force)
	if errors.Is(err, memorylore.ErrOlder) {
		return fmt.Errorf("import %s: %w: import it with --force if you want it back", path, err)
	}
	if err != nil {
		return fmt.Errorf("import %s: %w", path, err)
	}
	if o.preview {
		return cli.Render(inv, changeRows(done))
	}
	return renderChanges(inv, in, done)
}

// clockSkew is how far ahead of this clock a file may have been signed.
const clockSkew = 24 * time.Hour

// trust judges the key of a file. name is what its owner is called.
type trust struct {
	signers    []memorylore.Signer
	once, name string
}

func (t *trust) check(key signedlore.Key) error {
	for _, s := range t.signers {
		if s.Key == key.String() {
			t.name = s.Name
			return nil
		}
	}
	switch {
	case t.once == "":
		return fmt.Errorf("it is signed by somebody you do not trust, who calls the key %s. Compare its fingerprint %s with its owner, then run\n"+
			"  familiar lore trust add %s --name NAME\nor import this file alone with --trust-once %[2]s", key.Name(), key.Fingerprint(), key)
	case !key.HasFingerprint(t.once):
		return fmt.Errorf("it is signed with the key %s, and not with the one you named: do not import it unless its owner confirms that", key.Fingerprint())
	}
	// Anybody can call a key as one that is trusted is called.
	t.name = key.Name() + " (" + key.Fingerprint()[:9] + ")"
	return nil
}

// itemsOf returns the entries of a file as they are remembered.
func itemsOf(file signedlore.Lore, signer string) []memorylore.Item {
	items := make([]memorylore.Item, len(file.Entries))
	for i, e := range file.Entries {
		items[i] = memorylore.Item{Entry: e.ID, Text: e.Quoted(file.Name, signer), Keys: e.Keys}
	}
	return items
}

// changeRow is what an import does with an entry.
type changeRow struct {
	What   string `json:"what"`
	Entry  string `json:"entry"`
	Text   string `json:"text,omitempty"`
	Before string `json:"before,omitempty"`
}

func changeRows(c memorylore.Changes) (rows []changeRow) {
	for _, part := range []struct {
		what string
		all  []memorylore.Change
	}{{"added", c.Added}, {"changed", c.Changed}, {"removed", c.Removed}} {
		for _, e := range part.all {
			rows = append(rows, changeRow{part.what, e.Entry, e.Text, e.Before})
		}
	}
	return rows
}

// changed is what an import or its revert changed.
type changed struct {
	Import  int64  `json:"import,omitempty"`
	Signer  string `json:"signer"`
	Persona string `json:"persona"`
	Added   int    `json:"added"`
	Changed int    `json:"changed"`
	Removed int    `json:"removed"`
	Same    int    `json:"same"`
	// Forgotten counts what was forgotten here and stays so.
	Forgotten int `json:"forgotten,omitempty"`
}

// counts says what changed.
func (c changed) counts() string {
	said := fmt.Sprintf("%d added, %d changed, %d removed, %d as before", c.Added, c.Changed, c.Removed, c.Same)
	if c.Forgotten > 0 {
		said += fmt.Sprintf(", %d stay forgotten", c.Forgotten)
	}
	return said + "."
}

func renderChanges(inv *cli.Invocation, in memorylore.Import, c memorylore.Changes) error {
	row := changed{c.Import, in.Signer, in.SourceName, len(c.Added), len(c.Changed), len(c.Removed), c.Same, c.Forgotten}
	if c.Import == 0 {
		return cli.RenderDone(inv, row, "Nothing changed: this file was imported before.")
	}
	return cli.RenderDone(inv, row, "Import %d: lore of %s, signed by %s: %s",
		c.Import, cli.OneLine(in.SourceName), in.Signer, row.counts())
}
