package memory

import "context"

// Stats count what the store holds of one persona.
type Stats struct {
	// People and Rooms are those the persona has had a session with.
	People, Rooms int
	Sessions      int
	OpenSessions  int
	Messages      int
	Memories      map[Sector]int
	// Beliefs are active, History are those that ended.
	Beliefs, History int
	OpenLoops        int
	Turns            int
	// Pending messages wait to be answered, Unsent replies to be sent; Dead ones of either were given up.
	Pending, Unsent, Dead int
}

// Stats counts what the store holds of persona.
func (s *Store) Stats(ctx context.Context, persona string) (Stats, error) {
	st := Stats{Memories: map[Sector]int{}}
	err := s.read(ctx, "count what is stored for "+persona, func(tx *conn) error {
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
			{&st.OpenLoops, `SELECT count(*) FROM open_loops WHERE persona = ? AND status IN ('open', 'asked')`},
			{&st.Turns, `SELECT count(*) FROM turns WHERE persona = ?`},
			{&st.Pending, `SELECT count(*) FROM inbox WHERE persona = ? AND status = 'pending'`},
			{&st.Unsent, `SELECT count(*) FROM outbox WHERE persona = ? AND status = 'pending'`},
			{&st.Dead, `SELECT (SELECT count(*) FROM outbox o WHERE o.persona = x.persona AND o.status = 'dead')
				+ (SELECT count(*) FROM inbox i WHERE i.persona = x.persona AND i.status = 'dead') FROM (SELECT ? AS persona) x`},
		} {
			if err := tx.row(q.query, persona).Scan(q.into); err != nil {
				return err
			}
		}
		_, err := collect[Sector](tx.rows(`SELECT sector, count(*) FROM memories WHERE persona = ? GROUP BY sector`, persona))(
			func(row scanner) (sector Sector, err error) {
				var n int
				if err = row.Scan(&sector, &n); err == nil {
					st.Memories[sector] = n
				}
				return sector, err
			})
		return err
	})
	if err != nil {
		return Stats{}, err
	}
	return st, nil
}
