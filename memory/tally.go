package memory

import (
	"context"
	"fmt"
)

// Tally is what the record can count about a session beyond its messages' own words.
type Tally struct {
	// Topics are the distinct names and topics mentioned, NewTopics those never mentioned to the persona before.
	Topics, NewTopics int
	// Achieved counts open loops that were answered during the session.
	Achieved int
}

// Tally counts what one session brought.
func (s *Store) Tally(ctx context.Context, session Session) (t Tally, err error) {
	err = s.read(ctx, fmt.Sprintf("count what session %d brought", session.ID), func(tx *conn) error {
		err := tx.row(`
			SELECT COUNT(DISTINCT e.entity), COUNT(DISTINCT CASE WHEN NOT EXISTS (
			  SELECT 1 FROM memory_entities f JOIN memories n ON n.id = f.memory_id
			  WHERE f.entity = e.entity AND n.persona = m.persona AND n.session_id < m.session_id
			) THEN e.entity END)
			FROM memories m JOIN memory_entities e ON e.memory_id = m.id WHERE m.session_id = ?`,
			session.ID).Scan(&t.Topics, &t.NewTopics)
		if err != nil {
			return err
		}
		return tx.row(`
			SELECT COUNT(*) FROM open_loops l WHERE l.persona = ? AND l.closed_at BETWEEN ? AND ?
			AND l.person_id IN (SELECT person_id FROM messages WHERE session_id = ?)`,
			session.Persona, ms(session.Started), ms(session.Last), session.ID).Scan(&t.Achieved)
	})
	return t, err
}
