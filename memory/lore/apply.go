package lore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/lifecycle"
	"familiar/memory/log"
	"familiar/memory/model"
)

// Item is an entry as it is remembered: a text that names its source, and names and words it is found by.
type Item struct {
	Entry, Text string
	Keys        []string
}

// Change is what an import does with an entry.
type Change struct {
	Entry string
	// Text is the new text, empty for what is removed. Before is the one until now, empty for what is new.
	Text, Before string
}

// Changes are what an import does.
type Changes struct {
	// Import is its number, 0 for a preview and for a file that is known.
	Import                  int64
	Added, Changed, Removed []Change
	// Same counts the entries that stay, Forgotten those of the file that were forgotten here and stay so.
	Same, Forgotten int
}

// Nothing reports that nothing changes.
func (c Changes) Nothing() bool { return len(c.Added)+len(c.Changed)+len(c.Removed) == 0 }

// ErrOlder reports a file that is older than what was taken in from the same signer and persona.
var ErrOlder = errors.New("it is older than what was imported before")

// salience is that of what an operator tells for everybody.
const salience = entry.SalienceElsewhere

// Import makes items what a persona knows from a signer's persona, in place of what it knew from them before, in one transaction.
// The same file again changes nothing. It fails with ErrOlder for a file that is older than the last, unless anyway is set. preview
// changes nothing at all.
func (s *Store) Import(ctx context.Context, in Import, items []Item, preview, anyway bool) (done Changes, err error) {
	run := s.db.Write
	if preview {
		run = s.db.Read
	}
	err = run(ctx, "import lore for "+in.Persona, func(tx *db.Tx) error {
		last, err := latest(tx, in)
		if err != nil {
			return err
		}
		if last.ID != 0 && last.Digest != in.Digest && !in.Signed.After(last.Signed) && !anyway {
			return fmt.Errorf("%w: import %d was signed on %s, this on %s", ErrOlder, last.ID, stamp(last.Signed), stamp(in.Signed))
		}
		done, err = apply(tx, in, items, preview || last.Digest == in.Digest)
		return err
	})
	return done, err
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }

// latest returns the last import from the same signer and persona that holds, the zero Import if there is none.
func latest(tx *db.Tx, of Import) (Import, error) {
	last, err := db.One(tx.QueryRow(selectImports+`WHERE persona = ? AND key = ? AND source = ? AND reverted_at IS NULL ORDER BY id DESC LIMIT 1`,
		of.Persona, of.Key, of.Source), scanImport)
	if errors.Is(err, db.ErrNotFound) {
		return Import{}, nil
	}
	return last, err
}

// apply makes items what is known from the signer's persona. Without keep it only says what would change.
func apply(tx *db.Tx, in Import, items []Item, look bool) (Changes, error) {
	known, err := knownFrom(tx, in)
	if err != nil {
		return Changes{}, err
	}
	done, wanted := compare(known, items)
	if look || done.Nothing() && in.ID != 0 {
		return done, nil
	}
	if in.ID == 0 {
		if in.ID, err = insertImport(tx, in); err != nil {
			return done, err
		}
	}
	done.Import = in.ID
	if err := remove(tx, gone(known, done)); err != nil {
		return done, err
	}
	for _, item := range wanted {
		if err := remember(tx, in, item); err != nil {
			return done, fmt.Errorf("entry %s: %w", item.Entry, err)
		}
	}
	return done, nil
}

func insertImport(tx *db.Tx, in Import) (int64, error) {
	return tx.Insert(`INSERT INTO lore_imports (persona, key, signer, source, source_name, digest, content, signed_at, imported_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, in.Persona, in.Key, in.Signer, in.Source, in.SourceName, in.Digest, in.Content,
		db.Millis(in.Signed), tx.NowMillis())
}

// known is an entry that holds.
type known struct {
	of            int64
	entry, digest string
	text          string
	memory        scope.MemoryRef
}

// knownFrom returns the entries from the signer's persona, by their ids.
func knownFrom(tx *db.Tx, in Import) (map[string]known, error) {
	all, err := db.Collect[known](tx.Query(`SELECT i.import_id, i.entry, i.digest, coalesce(m.id, 0), coalesce(m.text, ''), coalesce(m.tier, '')
		FROM lore_items i JOIN lore_imports l ON l.id = i.import_id LEFT JOIN memories m ON m.id = i.memory_id
		WHERE l.persona = ? AND l.key = ? AND l.source = ?`, in.Persona, in.Key, in.Source))(func(row db.Scanner) (k known, err error) {
		err = row.Scan(&k.of, &k.entry, &k.digest, &k.memory.MemoryID, &k.text, &k.memory.Tier)
		k.memory.Persona, k.memory.Audience = in.Persona, model.Audience{Kind: model.World}
		return k, err
	})
	if err != nil {
		return nil, err
	}
	byEntry := make(map[string]known, len(all))
	for _, k := range all {
		byEntry[k.entry] = k
	}
	return byEntry, nil
}

// compare returns what changes, and the items that are to be remembered. What was forgotten here stays so while its text does.
func compare(before map[string]known, items []Item) (done Changes, fresh []Item) {
	named := make(map[string]bool, len(items))
	for _, item := range items {
		item.Text = log.Redact(model.StripInvisible(item.Text))
		named[item.Entry] = true
		switch k, ok := before[item.Entry]; {
		case ok && k.digest == digest(item) && k.memory.MemoryID == 0:
			done.Forgotten++
		case ok && k.digest == digest(item):
			done.Same++
		case ok:
			done.Changed = append(done.Changed, Change{item.Entry, item.Text, k.text})
			fresh = append(fresh, item)
		default:
			done.Added = append(done.Added, Change{Entry: item.Entry, Text: item.Text})
			fresh = append(fresh, item)
		}
	}
	for id, k := range before {
		if !named[id] {
			done.Removed = append(done.Removed, Change{Entry: id, Before: k.text})
		}
	}
	slices.SortFunc(done.Removed, func(a, b Change) int { return cmp.Compare(a.Entry, b.Entry) })
	return done, fresh
}

// digest is the hash of what is remembered of an item.
func digest(item Item) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q", item.Text, entry.NormalizeEntities(item.Keys)))
	return hex.EncodeToString(sum[:16])
}

// gone returns the known entries whose text does not hold any more.
func gone(before map[string]known, done Changes) (all []known) {
	for _, c := range slices.Concat(done.Changed, done.Removed) {
		all = append(all, before[c.Entry])
	}
	return all
}

// remove removes entries with their memories.
func remove(tx *db.Tx, all []known) error {
	var memories []scope.MemoryRef
	for _, k := range all {
		if _, err := tx.Exec(`DELETE FROM lore_items WHERE import_id = ? AND entry = ?`, k.of, k.entry); err != nil {
			return err
		}
		if k.memory.MemoryID != 0 {
			memories = append(memories, k.memory)
		}
	}
	_, err := lifecycle.Drop(tx, memories)
	return err
}

// remember stores an item.
func remember(tx *db.Tx, in Import, item Item) error {
	id, err := entry.Remember(tx, entry.NewMemory{
		Persona: in.Persona, Audience: model.Audience{Kind: model.World}, Origin: model.OriginJob, Kind: model.Lore, Sector: model.Semantic,
		Text: item.Text, Salience: salience, Entities: item.Keys,
	})
	if err != nil {
		return err
	}
	_, err = tx.Exec(`INSERT INTO lore_items (import_id, entry, digest, memory_id) VALUES (?, ?, ?, ?)`, in.ID, item.Entry, digest(item), id)
	return err
}

// ErrNotLast reports an import that was followed by another from the same signer and persona.
var ErrNotLast = errors.New("a later import holds: revert that one first")

// ErrNoContent reports an import before which a file held that this installation does not have.
var ErrNoContent = errors.New("the file that held before is not kept here: import it again with --force")

// Revert takes an import back. What held before it holds again: read turns the content of that file into items. It fails with
// ErrNotLast if a later file of the same signer and persona holds, with ErrNoContent, and with db.ErrNotFound if there is no such
// import or it was taken back before.
func (s *Store) Revert(ctx context.Context, id int64, read func(Import) ([]Item, error)) (done Changes, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("revert import %d of lore", id), func(tx *db.Tx) error {
		in, err := db.One(tx.QueryRow(selectImports+`WHERE id = ? AND reverted_at IS NULL`, id), scanImport)
		if err != nil {
			return err
		}
		last, err := latest(tx, in)
		if err != nil {
			return err
		}
		if last.ID != id {
			return fmt.Errorf("%w: import %d", ErrNotLast, last.ID)
		}
		if _, err := tx.Exec(`UPDATE lore_imports SET reverted_at = ? WHERE id = ?`, tx.NowMillis(), id); err != nil {
			return err
		}
		before, err := latest(tx, in)
		if err != nil {
			return err
		}
		var items []Item
		if before.ID != 0 {
			if before.Content == "" {
				return ErrNoContent
			}
			if items, err = read(before); err != nil {
				return fmt.Errorf("read import %d, which held before: %w", before.ID, err)
			}
		}
		holds := before
		if before.ID == 0 {
			holds = in // nothing of it is left
		}
		done, err = apply(tx, holds, items, false)
		return err
	})
	return done, err
}
