package memory

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/channels"
)

// vanishes is when a message said at that moment is to be forgotten, zero for never.
func vanishes(m channels.Message, at time.Time) time.Time {
	if m.ExpiresAfter <= 0 {
		return time.Time{}
	}
	return at.Add(m.ExpiresAfter)
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
// talk where people chose that it ends. Each message is a transaction of its own; one that fails holds up none behind it,
// and what an interrupted run left the next one takes.
func (s *Store) Vanish(ctx context.Context, now time.Time) (done Vanished, err error) {
	const what = "forget what a room forgets"
	var due []int64
	err = s.readOne(ctx, what, func(tx *conn) (err error) {
		due, err = collect[int64](tx.rows(`SELECT id FROM messages WHERE vanishes_at <= ? ORDER BY vanishes_at, id`, ms(now)))(scanID)
		return err
	})
	var failed []error
	for _, id := range due {
		var gone bool
		err := s.write(ctx, what, func(tx *conn) (err error) {
			gone, err = tx.vanish(id, now)
			return err
		})
		if err == nil && gone {
			done++
		}
		if failed = append(failed, err); ctx.Err() != nil {
			break
		}
	}
	return done, errors.Join(append(failed, err)...)
}

// vanish forgets a message that is due, unless that was done meanwhile.
func (c *conn) vanish(id int64, now time.Time) (gone bool, err error) {
	due, err := collect[Message](c.rows(messageColumns+` WHERE m.id = ? AND m.vanishes_at <= ?`, id, ms(now)))(scanMessage)
	if err != nil || len(due) == 0 {
		return false, err
	}
	m := due[0]
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
