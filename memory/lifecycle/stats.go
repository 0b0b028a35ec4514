package lifecycle

import (
	"context"
	"errors"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Stats counts what the store holds for one persona.
type Stats struct {
	// People and Rooms are those the persona has had a session with.
	People, Rooms int
	Sessions      int
	OpenSessions  int
	Messages      int
	Memories      map[model.Sector]int
	// Tiers counts memories by tier, Edges edges by kind. Due memories wait for the next Decay.
	Tiers  map[model.Tier]int
	Edges  map[model.EdgeKind]int
	Pinned int
	Due    int
	// Beliefs are active, History are ended ones.
	Beliefs, History int
	OpenLoops        int
	Turns            int
	// Pending messages wait for an answer, Unsent replies for sending. Dead ones of both were given up.
	Pending, Unsent, Dead int
	// Bytes is the size of the database with all personas.
	Bytes int64
}

// Stats counts what the store holds for persona.
func (s *Store) Stats(ctx context.Context, persona string) (Stats, error) {
	st := Stats{Memories: map[model.Sector]int{}, Tiers: map[model.Tier]int{}, Edges: map[model.EdgeKind]int{}}
	err := s.db.Read(ctx, "count the records of "+persona, func(tx *db.Tx) (err error) {
		for _, q := range []struct {
			into  *int
			query string
		}{
			{&st.People, `SELECT count(DISTINCT person_id) FROM messages WHERE persona = ? AND person_id IS NOT NULL`},
			{&st.Rooms, `SELECT count(DISTINCT room_id) FROM sessions WHERE persona = ?`},
			{&st.Sessions, `SELECT count(*) FROM sessions WHERE persona = ?`},
			{&st.OpenSessions, `SELECT count(*) FROM sessions WHERE persona = ? AND ended_at IS NULL`},
			{&st.Messages, `SELECT count(*) FROM messages WHERE persona = ?`},
			{&st.Beliefs, `SELECT count(*) FROM beliefs WHERE persona = ? AND status = 'active'`},
			{&st.History, `SELECT count(*) FROM beliefs WHERE persona = ? AND status <> 'active'`},
			{&st.OpenLoops, `SELECT count(*) FROM open_loops WHERE persona = ? AND status IN ('open', 'asked')
				AND kind IN ('plan', 'promise', 'question')`},
			{&st.Pinned, `SELECT count(*) FROM memories WHERE persona = ? AND pinned = 1`},
			{&st.Turns, `SELECT count(*) FROM turns WHERE persona = ?`},
			{&st.Pending, `SELECT count(*) FROM inbox WHERE persona = ? AND status = 'pending'`},
			{&st.Unsent, `SELECT count(*) FROM outbox WHERE persona = ? AND status = 'pending'`},
			{&st.Dead, `SELECT (SELECT count(*) FROM outbox o WHERE o.persona = x.persona AND o.status = 'dead' AND o.dropped_at IS NULL)
				+ (SELECT count(*) FROM inbox i WHERE i.persona = x.persona AND i.status = 'dead') FROM (SELECT ? AS persona) x`},
		} {
			if err := tx.QueryRow(q.query, persona).Scan(q.into); err != nil {
				return err
			}
		}
		if err := tx.QueryRow(`SELECT count(*) FROM memories WHERE persona = ?
			AND (kept_for IS NULL AND forget_at <= ? OR expires_at <= ?)`,
			persona, tx.NowMillis(), tx.NowMillis()).Scan(&st.Due); err != nil {
			return err
		}
		if st.Bytes, err = tx.Bytes(); err != nil {
			return err
		}
		return errors.Join(
			countInto(tx, st.Memories, `SELECT sector, count(*) FROM memories WHERE persona = ? GROUP BY sector`, persona),
			countInto(tx, st.Tiers, `SELECT tier, count(*) FROM memories WHERE persona = ? GROUP BY tier`, persona),
			countInto(tx, st.Edges, `SELECT e.kind, count(*) FROM memory_edges e JOIN memories m ON m.id = e.from_id
				WHERE m.persona = ? GROUP BY e.kind`, persona))
	})
	if err != nil {
		return Stats{}, err
	}
	return st, nil
}

// countInto reads a query of names and counts into counts.
func countInto[K ~string](tx *db.Tx, counts map[K]int, query, persona string) error {
	_, err := db.Collect[K](tx.Query(query, persona))(func(row db.Scanner) (name K, err error) {
		var n int
		if err = row.Scan(&name, &n); err == nil {
			counts[name] = n
		}
		return name, err
	})
	return err
}
