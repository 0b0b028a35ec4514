package log

import (
	"context"
	"fmt"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
)

// Hearing is what persona may speak of in a room. It is as of now: who speaks in a group for the first time may hear
// of it in their direct room from the next Hearing on. It fails with ErrNotFound for a room the store does not know.
func (s *Store) Visibility(ctx context.Context, persona string, roomID int64) (h scope.Visibility, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read who may be heard in room %d", roomID), func(tx *db.Tx) error {
		room, err := RoomByID(tx, roomID)
		if err != nil {
			return err
		}
		h, err = scope.ReadVersioned(tx, persona, room)
		return err
	})
	return h, err
}
