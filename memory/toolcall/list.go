package toolcall

import (
	"context"
	"fmt"
	"math"
	"time"

	"familiar/memory/internal/db"
)

// Filter says which calls are listed; zero fields do not matter.
type Filter struct {
	Persona      string
	Person, Room int64
	Tool         string
	Since        time.Time
	// Limit is how many are listed at most, the latest; 0 is all.
	Limit int
}

// List returns calls, the latest first.
func (s *Store) List(ctx context.Context, f Filter) (all []Call, err error) {
	limit := f.Limit
	if limit == 0 {
		limit = math.MaxInt // PostgreSQL takes no negative number for none
	}
	err = s.db.ReadOne(ctx, "list the calls of tools", func(tx *db.Tx) error {
		all, err = db.Collect[Call](tx.Query(selectCalls+` WHERE (?1 = '' OR persona = ?1) AND (?2 = 0 OR person_id = ?2) AND (?3 = 0 OR room_id = ?3) AND (?4 = '' OR tool = ?4) AND at >= ?5
			ORDER BY id DESC LIMIT ?6 + 0`, f.Persona, f.Person, f.Room, f.Tool, db.Millis(f.Since), limit))(scan)
		return err
	})
	return all, err
}

// selectCalls selects the columns that scan reads.
const selectCalls = `SELECT id, persona, person_id, room_id, turn, coalesce(parent_id, 0), tool, arguments, gate, outcome, reason, free, at, took_ms, tokens
	FROM tool_calls`

// OfTurn returns the calls that were made for a recorded turn, in their order.
func (s *Store) OfTurn(ctx context.Context, turn int64) (all []Call, err error) {
	err = s.db.ReadOne(ctx, fmt.Sprintf("list the calls of tools of turn %d", turn), func(tx *db.Tx) error {
		all, err = db.Collect[Call](tx.Query(selectCalls+` WHERE message_id IN (SELECT h.message_id FROM turn_heard h WHERE h.turn_id = ?) ORDER BY id`, turn))(scan)
		return err
	})
	return all, err
}

func scan(row db.Scanner) (c Call, err error) {
	var millis int64
	err = row.Scan(&c.ID, &c.Persona, &c.Person, &c.Room, &c.Turn, &c.Parent, &c.Tool, &c.Arguments, &c.Gate, &c.Outcome, &c.Reason, &c.Free,
		db.IntoTime(&c.At), &millis, &c.Tokens)
	c.Took = time.Duration(millis) * time.Millisecond
	return c, err
}
