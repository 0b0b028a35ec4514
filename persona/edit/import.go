// Package edit is what an operator does with the files of personas: making one of a character card and a card of one. The command
// line and the dashboard share it.
package edit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"familiar/internal/plainfile"
	"familiar/persona/card"
	"familiar/persona/character"
)

// Part is one line of the plan of an import: a part of the card, how much of it there is, and what becomes of it.
type Part struct {
	Part string `json:"part"`
	What string `json:"what"`
	Goes string `json:"goes"`
}

// Import is what an import is about to make.
type Import struct {
	Key   string
	Parts []Part
	// Replaces reports that a persona with the key, or files of one, is there already.
	Replaces bool
	// Text is the persona's file.
	Text []byte

	dir    string
	lore   []byte
	source []byte
	format character.Format
	// before is the persona's file as it was when the import was planned, nil for none, loreBefore its lorebook.
	before, loreBefore []byte
	there              string
}

// ErrExists reports that a persona with the key of an import is there already.
var ErrExists = errors.New("already exists")

// Plan reads a file and decides what to write below dir, the directory of the personas. It writes nothing. name is how the file is
// called, as the key of the persona, "" for one made from the name.
func Plan(dir, name string, data []byte, as string) (*Import, error) {
	p := &Import{Key: as, dir: dir}
	var err error
	if ext := strings.ToLower(filepath.Ext(name)); ext == ".yaml" || ext == ".yml" {
		p.Key = cmp.Or(as, card.KeyOf(strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))))
		err = p.fromYAML(data)
	} else {
		err = p.fromCard(name, data)
	}
	if err != nil {
		return nil, err
	}
	return p, p.look()
}

// fromYAML plans a copy of a persona file.
func (p *Import) fromYAML(data []byte) error {
	if !card.ValidKey(p.Key) {
		return fmt.Errorf("no key can be made from the name of the file: choose one")
	}
	c, err := card.ParseCard(p.Key+".yaml", data)
	if err != nil {
		return err
	}
	p.Parts = []Part{{"persona", c.Name, "personas/" + p.Key + ".yaml"}}
	p.Text = data
	return nil
}

// fromCard plans the files of a character card.
func (p *Import) fromCard(name string, data []byte) error {
	file, err := character.Parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w%s", name, err, hintForLore(data))
	}
	if p.Key == "" {
		if p.Key = card.KeyOf(file.Name); p.Key == "" {
			return fmt.Errorf("no key can be made from the name %q: choose one with --as KEY", oneLine(file.Name))
		}
	}
	if p.Text, err = card.FromCharacter(p.Key, file.Character); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	p.source, p.format = data, file.Format
	if file.Book != nil {
		if p.lore, err = file.Book.Write(); err != nil {
			return err
		}
	}
	p.describe(file)
	return nil
}

// look notes what is there already.
func (p *Import) look() (err error) {
	p.before, p.there, err = card.CardText(p.dir, p.Key)
	if err != nil && !errors.Is(err, card.ErrNoCard) {
		return err
	}
	if p.loreBefore, err = card.LoreText(p.dir, p.Key); err != nil {
		return err
	}
	p.Replaces = p.before != nil
	for _, f := range p.paths() {
		if _, err := os.Lstat(f); !errors.Is(err, fs.ErrNotExist) && !p.Replaces {
			p.Replaces, p.there = true, f
		}
	}
	return nil
}

// paths returns the files that an import writes.
func (p *Import) paths() []string {
	all := []string{card.CardFile(p.dir, p.Key)}
	if p.lore != nil {
		all = append(all, card.LoreFile(p.dir, p.Key))
	}
	if p.source != nil {
		all = append(all, card.SourceFile(p.dir, p.Key, p.format))
	}
	return all
}

// Files returns the paths of the files that were or will be written, the persona's last.
func (p *Import) Files() []string {
	all := p.paths()
	return append(all[1:], all[0])
}

// New fails with ErrExists if the import would replace something.
func (p *Import) New() error {
	switch {
	case p.before != nil:
		return fmt.Errorf("the persona %s %w (%s): import under another key with --as KEY", p.Key, ErrExists, p.there)
	case p.Replaces:
		return fmt.Errorf("%s %w: move it away, or import under another key with --as KEY", p.there, ErrExists)
	}
	return nil
}

// Write makes a new persona: all its files or none. It fails with ErrExists if it would replace something.
func (p *Import) Write(at time.Time) error {
	if err := p.New(); err != nil {
		return err
	}
	var written []string
	for _, path := range p.Files() { // the persona's file comes last: it makes the persona
		data := p.Text
		switch path {
		case card.LoreFile(p.dir, p.Key):
			data = p.lore
		case card.CardFile(p.dir, p.Key):
		default:
			data = p.source
		}
		if err := plainfile.WriteNew(path, data); err != nil {
			for _, path := range written {
				err = errors.Join(err, os.Remove(path))
			}
			return err
		}
		written = append(written, path)
	}
	if err := card.Keep(p.dir, p.Key, p.Text, card.Imported, at); err != nil {
		return fmt.Errorf("the persona %s is imported, but: %w", p.Key, err)
	}
	return nil
}

// Replace makes the persona that has the key already what the import says. Its file and its lorebook stay in the history, and the
// character card that it was made from is kept there too. It fails with card.ErrOutdated if the persona changed since the plan.
func (p *Import) Replace(ctx context.Context, at time.Time) error {
	if _, err := card.Replace(ctx, p.dir, p.Key, p.before, p.Text, card.Imported, at); err != nil {
		return err
	}
	if p.source == nil { // a persona's file says nothing of the rest
		return nil
	}
	if !bytes.Equal(p.loreBefore, p.lore) {
		if _, err := card.ReplaceLore(ctx, p.dir, p.Key, p.loreBefore, p.lore, card.Imported, at); err != nil {
			return err
		}
	}
	return card.ReplaceSource(p.dir, p.Key, p.source, p.format, at)
}
