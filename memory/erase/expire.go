package erase

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/log"
	"familiar/memory/model"
)

// Vanished counts the messages that were forgotten because their room forgets.
type ExpireResult int

// String says the count in words, for the ledger.
func (v ExpireResult) String() string {
	if v == 0 {
		return "nothing to forget"
	}
	return fmt.Sprintf("forgot %d messages of rooms that forget", int(v))
}

// Vanish forgets, as Forget does, what was said in rooms that forget and is due as of now: memory does not outlive the
// talk where people chose that it ends. Each message is a transaction of its own; one that fails holds up none behind it,
// and what an interrupted run left the next one takes.
func (s *Store) Expire(ctx context.Context, now time.Time) (done ExpireResult, err error) {
	const what = "forget what a room forgets"
	var due []int64
	err = s.db.ReadOne(ctx, what, func(tx *db.Tx) (err error) {
		due, err = db.Collect[int64](tx.Query(`SELECT id FROM messages WHERE vanishes_at <= ? ORDER BY vanishes_at, id`, db.Millis(now)))(db.ScanID)
		return err
	})
	var failed []error
	for _, id := range due {
		var gone bool
		err := s.db.Write(ctx, what, func(tx *db.Tx) (err error) {
			gone, err = expireMessage(tx, id, now)
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

// expireMessage forgets a message that is due, unless that was done meanwhile.
func expireMessage(tx *db.Tx, id int64, now time.Time) (gone bool, err error) {
	due, err := db.Collect[model.Message](tx.Query(log.SelectMessages+` WHERE m.id = ? AND m.vanishes_at <= ?`, id, db.Millis(now)))(log.ScanMessage)
	if err != nil || len(due) == 0 {
		return false, err
	}
	m := due[0]
	room, err := log.RoomByID(tx, m.RoomID)
	if err != nil {
		return false, err
	}
	persona, err := db.One(tx.QueryRow(`SELECT persona FROM messages WHERE id = ?`, m.ID), db.ScanText)
	if err != nil {
		return false, err
	}
	if _, err := deleteMessage(tx, persona, m, room); err != nil {
		return false, fmt.Errorf("message %d: %w", m.ID, err)
	}
	_, err = tx.Exec(`UPDATE messages SET vanishes_at = NULL WHERE id = ?`, m.ID)
	return true, err
}
