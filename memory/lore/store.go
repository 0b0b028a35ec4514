// Package lore keeps signed lore of other installations: whose is trusted, which files were taken in, and what each entry became. The
// lore itself is memories of kind lore, which everybody may see.
package lore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Store keeps lore.
type Store struct{ db *db.DB }

// New returns the lore in d.
func New(d *db.DB) *Store { return &Store{db: d} }

// Signer is somebody whose lore is taken in.
type Signer struct {
	// Key is the public key, Name what the operator calls them.
	Key, Name string
	Added     time.Time
}

// ErrTaken reports a name that another key has.
var ErrTaken = errors.New("another key has this name: choose another, or remove that one first")

// Trust adds a signer, or renames one.
func (s *Store) Trust(ctx context.Context, key, name string) error {
	return s.db.Write(ctx, "trust "+name, func(tx *db.Tx) error {
		var other int
		if err := tx.QueryRow(`SELECT count(*) FROM lore_signers WHERE name = ? AND key <> ?`, name, key).Scan(&other); err != nil {
			return err
		}
		if other > 0 {
			return ErrTaken
		}
		_, err := tx.Exec(`INSERT INTO lore_signers (key, name, added_at) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET name = excluded.name`,
			key, name, tx.NowMillis())
		return err
	})
}

// Distrust removes a signer by name or key and returns it. What was taken in stays. It fails with db.ErrNotFound if there is none.
func (s *Store) Distrust(ctx context.Context, which string) (signer Signer, err error) {
	err = s.db.Write(ctx, "remove a signer", func(tx *db.Tx) error {
		signer, err = db.One(tx.QueryRow(`DELETE FROM lore_signers WHERE name = ?1 OR key = ?1 RETURNING key, name, added_at`, which), scanSigner)
		return err
	})
	return signer, err
}

// Signers lists the signers by name.
func (s *Store) Signers(ctx context.Context) (all []Signer, err error) {
	err = s.db.ReadOne(ctx, "list the signers of lore", func(tx *db.Tx) error {
		all, err = db.Collect[Signer](tx.Query(`SELECT key, name, added_at FROM lore_signers ORDER BY name`))(scanSigner)
		return err
	})
	return all, err
}

func scanSigner(row db.Scanner) (s Signer, err error) {
	err = row.Scan(&s.Key, &s.Name, db.IntoTime(&s.Added))
	return s, err
}

// Import is a file that was taken in.
type Import struct {
	ID int64
	// Persona got it. Source is the key of the persona whose lore it is, SourceName its name.
	Persona, Source, SourceName string
	// Key is the public key, Signer what the signer was called then.
	Key, Signer string
	// Digest identifies the file, Content is it; empty if another file of this installation had it.
	Digest, Content string
	// Signed is when it was signed, Imported when it was taken in, Reverted when it was taken back, zero for never.
	Signed, Imported, Reverted time.Time
}

const selectImports = `SELECT id, persona, key, signer, source, source_name, digest, content, signed_at, imported_at, reverted_at FROM lore_imports `

func scanImport(row db.Scanner) (i Import, err error) {
	err = row.Scan(&i.ID, &i.Persona, &i.Key, &i.Signer, &i.Source, &i.SourceName, &i.Digest, &i.Content,
		db.IntoTime(&i.Signed), db.IntoTime(&i.Imported), db.IntoTime(&i.Reverted))
	return i, err
}

// Imports lists the files taken in for a persona, newest first, also those that were taken back.
func (s *Store) Imports(ctx context.Context, persona string) (all []Import, err error) {
	err = s.db.ReadOne(ctx, "list imports of lore", func(tx *db.Tx) error {
		all, err = db.Collect[Import](tx.Query(selectImports+`WHERE persona = ? ORDER BY id DESC`, persona))(scanImport)
		return err
	})
	return all, err
}

// Origin is where a memory of kind lore came from.
type Origin struct {
	Import
	// Entry is the signer's id of it.
	Entry string
}

// Origin returns where a memory came from. It fails with db.ErrNotFound if it is none of an import.
func (s *Store) Origin(ctx context.Context, memory int64) (o Origin, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("find where memory %d came from", memory), func(tx *db.Tx) error {
		if o.Entry, err = db.One(tx.QueryRow(`SELECT entry FROM lore_items WHERE memory_id = ?`, memory), db.ScanText); err != nil {
			return err
		}
		o.Import, err = db.One(tx.QueryRow(selectImports+`WHERE id = (SELECT import_id FROM lore_items WHERE memory_id = ?)`, memory), scanImport)
		return err
	})
	return o, err
}

// Own is a memory that may be given to another installation.
type Own struct {
	model.Memory
	// Document and Heading say which passage of a document it is, empty for none.
	Document, Heading string
}

// Shareable lists what a persona knows for everybody and may give away, oldest first: what the operator told and ingested for
// everybody, and what was read on the web for everybody. What is about a person, rests on what somebody said, is an instruction, or
// came from another installation is not among it.
func (s *Store) Shareable(ctx context.Context, persona string) (all []Own, err error) {
	err = s.db.ReadOne(ctx, "read the lore of "+persona, func(tx *db.Tx) error {
		all, err = db.Collect[Own](tx.Query(`SELECT m.id, m.kind, m.text, m.created_at, coalesce(p.document, ''), coalesce(p.heading, '')
			FROM memories m LEFT JOIN passages p ON p.memory_id = m.id
			WHERE m.persona = ? AND m.audience = 'world' AND m.superseded_by IS NULL AND m.instruction = 0 AND m.author_id IS NULL
			AND (m.expires_at IS NULL OR m.expires_at > ?) AND (m.origin = 'told' AND m.kind = '' OR m.kind = 'web')
			AND NOT EXISTS (SELECT 1 FROM memory_about a WHERE a.memory_id = m.id)
			AND NOT EXISTS (SELECT 1 FROM memory_sources s WHERE s.memory_id = m.id) ORDER BY m.id`, persona, tx.NowMillis()))(scanOwn)
		return err
	})
	return all, err
}

func scanOwn(row db.Scanner) (o Own, err error) {
	err = row.Scan(&o.ID, &o.Kind, &o.Text, db.IntoTime(&o.Created), &o.Document, &o.Heading)
	return o, err
}
