package turns

import (
	"errors"

	"familiar/memory/internal/db"
)

// readStored finds the messages of the turn that the room already has.
func (r *TurnWriter) readStored() error {
	var ids []string
	for _, h := range r.Turn.Heard {
		if !h.Message.Arrival {
			ids = append(ids, r.externalID(h.Message))
		}
	}
	if r.Turn.Reply != nil {
		ids = append(ids, r.Turn.Reply.Key)
	}
	stored := make(map[string]int64, len(ids))
	reads := make([]func() error, len(ids))
	for i, id := range ids {
		reads[i] = func() (err error) { stored[id], err = r.findStored(id); return err }
	}
	if err := r.Prefetch(reads...); err != nil {
		return err
	}
	for _, read := range reads {
		if err := read(); err != nil {
			return err
		}
	}
	r.stored = stored
	return nil
}

// storedID returns the id of a message that the room already has, 0 if it has none.
func (r *TurnWriter) storedID(externalID string) (int64, error) {
	if r.stored != nil {
		return r.stored[externalID], nil
	}
	return r.findStored(externalID)
}

func (r *TurnWriter) findStored(externalID string) (int64, error) {
	id, err := db.One(r.QueryRow(`SELECT id FROM messages WHERE persona = ? AND room_id = ? AND external_id = ?`,
		r.Turn.Persona, r.Turn.Room.ID, externalID), db.ScanID)
	if errors.Is(err, db.ErrNotFound) {
		err = nil
	}
	return id, err
}
