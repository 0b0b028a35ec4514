package memory_test

import (
	"fmt"
	"testing"

	"familiar/memory/model"
)

// manyMemories fills a store with n memories of one direct room, in sessions of a hundred; one in a hundred is due.
const manyMemories = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
	INSERT INTO memories (persona, audience, audience_person, origin, author_id, session_id, parent_id, sector, text, salience,
		tier, lasts, forget_at, created_at)
	SELECT 'mira', 'private', 1, 'said', 1, 1, CASE WHEN i > 1 THEN i END, 'episodic', 'what was said as number ' || i || ' of many', 0.4,
		?, 1000, CASE WHEN i % 100 = 0 THEN ? ELSE ? + i END, ? FROM n`

// BenchmarkDecay runs the decay job when one memory in a hundred is due to become dormant or to be removed.
func BenchmarkDecay(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		for _, tier := range []model.Tier{model.Short, model.Dormant} {
			b.Run(fmt.Sprintf("%s/%d", tier, n), func(b *testing.B) {
				for range b.N {
					b.StopTimer()
					w := manyTown(b, n, tier)
					b.StartTimer()
					got, err := w.Lifecycle.Decay(b.Context(), w.clock.Now())
					if err != nil || got.Dormant+got.Gone != n/100 {
						b.Fatal(got, err)
					}
				}
			})
		}
	}
}

// BenchmarkReflect reads all memories once; the rules move none.
func BenchmarkReflect(b *testing.B) {
	w := manyTown(b, 1_000_000, model.Short)
	for b.Loop() {
		if r, err := w.Lifecycle.PlanConsolidation(b.Context(), "mira", w.clock.Now().Add(-1)); err != nil || len(r.Moves) > 10_000 {
			b.Fatal(len(r.Moves), err)
		}
	}
}

func manyTown(b *testing.B, n int, tier model.Tier) *town {
	w := newTown(b)
	w.say("", "ann", "hello")
	now := w.clock.Now().UnixMilli()
	if _, err := w.db().Exec(manyMemories, n, tier, now-1, now+1000, now-10_000); err != nil {
		b.Fatal(err)
	}
	return w
}
