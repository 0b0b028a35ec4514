package checkpoint

import (
	"context"
	"errors"
	"fmt"

	"familiar/memory/internal/db"
)

// NewCheckpoint is a checkpoint to be made.
type NewCheckpoint struct {
	Persona, Name, Note string
	Files               Files
}

// Create saves the state of a persona. It fails with ErrExists if the name is taken, and if there are MaxCheckpoints already.
func (s *Store) Create(ctx context.Context, n NewCheckpoint) (c Checkpoint, err error) {
	if err := errors.Join(CheckName(n.Name), CheckNote(n.Note)); err != nil {
		return c, err
	}
	err = s.db.Write(ctx, "create the checkpoint "+n.Name+" of "+n.Persona, func(tx *db.Tx) error {
		made, err := db.One(tx.QueryRow(`SELECT count(*) FROM checkpoints WHERE persona = ? AND automatic = 0`, n.Persona), db.ScanID)
		if err != nil {
			return err
		}
		if made >= MaxCheckpoints {
			return fmt.Errorf("%s has %d checkpoints, which is the most: drop one of them first", n.Persona, made)
		}
		state, err := present(tx, n.Persona, n.Files, tx.Now.Add(-practised))
		if err != nil {
			return err
		}
		c, err = save(tx, n, false, state)
		return err
	})
	return c, err
}

// save stores a state as a checkpoint.
func save(tx *db.Tx, n NewCheckpoint, automatic bool, state State) (c Checkpoint, err error) {
	taken, err := db.One(tx.QueryRow(`SELECT count(*) FROM checkpoints WHERE persona = ? AND name = ?`, n.Persona, n.Name), db.ScanID)
	if err != nil {
		return c, err
	}
	if taken > 0 {
		return c, ErrExists
	}
	last, err := tx.LastID("memories")
	if err != nil {
		return c, err
	}
	id, err := tx.Insert(`INSERT INTO checkpoints (persona, name, note, automatic, format, last_memory, copied, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, n.Persona, n.Name, n.Note, automatic, format, last, len(state.Memories), tx.NowMillis())
	if err != nil {
		return c, err
	}
	if err := state.write(tx, id); err != nil {
		return c, err
	}
	return find(tx, n.Persona, n.Name)
}

// saveBefore saves the state before a restore. Its name is made from the time.
func saveBefore(tx *db.Tx, restored Checkpoint, state State) (Checkpoint, error) {
	n := NewCheckpoint{Persona: restored.Persona, Note: "before restoring " + restored.Name}
	for i := 1; ; i++ {
		if n.Name = "auto-" + TimeName(tx.Now.UTC()); i > 1 {
			n.Name += fmt.Sprintf("-%d", i)
		}
		if c, err := save(tx, n, true, state); !errors.Is(err, ErrExists) {
			return c, err
		}
	}
}
