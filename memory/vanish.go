package memory

import (
	"context"
	"fmt"
	"time"

	"familiar/channels"
)

// vanishes is when a message said at that moment is to be forgotten, zero for never.
func vanishes(m channels.Message, at time.Time) time.Time {
	if m.Fades <= 0 {
		return time.Time{}
	}
	return at.Add(m.Fades)
}

// vanishes is when an answer given at that moment is to be forgotten: with the first of what it answers that is.
func (r *recording) vanishes(at time.Time) (first time.Time) {
	for _, h := range r.turn.Heard {
		if v := vanishes(h.Message, at); !v.IsZero() && (first.IsZero() || v.Before(first)) {
			first = v
		}
	}
	return first
}

// Vanished counts the messages that were forgotten because their room forgets.
type Vanished int

// String says the count in words, for the ledger.
func (v Vanished) String() string {
	if v == 0 {
		return "nothing to forget"
	}
	return fmt.Sprintf("forgot %d messages of rooms that forget", int(v))
}

// Vanish forgets, as Forget does, what was said in rooms that forget and is due as of now: memory does not outlive the
// talk where people chose that it ends. Each message is a transaction of its own; what an interrupted run left the next
// one takes.
func (s *Store) Vanish(ctx context.Context, now time.Time) (done Vanished, err error) {
	for {
		var gone bool
		err = s.write(ctx, "forget what a room forgets", func(tx *conn) error {
			gone, err = tx.vanishNext(now)
			return err
		})
		if err != nil || !gone {
			return done, err
		}
		done++
	}
}

// vanishNext forgets the message that has been due for longest, if one is.
func (c *conn) vanishNext(now time.Time) (gone bool, err error) {
	due, err := collect[int64](c.rows(`SELECT id FROM messages WHERE vanishes_at <= ? ORDER BY vanishes_at, id LIMIT 1`, ms(now)))(scanID)
	if err != nil || len(due) == 0 {
		return false, err
	}
	m, err := one(c.row(messageColumns+` WHERE m.id = ?`, due[0]), scanMessage)
	if err != nil {
		return false, err
	}
	room, err := c.roomByID(m.RoomID)
	if err != nil {
		return false, err
	}
	persona, err := one(c.row(`SELECT persona FROM messages WHERE id = ?`, m.ID), scanText)
	if err != nil {
		return false, err
	}
	if _, err := c.takeBack(persona, m, room); err != nil {
		return false, fmt.Errorf("message %d: %w", m.ID, err)
	}
	_, err = c.exec(`UPDATE messages SET vanishes_at = NULL WHERE id = ?`, m.ID)
	return true, err
}
