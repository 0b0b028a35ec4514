package turns

import (
	"context"
	"fmt"
	"time"

	"familiar/memory/internal/db"
)

// Shaped is an answer that a memory shaped.
type Shaped struct {
	// Message is the answer, RoomID where it was given, Room its title.
	Message, RoomID int64
	Room            string
	At              time.Time
	// Text is the answer, "" once it was forgotten.
	Text string
	// Reason says in words why the memory was packed. Used reports that the answer was made from it; otherwise it was only in the
	// prompt.
	Reason string
	Used   bool
}

// ShapedBy returns the answers that a memory shaped, newest first, at most limit. It is for operators.
func (s *Store) ShapedBy(ctx context.Context, memory int64, limit int) (all []Shaped, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("list the answers from memory %d", memory), func(tx *db.Tx) error {
		all, err = db.Collect[Shaped](tx.Query(`SELECT a.id, a.room_id, coalesce(p.name, nullif(r.title, ''), r.room, ''), a.at, a.text, i.reason, i.used
			FROM turn_items i JOIN turns t ON t.id = i.turn_id JOIN messages a ON a.id = t.reply_id
			JOIN rooms r ON r.id = a.room_id LEFT JOIN people p ON r.direct = 1 AND p.id = r.person_id
			WHERE i.memory_id = ? ORDER BY i.turn_id DESC LIMIT ? + 0`, memory, limit))(func(row db.Scanner) (a Shaped, err error) {
			return a, row.Scan(&a.Message, &a.RoomID, &a.Room, db.IntoTime(&a.At), &a.Text, &a.Reason, &a.Used)
		})
		return err
	})
	return all, err
}
