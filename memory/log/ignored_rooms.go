package log

import (
	"context"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// IgnoredRoom is a group whose messages are ignored.
type IgnoredRoom struct {
	// Channel and ID are the network's, as the configuration names the group.
	Channel, ID string
	// Title is the network's title of the group, "" if unknown.
	Title string
	// Count is the number of ignored messages that were counted.
	Count int
	Last  time.Time
}

// maxIgnoredRooms is how many ignored rooms are kept for each channel, the latest ones.
const maxIgnoredRooms = 50

// NoteIgnoredRoom adds u.Count to the ignored messages of a group. Only the group's title and ID are kept.
func (s *Store) NoteIgnoredRoom(ctx context.Context, u IgnoredRoom) error {
	return s.db.Write(ctx, "count an ignored group on "+u.Channel, func(tx *db.Tx) error {
		if _, err := tx.Exec(`INSERT INTO unheard_rooms (channel, room, title, times, last_at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (channel, room) DO UPDATE SET times = unheard_rooms.times + excluded.times, last_at = excluded.last_at,
				title = CASE WHEN excluded.title <> '' THEN excluded.title ELSE unheard_rooms.title END`,
			u.Channel, u.ID, model.CleanText(u.Title), u.Count, tx.NowMillis()); err != nil {
			return err
		}
		_, err := tx.Exec(`DELETE FROM unheard_rooms WHERE channel = ?1 AND room IN
			(SELECT room FROM unheard_rooms WHERE channel = ?1 ORDER BY last_at DESC, room
				LIMIT 9223372036854775807 OFFSET ?2 + 0)`, u.Channel, maxIgnoredRooms)
		return err
	})
}

// IgnoredRooms returns the groups with ignored messages, the latest first.
func (s *Store) IgnoredRooms(ctx context.Context) (rooms []IgnoredRoom, err error) {
	err = s.db.Read(ctx, "list ignored groups", func(tx *db.Tx) error {
		rooms, err = db.Collect[IgnoredRoom](tx.Query(`SELECT channel, room, title, times, last_at FROM unheard_rooms
			ORDER BY last_at DESC, channel, room`))(func(row db.Scanner) (u IgnoredRoom, err error) {
			err = row.Scan(&u.Channel, &u.ID, &u.Title, &u.Count, db.IntoTime(&u.Last))
			return u, err
		})
		return err
	})
	return rooms, err
}
