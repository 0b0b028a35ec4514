package log

import (
	"context"
	"time"

	"familiar/channels"
	"familiar/memory/internal/db"
)

// CountAnswers counts what persona has answered in a group since a moment, in all its threads: to everybody, and to the
// person who owns the handle. Who waits for an answer there counts as answered once, so that many who ask at the same
// time do not all get the last answer of a day. Answers to commands do not count.
func (s *Store) CountAnswers(ctx context.Context, persona string, room channels.Room, h channels.Handle, since time.Time) (all, theirs int, err error) {
	err = s.db.Read(ctx, "count the answers of a day in "+room.Channel, func(tx *db.Tx) error {
		if err := tx.QueryRow(`SELECT count(*), count(CASE WHEN EXISTS (SELECT 1 FROM handles h
				WHERE h.channel = ? AND h.handle = ? AND h.person_id = t.person_id) THEN 1 END)
			FROM rooms r JOIN sessions s ON s.persona = ? AND s.room_id = r.id AND s.last_at >= ?
			JOIN messages m ON m.session_id = s.id AND m.person_id IS NULL AND m.at >= ?
			JOIN turns t ON t.reply_id = m.id
			WHERE r.channel = ? AND r.room = ?`,
			h.Channel, h.ID, persona, db.Millis(since), db.Millis(since), room.Channel, room.ID).Scan(&all, &theirs); err != nil {
			return err
		}
		var waiting, waits int
		err := tx.QueryRow(`SELECT count(DISTINCT author_handle), count(DISTINCT CASE WHEN author_handle = ? THEN 1 END) FROM inbox
			WHERE status = 'pending' AND persona = ? AND channel = ? AND room = ?`, h.ID, persona, room.Channel, room.ID).Scan(&waiting, &waits)
		all, theirs = all+waiting, theirs+waits
		return err
	})
	return all, theirs, err
}
