package history

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// Visit is what Walk calls. What it is handed is valid during the call.
type Visit struct {
	// Life is called for each memory that is left, oldest first, and Held for each belief.
	Life func(*Life)
	Held func(*Held)
	// Forgotten is called in the order of time, with how many memories were forgotten on purpose then. Of whom they were is
	// not on record: they are those of all personas.
	Forgotten func(at time.Time, memories int)
}

// Walk reads the history of persona as a Timeline has it, without holding it: it needs no more memory for a store of millions.
// It returns since when everything is on record. What it calls must not wait, because a reader is busy meanwhile.
func (s *Store) Walk(ctx context.Context, persona string, v Visit) (complete time.Time, err error) {
	err = s.db.Read(ctx, "read the history of "+persona, func(tx *db.Tx) error {
		if err := eachLife(ctx, tx, persona, s.db.Decay(), v.Life); err != nil {
			return fmt.Errorf("memories: %w", err)
		}
		if err := eachBelief(tx, persona, v.Held); err != nil {
			return fmt.Errorf("beliefs: %w", err)
		}
		return eachForgotten(tx, v.Forgotten)
	})
	if err != nil {
		return time.Time{}, err
	}
	return s.db.HistorySince(ctx)
}

// checkEvery is after how many memories eachLife looks whether somebody still waits.
const checkEvery = 10_000

func eachLife(ctx context.Context, tx *db.Tx, persona string, decay model.DecayModel, visit func(*Life)) error {
	events, err := readEvents(tx, persona)
	if err != nil {
		return fmt.Errorf("what changed in them: %w", err)
	}
	read := 0
	return each(tx.Query(selectLives+` WHERE m.persona = ? ORDER BY m.id`, persona))(func(row db.Scanner) error {
		if read++; read%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		l, err := scanLife(row)
		if err != nil {
			return err
		}
		own, err := events.of(l.ID)
		if err != nil {
			return fmt.Errorf("what changed in memory %d: %w", l.ID, err)
		}
		l.unfold(l.created, l.now, decay.RatesOf(persona)[l.Sector], own)
		visit(&l.Life)
		return nil
	})
}

const selectLives = `SELECT m.id, coalesce(m.author_id, 0), m.audience, m.audience_person, m.audience_room, m.kind, m.sector,
	m.salience, m.created_at, coalesce(m.stored_at, m.created_at), (SELECT coalesce(n.stored_at, n.created_at) FROM memories n
		WHERE n.id = m.superseded_by), m.expires_at, m.tier, m.pinned, m.strength
	FROM memories m`

// present is a life before it is unfolded: its present, and when the memory was made.
type present struct {
	Life
	created time.Time
	now     Phase
}

func scanLife(row db.Scanner) (l present, err error) {
	var person, room int64
	var audience model.AudienceKind
	err = row.Scan(&l.ID, &l.Author, &audience, db.IntoID(&person), db.IntoID(&room), &l.Kind, &l.Sector, &l.Salience, db.IntoTime(&l.created),
		db.IntoTime(&l.Stored), db.IntoTime(&l.Replaced), db.IntoTime(&l.Expires), &l.now.Tier, &l.now.Pinned, &l.now.Strength)
	l.Audience = scope.IntoAudience(audience, person, room)
	return l, err
}

// eventReader reads the recorded changes of memories beside the memories, both in the order of their ids.
type eventReader struct {
	rows *sql.Rows
	// id is the memory of the event that was read last, ended whether there was none.
	id    int64
	last  event
	ended bool
	buf   []event
}

func readEvents(tx *db.Tx, persona string) (*eventReader, error) {
	//nolint:sqlclosecheck,rowserrcheck // the transaction closes them at the latest, next checks Err
	rows, err := tx.Query(`SELECT v.id, v.at, v.what, v.gain, v.was FROM (
		SELECT m.id, t.ended_at AS at, 'used' AS what, 0.0 AS gain, '' AS was, -1 AS nth FROM turns t JOIN turn_items i ON i.turn_id = t.id AND i.used = 1
			JOIN memories m ON m.id = i.memory_id WHERE m.persona = ?1 GROUP BY m.id, t.id
		UNION ALL SELECT m.id, j.started_at, 'reinforced', r.gain, '', 0 FROM rehearsals r JOIN job_runs j ON j.id = r.job_run_id
			JOIN memories m ON m.id = r.memory_id WHERE m.persona = ?1
		UNION ALL SELECT m.id, e.at, CASE e.kind WHEN 'tier' THEN 'moved' ELSE 'pinned' END, 0.0, e.was, e.id FROM memory_events e
			JOIN memories m ON m.id = e.memory_id WHERE m.persona = ?1 AND e.kind <> 'expires') v
		ORDER BY v.id, v.at, v.nth`, persona)
	if err != nil {
		return nil, err
	}
	r := &eventReader{rows: rows}
	return r, r.next()
}

func (r *eventReader) next() error {
	if !r.rows.Next() {
		r.ended = true
		return r.rows.Err()
	}
	return r.rows.Scan(&r.id, &r.last.at, &r.last.change, &r.last.gain, &r.last.was)
}

// of returns the changes of a memory in the order of time. They are valid until the next call, which must be for a younger one.
func (r *eventReader) of(memory int64) ([]event, error) {
	r.buf = r.buf[:0]
	for !r.ended && r.id <= memory {
		if r.id == memory {
			r.buf = append(r.buf, r.last)
		}
		if err := r.next(); err != nil {
			return nil, err
		}
	}
	return r.buf, nil
}

// selectHeld selects beliefs. memory is the SQL of the last column, the memory in which they were said.
func selectHeld(memory string) string {
	return `SELECT x.id, coalesce(x.subject_person, 0), coalesce(p.name, x.subject), x.relation, x.value, x.audience,
	x.audience_person, x.audience_room, coalesce(x.stored_at, x.created_at), ` + db.BeliefEnd + `, ` + memory + `
	FROM beliefs x LEFT JOIN people p ON p.id = x.subject_person WHERE x.persona = ?`
}

// saidIn is the memory in which a belief was first said.
const saidIn = `coalesce((SELECT m.id FROM belief_evidence e JOIN memory_sources f ON f.message_id = e.message_id
	JOIN memories m ON m.id = f.memory_id WHERE e.belief_id = x.id AND m.persona = x.persona ORDER BY e.id, m.id LIMIT 1), 0)`

func scanHeld(row db.Scanner) (h Held, err error) {
	var person, room int64
	var audience model.AudienceKind
	err = row.Scan(&h.ID, &h.Person, &h.Subject, &h.Relation, &h.Value, &audience, db.IntoID(&person), db.IntoID(&room),
		db.IntoTime(&h.Stored), db.IntoTime(&h.Ended), &h.Memory)
	h.Audience = scope.IntoAudience(audience, person, room)
	return h, err
}

func eachBelief(tx *db.Tx, persona string, visit func(*Held)) error {
	return each(tx.Query(selectHeld(`0`)+` ORDER BY x.id`, persona))(func(row db.Scanner) error {
		h, err := scanHeld(row)
		if err == nil {
			visit(&h)
		}
		return err
	})
}

// Held returns those of persona's beliefs that have one of the ids, oldest first, with their memories.
func (s *Store) Held(ctx context.Context, persona string, ids []int64) (held []Held, err error) {
	in, args := db.Placeholders(ids)
	err = s.db.ReadOne(ctx, "read beliefs of "+persona, func(tx *db.Tx) error {
		held, err = db.Collect[Held](tx.Query(selectHeld(saidIn)+` AND x.id IN `+in+` ORDER BY x.id`, append([]any{persona}, args...)...))(scanHeld)
		return err
	})
	return held, err
}

func eachForgotten(tx *db.Tx, visit func(at time.Time, memories int)) error {
	return each(tx.Query(`SELECT at, json_array_length(memories) FROM erasures WHERE memories <> '[]' ORDER BY at, id`))(func(row db.Scanner) error {
		var at time.Time
		var n int
		err := row.Scan(db.IntoTime(&at), &n)
		if err == nil {
			visit(at, n)
		}
		return err
	})
}

// each passes the rows of a query to visit, which stops with an error.
func each(rows *sql.Rows, err error) func(visit func(db.Scanner) error) error {
	return func(visit func(db.Scanner) error) error {
		if err != nil {
			return err
		}
		defer rows.Close() //nolint:errcheck // Err below reports read errors
		for rows.Next() {
			if err := visit(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	}
}
