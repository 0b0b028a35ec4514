package lifecycle

import (
	"context"
	"math"
	"slices"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
)

// Dead returns persona's memories that nobody can recall any more: expired ones, and dormant ones whose time to be
// removed has come.
func (s *Store) Dead(ctx context.Context, persona string, now time.Time) (dead []Move, err error) {
	err = s.db.Read(ctx, "find dead memories", func(tx *db.Tx) error {
		dead, err = findDead(tx, persona, now, 0)
		return err
	})
	return dead, err
}

// Collect removes what Dead finds and returns it, with the number of memories removed in all, derived ones included. It
// works in small transactions.
func (s *Store) Collect(ctx context.Context, persona string, now time.Time) (dead []Move, gone int, err error) {
	for {
		var some []Move
		var went []scope.MemoryRef
		err := s.db.Write(ctx, "remove dead memories", func(tx *db.Tx) error {
			if some, err = findDead(tx, persona, now, decayBatch); err != nil {
				return err
			}
			due := make([]scope.MemoryRef, len(some))
			for i, m := range some {
				due[i] = m.MemoryRef
			}
			went, err = Drop(tx, due)
			return err
		})
		if err != nil {
			return dead, gone, err
		}
		dead, gone = append(dead, some...), gone+len(went)
		if len(some) < decayBatch {
			return dead, gone, nil
		}
	}
}

// Why a memory is dead.
const (
	whyExpired = "expired"
	whyFaded   = "forget dormant when faded"
)

// findDead returns at most limit of the memories that Dead finds, all for 0.
func findDead(tx *db.Tx, persona string, now time.Time, limit int) ([]Move, error) {
	kept, args, err := keptByRule(tx, now)
	if err != nil {
		return nil, err
	}
	if limit == 0 {
		limit = math.MaxInt32
	}
	return db.Collect[Move](tx.Query(`SELECT m.id, m.persona, m.tier, m.audience, m.audience_person, m.audience_room, m.text,
		CASE WHEN `+expiryDue+` THEN 1 ELSE 0 END FROM memories m
		WHERE m.persona = ? AND ((`+expiryDue+` OR `+dormancyDue+`)`+kept+`) ORDER BY m.id LIMIT ? + 0`,
		slices.Concat([]any{db.Millis(now), persona, db.Millis(now), db.Millis(now)}, args, []any{limit})...))(func(row db.Scanner) (m Move, err error) {
		over, err := m.scan(row)
		if m.Rule = whyFaded; over == 1 {
			m.Rule = whyExpired
		}
		return m, err
	})
}

// scan reads the columns of a located memory, its text, and one number after them.
func (m *Move) scan(row db.Scanner) (number int, err error) {
	var person, room int64
	err = row.Scan(&m.MemoryID, &m.Persona, &m.Tier, &m.Kind, db.IntoID(&person), db.IntoID(&room), &m.Text, &number)
	m.Audience = scope.IntoAudience(m.Kind, person, room)
	m.ID, m.From = m.MemoryID, m.Tier
	return number, err
}
