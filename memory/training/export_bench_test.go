package training_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/memorytest"
	"familiar/memory/training"
)

// filled returns a store with about as many messages in sessions of forty, in the direct rooms of a hundred people who all agreed.
func filled(t testing.TB, messages int) *memory.Store {
	t.Helper()
	address := memorytest.Address(t, filepath.Join(t.TempDir(), "memory.db"))
	store, err := memory.Open(t.Context(), address, memory.Options{Now: (&memorytest.Clock{}).Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	d := memorytest.SQL(t, address)
	for _, q := range []string{
		`INSERT INTO people (id, name, created_at) WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT i, 'Quux' || i, 1 FROM n`,
		`INSERT INTO rooms (id, channel, room, direct, person_id, created_at) SELECT id, 'desk', id, 1, id, 1 FROM people`,
		`INSERT INTO room_people SELECT id, id, 1, 1 FROM people`,
		`INSERT INTO training_consents (persona, person_id, room_id, given, at) SELECT 'tess', id, id, 1, 1 FROM people`,
		fmt.Sprintf(`INSERT INTO sessions (id, persona, room_id, started_at, last_at) WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			SELECT i, 'tess', i %% 100 + 1, i, i FROM n`, messages/40),
		`INSERT INTO messages (persona, room_id, session_id, person_id, external_id, text, at) WITH n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 39)
			SELECT 'tess', s.room_id, s.id, iif(n.i % 2 = 0, s.room_id, NULL), s.id || '-' || n.i, 'I told Quux7 that the tram was late on day ' || n.i || ', call 0301234567', s.id
			FROM sessions s CROSS JOIN n ORDER BY s.id, n.i`,
		`INSERT INTO memories (id, persona, audience, audience_person, origin, author_id, sector, text, salience, created_at)
			SELECT id, persona, 'private', person_id, 'said', person_id, 'episodic', text, 0.5, at FROM messages WHERE person_id IS NOT NULL`,
		`INSERT INTO memory_sources (memory_id, message_id) SELECT id, id FROM memories`,
		`INSERT INTO turns (id, persona, room_id, session_id, person_id, reply_id, recent_from, voice, started_at, ended_at)
			SELECT id, persona, room_id, session_id, room_id, id, id - (id - 1) % 40, 'model', at, at FROM messages WHERE person_id IS NULL`,
		`INSERT INTO turn_heard (turn_id, message_id) SELECT reply_id, reply_id - 1 FROM turns`,
		`INSERT INTO turn_items (turn_id, ord, memory_id, score, reason, used) WITH n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 4)
			SELECT t.id, n.i, max(1, (t.reply_id - 1 - n.i * 4000)), 1, 'said earlier', 1 FROM turns t JOIN n WHERE t.reply_id - 1 - n.i * 4000 > 0`,
	} {
		if _, err := d.Exec(q); err != nil {
			t.Fatalf("%v: %s", err, q)
		}
	}
	return store
}

// BenchmarkExport exports a store of MESSAGES messages, 40,000 if it is not set, and reports the time for each and the memory in use.
func BenchmarkExport(b *testing.B) {
	messages, err := strconv.Atoi(os.Getenv("MESSAGES"))
	if err != nil {
		messages = 40_000
	}
	store := filled(b, messages)
	o := training.Options{Persona: "tess", Format: training.ChatML}
	for b.Loop() {
		peak := uint64(0)
		done := make(chan struct{})
		go func() {
			for {
				select {
				case <-done:
					return
				case <-time.After(50 * time.Millisecond):
					var m runtime.MemStats
					runtime.ReadMemStats(&m)
					peak = max(peak, m.HeapInuse)
				}
			}
		}()
		report, err := store.Training.Export(b.Context(), io.Discard, o)
		close(done)
		if err != nil || report.Replies == 0 {
			b.Fatal(report, err)
		}
		b.ReportMetric(float64(peak)/(1<<20), "MB-in-use")
		b.Logf("%+v", report)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(messages), "ns/message")
}
