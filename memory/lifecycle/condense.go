package lifecycle

import (
	"context"
	"errors"
	"fmt"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// Condense stores a summary of some memories in given words, which contains them. It carries run, so that it can be reverted.
// The memories stay as they are. It fails with ErrNotFound if one does not exist, and if they belong to different personas or
// audiences or one is part of another summary already.
func (s *Store) Condense(ctx context.Context, run int64, members []int64, text string) (m model.Memory, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("summarize %d memories", len(members)), func(tx *db.Tx) error {
		cl := Cluster{}
		var first scope.MemoryRef
		for i, id := range db.Distinct(members) {
			at, err := entry.Locate(tx, id)
			if err != nil {
				return fmt.Errorf("memory %d: %w", id, err)
			}
			if i == 0 {
				first = at
			}
			if at.Scope() != first.Scope() {
				return errors.New("the memories have different audiences: a summary would show one where only the other is visible")
			}
			if within, err := containerOf(tx, id); err != nil || within != 0 {
				if err == nil {
					err = fmt.Errorf("memory %d is part of summary %d already", id, within)
				}
				return err
			}
			member, err := entry.Memory(tx, id)
			if err != nil {
				return err
			}
			cl.Members = append(cl.Members, member)
		}
		if len(cl.Members) < 2 {
			return errors.New("a summary needs at least two memories")
		}
		cl.Summary = summaryOf(cl.Members)
		cl.Summary.Text = text
		if err := summarize(tx, &cl, run); err != nil {
			return err
		}
		m, err = entry.Memory(tx, cl.Summary.ID)
		return err
	})
	return m, err
}

// SetSalience sets how much a memory matters, 0–1. It fails with ErrNotFound when there is no such memory.
func (s *Store) SetSalience(ctx context.Context, id int64, salience float64) (model.Memory, error) {
	if !(salience >= 0 && salience <= 1) {
		return model.Memory{}, fmt.Errorf("salience %v is not within 0–1", salience)
	}
	return s.curate(ctx, "weigh", id, func(tx *db.Tx, m scope.MemoryRef) error {
		if _, err := tx.Exec(`UPDATE memories SET salience = ? WHERE id = ?`, salience, id); err != nil {
			return err
		}
		return scope.MarkChanged(tx, []scope.MemoryRef{m})
	})
}
