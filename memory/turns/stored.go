package turns

import (
	"errors"
	"slices"

	"familiar/memory/internal/db"
)

// readStored finds the messages of the turn that the room already has.
func (r *TurnWriter) readStored() error {
	r.stored = map[string]int64{}
	var ids []string
	for _, h := range r.Turn.Heard {
		if !h.Message.Arrival {
			ids = append(ids, r.externalID(h.Message))
		}
	}
	if r.Turn.Reply != nil {
		ids = append(ids, r.Turn.Reply.Key)
	}
	for some := range slices.Chunk(ids, db.MaxArgs) {
		in, args := db.Placeholders(some)
		_, err := db.Collect[int64](r.Query(`SELECT external_id, id FROM messages WHERE persona = ? AND room_id = ? AND external_id IN `+in,
			append([]any{r.Turn.Persona, r.Turn.Room.ID}, args...)...))(func(row db.Scanner) (id int64, err error) {
			var externalID string
			err = row.Scan(&externalID, &id)
			r.stored[externalID] = id
			return id, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// storedID returns the id of a message that the room already has, 0 if it has none.
func (r *TurnWriter) storedID(externalID string) (int64, error) {
	if r.stored != nil {
		return r.stored[externalID], nil
	}
	id, err := db.One(r.QueryRow(`SELECT id FROM messages WHERE persona = ? AND room_id = ? AND external_id = ?`,
		r.Turn.Persona, r.Turn.Room.ID, externalID), db.ScanID)
	if errors.Is(err, db.ErrNotFound) {
		err = nil
	}
	return id, err
}
