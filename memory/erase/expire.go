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

// ExpireResult counts the messages that were forgotten because their time was up.
type ExpireResult int

// String describes the count in words, for the job ledger.
func (v ExpireResult) String() string {
	if v == 0 {
		return "nothing to forget"
	}
	return fmt.Sprintf("forgot %d messages of disappearing chats", int(v))
}

// Expire forgets, as Forget does, the messages of disappearing chats whose time is up at now: memory does not outlive
// talk that people chose to let disappear. Each message is its own transaction. A failing one does not hold up the
// others, and the next run continues an interrupted one.
func (s *Store) Expire(ctx context.Context, now time.Time) (done ExpireResult, err error) {
	const what = "expire messages"
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

// expireMessage forgets a message whose time is up, unless it is forgotten already.
func expireMessage(tx *db.Tx, id int64, now time.Time) (gone bool, err error) {
	due, err := db.Collect[model.Message](tx.Query(log.SelectMessages+` WHERE m.id = ? AND m.vanishes_at <= ?`, id, db.Millis(now)))(log.ScanMessage)
	if err != nil || len(due) == 0 {
		return false, err
	}
	e := Erasure{At: tx.Now, Kind: KindExpire}
	if _, err := deleteMessageByID(tx, id, &e); err != nil {
		return false, fmt.Errorf("message %d: %w", id, err)
	}
	if err := e.record(tx); err != nil {
		return false, err
	}
	_, err = tx.Exec(`UPDATE messages SET vanishes_at = NULL WHERE id = ?`, id)
	return true, err
}
