// Package checkpoint saves states of a persona and brings them back: how it has grown, what it concluded, its rules and what it
// knows of the world. What people said is neither copied nor changed.
package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"familiar/internal/lazyregexp"
	"familiar/memory/internal/db"
)

const (
	// MaxCheckpoints is how many checkpoints of a persona are kept that somebody made.
	MaxCheckpoints = 100
	// KeptAutomatic is how many automatic ones are kept: the newest.
	KeptAutomatic = 5
	// maxMemories is how many memories a checkpoint copies at most, maxNote the length of a note in characters.
	maxMemories = 50_000
	maxNote     = 500
	// format is how the values of items are written. A checkpoint of a newer format is left alone.
	format = 1
)

// Errors that callers check with errors.Is.
var (
	// ErrExists reports that the persona has a checkpoint of that name.
	ErrExists = errors.New("there is a checkpoint of that name")
	// ErrNewer reports a checkpoint that a newer version of the program made.
	ErrNewer = errors.New("a newer version of familiar made this checkpoint")
	// ErrFilesDue reports that the files of a restored checkpoint are still to be written.
	ErrFilesDue = errors.New("a restore is not finished")
)

// Checkpoint is a saved state of a persona.
type Checkpoint struct {
	ID                  int64
	Persona, Name, Note string
	// Automatic reports that it was made before another one was restored.
	Automatic bool
	// FilesDue reports that it was restored and the persona's files are still to be written.
	FilesDue bool
	Created  time.Time
	// Copied is how many memories it was made with, Kept how many are left: the others were erased since, with what they rest on.
	Copied, Kept int
	// Bytes is the size of what it holds.
	Bytes int64

	format     int
	lastMemory int64
}

// Store keeps checkpoints.
type Store struct{ db *db.DB }

// New returns the checkpoints in d.
func New(d *db.DB) *Store { return &Store{db: d} }

const selectCheckpoints = `SELECT c.id, c.persona, c.name, c.note, c.automatic, c.files_due, c.format, c.last_memory, c.copied, c.created_at,
	(SELECT count(*) FROM checkpoint_items i WHERE i.checkpoint_id = c.id AND i.kind = 'memory'),
	(SELECT coalesce(sum(octet_length(i.value)), 0) FROM checkpoint_items i WHERE i.checkpoint_id = c.id) FROM checkpoints c `

func scan(row db.Scanner) (c Checkpoint, err error) {
	err = row.Scan(&c.ID, &c.Persona, &c.Name, &c.Note, &c.Automatic, &c.FilesDue, &c.format, &c.lastMemory, &c.Copied, db.IntoTime(&c.Created), &c.Kept, &c.Bytes)
	return c, err
}

// List returns the checkpoints of a persona, or those of all if persona is "", oldest first.
func (s *Store) List(ctx context.Context, persona string) (all []Checkpoint, err error) {
	err = s.db.Read(ctx, "list the checkpoints of "+persona, func(tx *db.Tx) error {
		all, err = db.Collect[Checkpoint](tx.Query(selectCheckpoints+`WHERE ?1 IN ('', c.persona) ORDER BY c.id`, persona))(scan)
		return err
	})
	return all, err
}

// find returns a checkpoint, or fails with db.ErrNotFound.
func find(tx *db.Tx, persona, name string) (Checkpoint, error) {
	c, err := db.One(tx.QueryRow(selectCheckpoints+`WHERE c.persona = ? AND c.name = ?`, persona, name), scan)
	if err == nil && c.format > format {
		err = ErrNewer
	}
	return c, err
}

// Drop removes a checkpoint, of whatever format. It fails with db.ErrNotFound if there is none of that name, and with ErrFilesDue
// while the files of its restore are still to be written.
func (s *Store) Drop(ctx context.Context, persona, name string) error {
	return s.db.Write(ctx, "drop the checkpoint "+name+" of "+persona, func(tx *db.Tx) error {
		due, err := db.One(tx.QueryRow(`SELECT files_due FROM checkpoints WHERE persona = ? AND name = ?`, persona, name), db.ScanID)
		if err != nil {
			return err
		}
		if due != 0 {
			return ErrFilesDue
		}
		_, err = tx.Exec(`DELETE FROM checkpoints WHERE persona = ? AND name = ?`, persona, name)
		return err
	})
}

// dropOldest removes all automatic checkpoints but the newest ones, and those that are needed still.
func dropOldest(tx *db.Tx, persona string, kept int64) error {
	_, err := tx.Exec(`DELETE FROM checkpoints WHERE persona = ?1 AND automatic = 1 AND files_due = 0 AND id <> ?2 AND id NOT IN
		(SELECT id FROM checkpoints WHERE persona = ?1 AND automatic = 1 ORDER BY id DESC LIMIT ?3 + 0)`, persona, kept, KeptAutomatic)
	return err
}

var validName = lazyregexp.New(`^[\pL\pN][\pL\pN_.-]{0,63}$`)

// CheckName fails unless a name is 1 to 64 letters, digits, hyphens, underscores and dots, and begins with a letter or a digit.
func CheckName(name string) error {
	if !validName.MatchString(name) {
		return fmt.Errorf("%q is no name for a checkpoint: take 1 to 64 letters, digits, hyphens, underscores and dots, and begin with a letter or a digit", name)
	}
	return nil
}

// CheckNote fails if a note is too long.
func CheckNote(note string) error {
	if n := utf8.RuneCountInString(note); n > maxNote {
		return fmt.Errorf("the note is %d characters long: keep it within %d", n, maxNote)
	}
	return nil
}

// TimeName returns the name of a checkpoint that has none, from when it is made.
func TimeName(at time.Time) string { return at.Format("2006-01-02-150405") }
