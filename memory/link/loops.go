package link

import (
	"fmt"

	"familiar/memory/belief"
	"familiar/memory/internal/db"
)

// divideLoops gives open loops to the one whose message made them. One that both spoke of becomes two.
func (d division) divideLoops() error {
	messages := d.messages()
	loops, err := db.Collect[int64](d.Query(`SELECT DISTINCT s.loop_id FROM open_loop_sources s JOIN open_loops l ON l.id = s.loop_id
		WHERE (l.person_id = ?1 OR l.audience_person = ?1) AND (s.message_id IN `+messages+`) <> (l.message_id IN `+messages+`) ORDER BY s.loop_id`, d.stays))(db.ScanID)
	if err != nil {
		return fmt.Errorf("find the open loops of both: %w", err)
	}
	for _, id := range loops {
		if err := d.divideLoop(id); err != nil {
			return fmt.Errorf("divide open loop %d: %w", id, err)
		}
	}
	return d.exec([]string{
		`UPDATE open_loops SET audience_person = ?2 WHERE audience_person = ?1 AND message_id IN ` + messages,
		`UPDATE open_loops SET person_id = ?2 WHERE person_id = ?1 AND message_id IN ` + messages,
	}, d.stays, d.leaves)
}

// divideLoop gives what the other side said about a loop a loop of its own, unless it only said that the loop was over.
func (d division) divideLoop(id int64) error {
	twin, err := d.Insert(`INSERT INTO open_loops (persona, audience, audience_person, audience_room, person_id, message_id, kind, text, status,
			asked_at, created_at)
		SELECT persona, audience, audience_person, audience_room, person_id, message_id, kind, text, status, asked_at, created_at
		FROM open_loops WHERE id = ?`, id)
	if err != nil {
		return err
	}
	messages := d.messages()
	if _, err := d.Exec(`UPDATE open_loop_sources SET loop_id = ?2 WHERE loop_id = ?1
		AND (message_id IN `+messages+`) <> ((SELECT l.message_id FROM open_loops l WHERE l.id = ?1) IN `+messages+`)`, id, twin); err != nil {
		return err
	}
	// What set another date made the loop, as far as its own side knows.
	if _, err := d.Exec(`UPDATE open_loop_sources SET kind = 'new' WHERE loop_id = ?1 AND kind = 'moved'
		AND NOT EXISTS (SELECT 1 FROM open_loop_sources o WHERE o.loop_id = ?1 AND o.kind = 'new')`, twin); err != nil {
		return err
	}
	for _, loop := range []int64{id, twin} {
		if _, err := belief.RecomputeLoop(d.Tx, loop); err != nil {
			return err
		}
	}
	return nil
}
