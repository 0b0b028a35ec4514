package log

import (
	"context"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// UnheardRoom is a group in which something was said and nothing is heard.
type IgnoredRoom struct {
	// Channel and ID are the network's, as the configuration names the group.
	Channel, ID string
	// Title is what the network called it, "" when it did not say.
	Title string
	// Count is how often something was said there, as far as that was counted.
	Count int
	Last  time.Time
}

// maxIgnoredRooms is how many such groups are kept for each channel: those that spoke last.
const maxIgnoredRooms = 50

// NoteUnheard adds to how often something was said in a group where nothing is heard. Title and id are all that is kept.
func (s *Store) NoteIgnoredRoom(ctx context.Context, u IgnoredRoom) error {
	return s.db.Write(ctx, "note a group on "+u.Channel+" that is not heard", func(tx *db.Tx) error {
		if _, err := tx.Exec(`INSERT INTO unheard_rooms (channel, room, title, times, last_at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (channel, room) DO UPDATE SET times = times + excluded.times, last_at = excluded.last_at,
				title = CASE WHEN excluded.title <> '' THEN excluded.title ELSE title END`,
			u.Channel, u.ID, model.CleanText(u.Title), u.Count, tx.NowMillis()); err != nil {
			return err
		}
		_, err := tx.Exec(`DELETE FROM unheard_rooms WHERE channel = ?1 AND room IN
			(SELECT room FROM unheard_rooms WHERE channel = ?1 ORDER BY last_at DESC, room LIMIT -1 OFFSET ?2 + 0)`, u.Channel, maxIgnoredRooms)
		return err
	})
}

// UnheardRooms are the groups in which something was said and nothing is heard, those that spoke last first.
func (s *Store) IgnoredRooms(ctx context.Context) (rooms []IgnoredRoom, err error) {
	err = s.db.Read(ctx, "list the groups that are not heard", func(tx *db.Tx) error {
		rooms, err = db.Collect[IgnoredRoom](tx.Query(`SELECT channel, room, title, times, last_at FROM unheard_rooms
			ORDER BY last_at DESC, channel, room`))(func(row db.Scanner) (u IgnoredRoom, err error) {
			err = row.Scan(&u.Channel, &u.ID, &u.Title, &u.Count, db.IntoTime(&u.Last))
			return u, err
		})
		return err
	})
	return rooms, err
}
