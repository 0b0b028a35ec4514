package memory

import (
	"context"
	"fmt"
)

// Tally is what the record can count about one person's part in a session beyond the words of their messages.
type Tally struct {
	// NewTopics are the distinct names and topics they mentioned that nobody had mentioned to the persona before the
	// session.
	NewTopics int
	// Achieved counts what was open with them and closed by a message of the session.
	Achieved int
}

// Tally counts what a session brought, by person; 0 stands for everybody together, whose topics are each counted once.
// Who brought nothing may be missing.
func (s *Store) Tally(ctx context.Context, session Session) (map[int64]Tally, error) {
	tallies := map[int64]Tally{}
	err := s.read(ctx, fmt.Sprintf("count what session %d brought", session.ID), func(tx *conn) error {
		if err := tx.tallyTopics(session, tallies); err != nil {
			return err
		}
		return tx.tallyAchieved(session, tallies)
	})
	if err != nil {
		return nil, err
	}
	return tallies, nil
}

// tallyTopics counts the new topics of a session. A memory is as old as the message it was made of, so that talk that is
// read in later counts as when it was said.
func (c *conn) tallyTopics(session Session, tallies map[int64]Tally) error {
	type topic struct {
		person int64
		name   string
	}
	topics, err := collect[topic](c.rows(`SELECT DISTINCT m.author_id, e.entity
		FROM memories m JOIN memory_entities e ON e.memory_id = m.id
		WHERE m.session_id = ? AND m.origin = 'said' AND m.author_id IS NOT NULL AND NOT EXISTS (
			SELECT 1 FROM memory_entities f JOIN memories n ON n.id = f.memory_id
			WHERE f.entity = e.entity AND n.persona = m.persona AND n.created_at < ? AND n.session_id <> m.session_id)`,
		session.ID, ms(session.Started)))(
		func(row scanner) (t topic, err error) {
			err = row.Scan(&t.person, &t.name)
			return t, err
		})
	counted := map[topic]bool{}
	for _, t := range topics {
		for _, one := range []topic{t, {name: t.name}} {
			if !counted[one] {
				counted[one] = true
				tally := tallies[one.person]
				tally.NewTopics++
				tallies[one.person] = tally
			}
		}
	}
	return err
}

// tallyAchieved counts the loops that messages of a session closed, whenever they were recorded.
func (c *conn) tallyAchieved(session Session, tallies map[int64]Tally) error {
	people, err := collect[int64](c.rows(`SELECT l.person_id FROM open_loops l WHERE l.persona = ? AND l.id IN (
		SELECT s.loop_id FROM messages m JOIN open_loop_sources s ON s.message_id = m.id
		WHERE m.session_id = ? AND s.kind = 'closed')`, session.Persona, session.ID))(scanID)
	for _, person := range people {
		for _, whose := range []int64{person, 0} {
			tally := tallies[whose]
			tally.Achieved++
			tallies[whose] = tally
		}
	}
	return err
}
