package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"familiar/memory/memorytest"
)

// A town in which everybody wrote ten messages in one session a day, about things they own.
var townSQL = []string{
	`INSERT INTO people (id, name, created_at) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
		SELECT i, 'Person ' || i, 0 FROM n WHERE ?2 + ?3 > 0`,
	`INSERT INTO rooms (id, channel, room, thread, direct, person_id, title, created_at)
		SELECT id, 'desk', 'p' || id, '', 1, id, '', 0 FROM people WHERE ?1 + ?2 + ?3 > 0`,
	`INSERT INTO sessions (id, persona, room_id, started_at, last_at, ended_at)
		WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2 / 10 - 1)
		SELECT p.id * 1000 + n.i, 'tess', p.id, ?3 - (?2 / 10 - n.i) * 86400000, ?3, ?3 FROM people p, n WHERE ?1 > 0`,
	`INSERT INTO messages (id, persona, room_id, session_id, person_id, external_id, text, at)
		WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2 - 1)
		SELECT p.id * 100000 + n.i, 'tess', p.id, p.id * 1000 + n.i / 10, p.id, 'm' || n.i, CASE n.i % 5
			WHEN 0 THEN 'I spent an hour in my garden with thing number ' || n.i WHEN 1 THEN 'I feel stressed, work was too much today'
			WHEN 2 THEN 'There was a heron by the river, and I counted to ' || n.i WHEN 3 THEN 'I played chess against my neighbour again'
			ELSE 'Then I went to bed, nothing else happened on day ' || n.i / 10 END,
			?3 - (?2 / 10 - n.i / 10) * 86400000 + n.i % 10 * 60000 FROM people p, n WHERE ?1 > 0`,
	`INSERT INTO memories (id, persona, audience, audience_person, origin, author_id, session_id, sector, text, salience, lasts, forget_at, created_at)
		SELECT id, 'tess', 'private', person_id, 'said', person_id, session_id, 'episodic', text, 0.45, 1000000000, at + 100000000000, at
		FROM messages WHERE ?1 + ?2 + ?3 > 0 ORDER BY id`,
	`INSERT INTO memory_sources (memory_id, message_id) SELECT id, id FROM messages WHERE ?1 + ?2 + ?3 > 0`,
}

// BenchmarkNight runs both jobs over a thousand people with a thousand memories each, first with something new from
// everyone and then without.
func BenchmarkNight(b *testing.B) {
	w := newWorld(b)
	w.clock.Advance(200 * 24 * time.Hour)
	db := memorytest.SQL(b, w.Path())
	defer db.Close()
	for _, q := range townSQL {
		if _, err := db.Exec(q, 1000, 1000, w.clock.Now().UnixMilli()); err != nil {
			b.Fatal(fmt.Errorf("%w: %s", err, q))
		}
	}
	b.Run("everybody", func(b *testing.B) {
		for range b.N {
			dreamt, reflected := w.sleep()
			if dreamt.Scopes != 1000 || reflected.People != 1000 || dreamt.Memories < 1000 || reflected.Memories < 1000 {
				b.Fatal(dreamt, reflected)
			}
			b.StopTimer()
			for _, run := range []int64{w.runBefore, w.runs} {
				if _, err := w.Eraser.Revert(b.Context(), "tess", run); err != nil {
					b.Fatal(err)
				}
			}
			b.StartTimer()
		}
	})
	w.sleep()
	b.Run("nobody", func(b *testing.B) {
		for b.Loop() {
			if dreamt, reflected := w.sleep(); dreamt.Scopes+reflected.People != 0 {
				b.Fatal(dreamt, reflected)
			}
		}
	})
}
