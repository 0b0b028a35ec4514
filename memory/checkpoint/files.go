package checkpoint

import (
	"context"
	"errors"

	"familiar/memory/internal/db"
)

// FilesDue returns the name of the checkpoint of a persona whose files are still to be written, and them; "" for none.
func (s *Store) FilesDue(ctx context.Context, persona string) (name string, files Files, err error) {
	err = s.db.ReadOne(ctx, "look for a restore of "+persona+" that is not finished", func(tx *db.Tx) error {
		if name, err = filesDue(tx, persona); err != nil || name == "" {
			return err
		}
		c, err := find(tx, persona, name)
		if err != nil {
			return err
		}
		state, err := read(tx, c.ID)
		files = state.Files
		return err
	})
	return name, files, err
}

// filesDue returns the name of the checkpoint whose files are still to be written, "" for none.
func filesDue(tx *db.Tx, persona string) (string, error) {
	name, err := db.One(tx.QueryRow(`SELECT name FROM checkpoints WHERE persona = ? AND files_due = 1`, persona), db.ScanText)
	if errors.Is(err, db.ErrNotFound) {
		return "", nil
	}
	return name, err
}

// Unfinished returns the checkpoints of all personas that were restored and whose files are still to be written.
func (s *Store) Unfinished(ctx context.Context) (due []Checkpoint, err error) {
	err = s.db.Read(ctx, "look for restores that are not finished", func(tx *db.Tx) error {
		due, err = db.Collect[Checkpoint](tx.Query(selectCheckpoints + `WHERE c.files_due = 1 ORDER BY c.id`))(scan)
		return err
	})
	return due, err
}

// FilesWritten records that the files of a restored checkpoint are those of the persona.
func (s *Store) FilesWritten(ctx context.Context, persona string) error {
	return s.db.Write(ctx, "finish a restore of "+persona, func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE checkpoints SET files_due = 0 WHERE persona = ? AND files_due = 1`, persona)
		return err
	})
}
