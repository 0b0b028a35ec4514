package bench

import (
	"context"
	"testing"
	"time"

	"familiar/memory"
)

// testNights describes a small town whose jobs are the store's own.
func testNights(people, memories int) NightParts {
	return NightParts{Persona: "nell", People: people, Memories: memories, Jobs: func(store *memory.Store, _ func() time.Time) []NightJob {
		return []NightJob{
			{"decay", func(ctx context.Context, _ int64, now time.Time) (string, error) {
				r, err := store.Lifecycle.Decay(ctx, now)
				return r.String(), err
			}},
			{"link", func(ctx context.Context, run int64, _ time.Time) (string, error) {
				r, err := store.Lifecycle.Link(ctx, "nell", run)
				return r.String(), err
			}},
			{"consolidate", func(ctx context.Context, run int64, now time.Time) (string, error) {
				r, err := store.Lifecycle.Consolidate(ctx, "nell", run, now)
				return r.String(), err
			}},
		}
	}}
}

func TestNights(t *testing.T) {
	r, err := Nights(t.Context(), testNights(4, 200))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Night) != 3 || len(r.Idle) != 3 || r.NightS <= 0 || r.TargetS <= 0 || r.DBMB <= 0 {
		t.Errorf("got %+v", r)
	}
	const linked = "read 40 memories and 0 turns"
	if got := r.Night[1].Result; len(got) < len(linked) || got[:len(linked)] != linked {
		t.Errorf("linking the last day: %q", got)
	}
}

// BenchmarkNight measures the night of a tenth of a large town.
func BenchmarkNight(b *testing.B) {
	for b.Loop() {
		r, err := Nights(b.Context(), testNights(100, 1000))
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(r.NightS, "night-s")
		b.ReportMetric(r.IdleS, "idle-s")
		b.Logf("%+v", r)
	}
}
