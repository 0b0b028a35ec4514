package turns

import (
	"context"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// Milestone is something the persona and a person have reached together, each once.
type Milestone struct {
	PersonID int64
	// Kind is what was reached; package mind names them.
	Kind string
	// SessionID is the session that brought it, 0 when that is gone.
	SessionID int64
	At        time.Time
}

// Milestones are what the persona and a person have reached together, in the order they did: wherever that was, so they are
// for the two alone, and none where others hear.
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

// noteMilestones keeps what a session brought; what was reached before stays as it was.
func noteMilestones(tx *db.Tx, s model.Session, at time.Time, reached []Milestone) error {
	for _, m := range reached {
		if _, err := tx.Exec(`INSERT INTO milestones (persona, person_id, kind, session_id, at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING`, s.Persona, m.PersonID, m.Kind, s.ID, db.Millis(at)); err != nil {
			return fmt.Errorf("note milestone %s of person %d: %w", m.Kind, m.PersonID, err)
		}
	}
	return nil
}
