package turns

import (
	"context"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Tally counts one person's part in a session, beyond the words of their messages.
type Tally struct {
	// NewTopics counts the distinct names and topics they mentioned that nobody had mentioned to the persona before the
	// session.
	NewTopics int
	// Achieved counts their open items that a message of the session closed, Goals their goals that the session
	// mentioned.
	Achieved, Goals int
	// Recalled counts replies to them made from memories, AskedAfter their open items that the persona raised, Greeted
	// the greetings.
	Recalled, AskedAfter, Greeted int
}

// replyWithin is how long after the last message of a session its last reply is recorded, at most: a model takes its
// time.
const replyWithin = 5 * time.Minute

// Queries for counts by person. Their arguments are the session, the persona, and the time span in which the session's
// turns were recorded. The plus sign keeps SQLite from reading all of the persona's loops for those of one session.
const (
	countGoals = `SELECT l.person_id, count(DISTINCT l.id) FROM messages m JOIN open_loop_sources s ON s.message_id = m.id
		JOIN open_loops l ON l.id = s.loop_id
		WHERE m.session_id = ?1 AND +l.persona = ?2 AND l.kind = 'goal' AND s.kind <> 'closed' AND ?3 <= ?4 GROUP BY l.person_id`
	countRecalled = `SELECT t.person_id, count(*) FROM messages m JOIN turns t ON t.reply_id = m.id
		WHERE m.session_id = ?1 AND m.persona = ?2 AND m.person_id IS NULL AND t.person_id IS NOT NULL AND ?3 <= ?4
			AND EXISTS (SELECT 1 FROM turn_items i WHERE i.turn_id = t.id AND i.used = 1) GROUP BY t.person_id`
	countAsked = `SELECT l.person_id, count(*) FROM open_loops l
		WHERE l.person_id IN (SELECT DISTINCT person_id FROM messages WHERE session_id = ?1) AND l.persona = ?2
			AND l.asked_at BETWEEN ?3 AND ?4 GROUP BY l.person_id`
	countGreeted = `SELECT g.person_id, count(*) FROM greeted g
		WHERE g.person_id IN (SELECT DISTINCT person_id FROM messages WHERE session_id = ?1) AND g.persona = ?2
			AND g.subject >= 'opening:' AND g.subject < 'opening;' AND g.at BETWEEN ?3 AND ?4 GROUP BY g.person_id`
)

// Tally counts what a session brought, by person. 0 stands for everybody together, whose topics count once each. People
// with all counts at zero may be missing.
func (s *Store) Tally(ctx context.Context, session model.Session) (map[int64]Tally, error) {
	tallies := map[int64]Tally{}
	err := s.db.Read(ctx, fmt.Sprintf("tally session %d", session.ID), func(tx *db.Tx) error {
		if err := tallyTopics(tx, session, tallies); err != nil {
			return err
		}
		if err := tallyAchieved(tx, session, tallies); err != nil {
			return err
		}
		return tallyCounts(tx, session, tallies)
	})
	if err != nil {
		return nil, err
	}
	return tallies, nil
}

// tallyTopics counts the new topics of a session. A memory is as old as its message, so that imported talk counts at
// the time it was said.
func tallyTopics(tx *db.Tx, session model.Session, tallies map[int64]Tally) error {
	type topic struct {
		person int64
		name   string
	}
	topics, err := db.Collect[topic](tx.Query(`SELECT DISTINCT m.author_id, e.entity
		FROM memories m JOIN memory_entities e ON e.memory_id = m.id
		WHERE m.session_id = ? AND m.origin = 'said' AND m.author_id IS NOT NULL AND NOT EXISTS (
			SELECT 1 FROM memory_entities f JOIN memories n ON n.id = f.memory_id
			WHERE f.entity = e.entity AND n.persona = m.persona AND n.created_at < ? AND n.session_id <> m.session_id)`,
		session.ID, db.Millis(session.Started)))(
		func(row db.Scanner) (t topic, err error) {
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
func tallyAchieved(tx *db.Tx, session model.Session, tallies map[int64]Tally) error {
	people, err := db.Collect[int64](tx.Query(`SELECT l.person_id FROM open_loops l WHERE +l.persona = ? AND l.id IN (
		SELECT s.loop_id FROM messages m JOIN open_loop_sources s ON s.message_id = m.id
		WHERE m.session_id = ? AND s.kind = 'closed')`, session.Persona, session.ID))(db.ScanID)
	for _, person := range people {
		for _, whose := range []int64{person, 0} {
			tally := tallies[whose]
			tally.Achieved++
			tallies[whose] = tally
		}
	}
	return err
}

// tallyCounts runs the queries for counts.
func tallyCounts(tx *db.Tx, session model.Session, tallies map[int64]Tally) error {
	for _, count := range []struct {
		query string
		add   func(t *Tally, n int)
	}{
		{countGoals, func(t *Tally, n int) { t.Goals += n }},
		{countRecalled, func(t *Tally, n int) { t.Recalled += n }},
		{countAsked, func(t *Tally, n int) { t.AskedAfter += n }},
		{countGreeted, func(t *Tally, n int) { t.Greeted += n }},
	} {
		found, err := db.Collect[[2]int64](tx.Query(count.query, session.ID, session.Persona, db.Millis(session.Started), db.Millis(session.Last.Add(replyWithin))))(
			func(row db.Scanner) (n [2]int64, err error) {
				err = row.Scan(&n[0], &n[1])
				return n, err
			})
		if err != nil {
			return err
		}
		for _, n := range found {
			for _, whose := range []int64{n[0], 0} {
				tally := tallies[whose]
				count.add(&tally, int(n[1]))
				tallies[whose] = tally
			}
		}
	}
	return nil
}
