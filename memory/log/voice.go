package log

import (
	"context"
	"errors"
	"fmt"

	"familiar/memory/internal/db"
)

// SetVoice stores in what form a person wants answers in a room: "on", "off" or "auto".
func (s *Store) SetVoice(ctx context.Context, person, room int64, mode string) error {
	return s.db.Write(ctx, fmt.Sprintf("store how person %d wants answers", person), func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO voice_choices (person_id, room_id, mode, at) VALUES (?, ?, ?, ?)
			ON CONFLICT (person_id, room_id) DO UPDATE SET mode = excluded.mode, at = excluded.at`, person, room, mode, tx.NowMillis())
		return err
	})
}

// Voice returns in what form a person wants answers in a room, "" if they never said.
func (s *Store) Voice(ctx context.Context, person, room int64) (mode string, err error) {
	err = s.db.ReadOne(ctx, "read how somebody wants answers", func(tx *db.Tx) error {
		mode, err = db.One(tx.QueryRow(`SELECT mode FROM voice_choices WHERE person_id = ? AND room_id = ?`, person, room), db.ScanText)
		if errors.Is(err, db.ErrNotFound) {
			err = nil
		}
		return err
	})
	return mode, err
}
