package turns

import (
	"context"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/log"
	"familiar/memory/model"
)

// query is a statement with its arguments.
type query struct {
	text string
	args []any
}

// Ahead has what a turn in a room is about to read sent together: in a snapshot, so that it waits only once for a database that
// is on a server. answering says whether the turn will answer the person.
func (s *Store) Ahead(ctx context.Context, persona string, room model.Room, person int64, answering bool) error {
	return s.db.Read(ctx, "prepare to read for a turn", func(tx *db.Tx) error {
		if err := scope.AheadOfVisibility(tx, room); err != nil {
			return err
		}
		if !answering {
			return sendAhead(tx, query{selectLatestSession, []any{persona, room.ID}})
		}
		if err := log.AheadOfUndelivered(tx, persona, room.ID); err != nil {
			return err
		}
		return sendAhead(tx,
			query{selectLatestSession, []any{persona, room.ID}},
			query{selectRelationship, []any{persona, person}},
			query{selectMilestones, []any{persona, person}},
			query{selectGrowth, []any{persona}})
	})
}

func sendAhead(tx *db.Tx, queries ...query) error {
	for _, q := range queries {
		if err := tx.Ahead(q.text, q.args...); err != nil {
			return err
		}
	}
	return nil
}

// readAhead has what record reads before it changes anything sent together.
func (r *TurnWriter) readAhead() error {
	t := r.Turn
	if t.SessionID == 0 || len(t.Heard) == 0 {
		return nil
	}
	if err := sendAhead(r.Tx, query{selectSession, []any{t.SessionID}}); err != nil {
		return err
	}
	return scope.AheadOfVisibility(r.Tx, t.Room)
}
