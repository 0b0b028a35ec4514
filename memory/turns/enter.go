package turns

import (
	"context"
	"fmt"
	"time"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Enter makes the author and the room of a message known and returns both. Who somebody is depends on their handle
// alone, never on a display name; names are kept as CleanName leaves them, or the handle's id where nothing is left.
// Whoever was met under the author's Alias is the same person from then on, in the same transaction.
//
// What the persona brings up itself leaves no trace of anybody, and fails with ErrNotFound where author or room is not
// known.
//
// It fails when a direct room is entered by somebody else than its person, or a room turns from direct to group or
// back: what was said under the one audience must not be heard by the other.
func (s *Store) UpsertParticipant(ctx context.Context, m channels.Message) (model.Person, model.Room, error) {
	var e entrance
	what := fmt.Sprintf("enter room %s", m.Room)
	err := s.db.Read(ctx, what, func(tx *db.Tx) error { return e.look(tx, m) })
	if err == nil && !e.settled && m.Proactive != "" {
		return model.Person{}, model.Room{}, fmt.Errorf("%s: whom it is about: %w", what, db.ErrNotFound)
	}
	if err == nil && !e.settled {
		err = s.db.Write(ctx, what, func(tx *db.Tx) error {
			if err := joinAlias(tx, m.Author); err != nil {
				return fmt.Errorf("know its author under both ids: %w", err)
			}
			if err := e.look(tx, m); err != nil || e.settled {
				return err
			}
			if err := e.write(tx, m); err != nil {
				return err
			}
			return e.look(tx, m)
		})
	}
	if err != nil {
		return model.Person{}, model.Room{}, err
	}
	return e.person, e.room, nil
}

// entrance is one Enter: what is known so far of author and room.
type entrance struct {
	person  model.Person
	room    model.Room
	display string
	seen    time.Time
	spoke   time.Time
	settled bool // nothing is left to write
}
