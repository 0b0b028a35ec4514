package turns

import (
	"context"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// Milestone is something that the persona and a person reached together. Each kind is reached once.
type Milestone struct {
	PersonID int64
	// Kind is what was reached; package mind names the kinds.
	Kind string
	// SessionID is the session that reached it, 0 when the session is gone.
	SessionID int64
	At        time.Time
}

// Milestones returns what the persona and a person have reached together, in order, wherever it happened. That is for
// the two alone: it returns none where others can hear.
func (s *Store) Milestones(ctx context.Context, h scope.Visibility, person int64) (reached []Milestone, err error) {
	if !h.Includes(model.Audience{Kind: model.Private, Ref: person}) {
		return nil, nil
	}
	err = s.db.Read(ctx, fmt.Sprintf("read the milestones of %s and person %d", h.Persona(), person), func(tx *db.Tx) error {
		reached, err = milestones(tx, h.Persona(), person)
		return err
	})
	return reached, err
}

func milestones(tx *db.Tx, persona string, person int64) ([]Milestone, error) {
	return db.Collect[Milestone](tx.Query(milestoneColumns+` WHERE persona = ? AND person_id = ? ORDER BY at, kind`, persona, person))(scanMilestone)
}

const milestoneColumns = `SELECT person_id, kind, session_id, at FROM milestones`

func scanMilestone(row db.Scanner) (m Milestone, err error) {
	err = row.Scan(&m.PersonID, &m.Kind, db.IntoID(&m.SessionID), db.IntoTime(&m.At))
	return m, err
}

// noteMilestones stores the milestones of a session. Those reached before stay unchanged.
func noteMilestones(tx *db.Tx, s model.Session, at time.Time, reached []Milestone) error {
	for _, m := range reached {
		if _, err := tx.Exec(`INSERT INTO milestones (persona, person_id, kind, session_id, at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING`, s.Persona, m.PersonID, m.Kind, s.ID, db.Millis(at)); err != nil {
			return fmt.Errorf("store milestone %s of person %d: %w", m.Kind, m.PersonID, err)
		}
	}
	return nil
}
