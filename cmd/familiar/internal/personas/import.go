package personas

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/internal/plainfile"
	"familiar/persona/card"
	"familiar/persona/character"
)

func newPersonaImport(inv *cli.Invocation) *cobra.Command {
	var as string
	var yes, dry bool
	cmd := &cobra.Command{
		Use: "import FILE", Short: "Make a persona from a character card",
		Long: "Make a persona from a character card: version 1, 2 or 3, as JSON, in a PNG or APNG image, or as a CHARX archive. A persona\n" +
			"file (.yaml) is taken too. First it shows what goes where, what is kept without being used and what was wrong, and asks.\n" +
			"It makes a persona file, a file with the lorebook beside it, and keeps the original card, so that an export loses nothing.\n" +
			"Nothing is overwritten, nothing that the card names on the network is fetched, and a card that cannot be read leaves\n" +
			"nothing behind.",
		Example: "  familiar persona import Mira.png --dry-run\n  familiar persona import Mira.charx --as mira --yes",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if as != "" && !card.ValidKey(as) {
				return cli.Usage(cmd, fmt.Errorf("%q is not a valid key: use up to 40 characters of a–z, 0–9 and -", as))
			}
			if !yes && !dry && !inv.Interactive {
				return cli.Usage(cmd, errors.New("nobody can be asked here: look with --dry-run, then import with --yes"))
			}
			return importPersona(cmd.Context(), inv, args[0], as, yes, dry)
		},
	}
	cmd.Flags().StringVar(&as, "as", "", "the `KEY` of the persona (default: made from the name)")
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only show what would be made")
	return cmd
}

// importPersona plans, shows, asks and writes.
func importPersona(ctx context.Context, inv *cli.Invocation, path, as string, yes, dry bool) error {
	home, err := inv.Home()
	if err != nil {
		return err
	}
	plan, err := planImport(home.Personas(), path, as)
	if err != nil {
		return err
	}
	if !inv.JSON || dry {
		if err := cli.Render(inv, plan.rows); err != nil {
			return err
		}
	}
	if dry {
		return nil
	}
	if !yes {
		if err := cli.Confirm(ctx, inv, "Make the persona "+plan.key+"?"); err != nil {
			return err
		}
	}
	if err := home.Create(); err != nil {
		return err
	}
	if err := writeAll(plan.files); err != nil {
		return err
	}
	made := plan.files[len(plan.files)-1] // the persona's file
	if err := card.Keep(home.Personas(), plan.key, made.data, card.Imported, inv.Now()); err != nil {
		return fmt.Errorf("the persona %s is imported, but: %w", plan.key, err)
	}
	if inv.JSON {
		return cli.Render(inv, plan.rows)
	}
	for _, f := range plan.files {
		inv.Say("wrote %s", f.path)
	}
	inv.Say("speak with it: familiar chat --persona %s", plan.key)
	return nil
}

// importedPart is one line of the plan: a part of the card, how much of it there is, and what becomes of it.
type importedPart struct {
	Part string `json:"part"`
	What string `json:"what"`
	Goes string `json:"goes"`
}

// cardImport is what an import is about to make.
type cardImport struct {
	key   string
	files []newFile
	rows  []importedPart
}

// newFile is a file to be written.
type newFile struct {
	path string
	data []byte
}

// planImport reads a file and decides what to write. It writes nothing.
func planImport(dir, path, as string) (*cardImport, error) {
	data, err := plainfile.Read(path, character.MaxFile)
	if err != nil {
		return nil, fmt.Errorf("import a persona: %w", err)
	}
	plan := &cardImport{key: as}
	if ext := filepath.Ext(path); ext == ".yaml" || ext == ".yml" {
		plan.key = cmp.Or(as, card.KeyOf(strings.TrimSuffix(filepath.Base(path), ext)))
		err = plan.fromYAML(dir, path, data)
	} else {
		err = plan.fromCard(dir, path, data)
	}
	if err != nil {
		return nil, err
	}
	return plan, plan.clobbersNothing(dir)
}

// fromYAML plans a copy of a persona file.
func (p *cardImport) fromYAML(dir, path string, data []byte) error {
	c, err := card.ParseCard(p.key+filepath.Ext(path), data)
	if err != nil {
		return err
	}
	p.rows = []importedPart{{"persona", c.Name, "personas/" + p.key + ".yaml"}}
	p.files = []newFile{{card.CardFile(dir, p.key), data}}
	return nil
}

// fromCard plans the files of a character card.
func (p *cardImport) fromCard(dir, path string, data []byte) error {
	file, err := character.Parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w%s", path, err, hintForLore(data))
	}
	if p.key == "" {
		if p.key = card.KeyOf(file.Name); p.key == "" {
			return fmt.Errorf("no key can be made from the name %q: choose one with --as KEY", cli.OneLine(file.Name))
		}
	}
	text, err := card.FromCharacter(p.key, file.Character)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	p.files = []newFile{{card.SourceFile(dir, p.key, file.Format), data}}
	if file.Book != nil {
		book, err := file.Book.Write()
		if err != nil {
			return err
		}
		p.files = append(p.files, newFile{card.LoreFile(dir, p.key), book})
	}
	p.files = append(p.files, newFile{card.CardFile(dir, p.key), text}) // last: it makes the persona
	p.describe(file)
	return nil
}

// clobbersNothing fails if a persona has the key, or if one of the files exists.
func (p *cardImport) clobbersNothing(dir string) error {
	_, file, err := card.CardText(dir, p.key)
	switch {
	case err == nil:
		return fmt.Errorf("the persona %s already exists (%s): import under another key with --as KEY", p.key, file)
	case !errors.Is(err, card.ErrNoCard):
		return err
	}
	for _, f := range p.files {
		if _, err := os.Lstat(f.path); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s already exists: move it away, or import under another key with --as KEY", f.path)
		}
	}
	return nil
}

// writeAll writes all files or none.
func writeAll(files []newFile) error {
	for i, f := range files {
		err := config.WriteNew(f.path, f.data)
		if err == nil {
			continue
		}
		for _, written := range files[:i] {
			err = errors.Join(err, os.Remove(written.path))
		}
		return err
	}
	return nil
}
