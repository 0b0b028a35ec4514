package turns

import (
	"context"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
)

// Danger is the last time that somebody spoke of danger.
type Danger struct {
	// Kind is a danger of package care.
	Kind string
	At   time.Time
	// Session is the session it was said in. Met reports that the person talked with the persona in a later session, other
	// than the running one.
	Session int64
	Met     bool
}

// LastDanger returns the last time that a person spoke of danger where the audience of v may know of it: a direct room
// knows of all rooms of its person, a group only of what was said in it. session is the running session, 0 for a new
// one. It fails with ErrNotFound if they never did.
func (s *Store) LastDanger(ctx context.Context, v scope.Visibility, person, session int64) (d Danger, err error) {
	err = s.db.Read(ctx, "read who spoke of danger", func(tx *db.Tx) error {
		d, err = db.One(tx.QueryRow(`SELECT m.danger, m.at, m.session_id, EXISTS (
				SELECT 1 FROM sessions s WHERE s.persona = m.persona AND s.started_at > m.at AND s.id <> ?4
				AND EXISTS (SELECT 1 FROM messages x WHERE x.session_id = s.id AND x.person_id = m.person_id))
			FROM messages m WHERE m.persona = ?1 AND m.person_id = ?2 AND m.danger <> ''
				AND (?3 = 1 OR m.room_id = ?5)
			ORDER BY m.at DESC, m.id DESC LIMIT 1`, v.Persona(), person, v.Room().Direct, session, v.Room().ID), func(row db.Scanner) (d Danger, err error) {
			err = row.Scan(&d.Kind, db.IntoTime(&d.At), &d.Session, &d.Met)
			return d, err
		})
		return err
	})
	return d, err
}

// noteDanger stores that a message speaks of danger.
func (r *TurnWriter) noteDanger(message int64, kind string) error {
	if kind == "" {
		return nil
	}
	_, err := r.Exec(`UPDATE messages SET danger = ? WHERE id = ?`, kind, message)
	return err
}
