package timeline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/history"
	"familiar/memory/memorytest"
	"familiar/memory/model"
)

const oneDay = 24 * time.Hour

// riga has other days than UTC, and one of 23 and one of 25 hours a year.
var riga = must(time.LoadLocation("Europe/Riga"))

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// lived returns a store with a random history of some months of vela, and a little of kit.
func lived(t *testing.T, seed uint64) (*memory.Store, *memorytest.Clock) {
	t.Helper()
	clock := new(memorytest.Clock)
	s := memorytest.OpenAt(t, clock)
	r := rand.New(rand.NewPCG(seed, 5))
	ann := must(s.Notebook(t.Context(), memory.Owner{Persona: "vela", Person: "ann", Name: "Ann"}))
	kit := must(s.Notebook(t.Context(), memory.Owner{Persona: "kit", Person: "ann", Name: "Ann"}))
	must(kit.Remember(t.Context(), "Only Kit knows about the lighthouse."))
	var ids []int64
	for i := range 120 {
		options := []memory.RememberOption{memory.Salience(r.Float64()), memory.As(sectors[r.IntN(len(sectors))])}
		switch r.IntN(8) {
		case 0:
			ids = append(ids, must(ann.Believe(t.Context(), "Ann", "lives_in", fmt.Sprintf("Town%d", r.IntN(9)))).ID)
		case 1:
			if len(ids) > 0 {
				must(s.Lifecycle.Pin(t.Context(), ids[r.IntN(len(ids))], r.IntN(2) == 0))
			}
		case 2:
			if len(ids) > 0 {
				must(s.Lifecycle.MoveTier(t.Context(), ids[r.IntN(len(ids))], func(model.Tier) model.Tier { return model.Tiers[r.IntN(len(model.Tiers))] }))
			}
		case 3:
			if len(ids) > 0 {
				must(s.Lifecycle.Expire(t.Context(), ids[r.IntN(len(ids))], clock.Now().Add(time.Duration(1+r.IntN(60))*oneDay)))
			}
		case 4:
			if len(ids) > 9 {
				n := r.IntN(len(ids))
				must(s.Eraser.Forget(t.Context(), ids[n]))
				ids = slices.Delete(ids, n, n+1)
			}
		default:
			ids = append(ids, must(ann.Remember(t.Context(), fmt.Sprintf("The market has stall %d.", i), options...)).ID)
		}
		clock.Advance(time.Duration(r.IntN(72)) * time.Hour)
	}
	return s, clock
}

func TestEveryDayEqualsTheTimeline(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		s, clock := lived(t, seed)
		f := must(shoot(t.Context(), s.History, "vela", clock.Now().In(riga)))
		timeline := must(s.History.Timeline(t.Context(), "vela"))
		if days := int(clock.Now().Sub(memorytest.Start) / oneDay); len(f.days) > days+2 || len(f.days) < 100 {
			t.Fatalf("%d days of %d", len(f.days), days)
		}
		var seen history.Counts
		for i, d := range f.days {
			if want := timeline.Counts(d.at); d.counts != want {
				t.Fatalf("seed %d, %s: %+v, the timeline has %+v", seed, d.at, d.counts, want)
			}
			for class, n := range d.counts.Memories {
				seen.Memories[class] += n
			}
			if got, want := fmt.Sprint(f.around(i, i)), fmt.Sprint(changesOf(timeline, f, i)); got != want {
				t.Fatalf("seed %d, %s: happened\n%v, want\n%v", seed, d.at, got, want)
			}
		}
		if slices.Contains(seen.Memories[:], 0) || f.days[len(f.days)-1].counts.Forgotten == 0 {
			t.Errorf("seed %d: some class never occurred: %+v", seed, seen)
		}
		if all := f.around(0, len(f.days)-1); len(all.faded) == 0 || len(all.ended) == 0 || len(all.learned) == 0 || len(all.doubted) == 0 {
			t.Errorf("seed %d: something never happened: %+v", seed, all)
		}
	}
}

// changesOf compares the ends of a day and the day before in the timeline.
func changesOf(timeline *history.Timeline, f *film, i int) (a around) {
	const absent = -1
	classAt := func(l *history.Life, i int) history.Freshness {
		if i < 0 {
			return absent
		}
		s, there := l.At(f.days[i].at)
		if !there {
			return absent
		}
		return s.Freshness()
	}
	for n := range timeline.Lives {
		l := &timeline.Lives[n]
		before, now := classAt(l, i-1), classAt(l, i)
		c := change{l.ID, i}
		switch {
		case before == absent && now != absent:
			a.stored = append(a.stored, c)
		case before != absent && now == absent:
			a.ended = append(a.ended, c)
		case before != absent && before < history.Faded && now >= history.Faded:
			a.faded = append(a.faded, c)
		}
	}
	for _, h := range timeline.Beliefs {
		before, now := i > 0 && h.At(f.days[i-1].at), h.At(f.days[i].at)
		from, until := since(ends(f), h.Stored), len(f.days)
		if !h.Ended.IsZero() {
			until = since(ends(f), h.Ended)
		}
		if now && !before || from == i && until == i { // it came and went within the day
			a.learned = append(a.learned, change{h.ID, i})
		}
		if before && !now || from == i && until == i {
			a.doubted = append(a.doubted, change{h.ID, i})
		}
	}
	was := 0
	if i > 0 {
		was = timeline.Counts(f.days[i-1].at).Forgotten
	}
	if n := timeline.Counts(f.days[i].at).Forgotten - was; n > 0 {
		a.forgotten = []change{{int64(n), i}}
	}
	for _, all := range [][]change{a.stored, a.faded, a.ended, a.learned, a.doubted} {
		newest(all)
	}
	return a
}

func ends(f *film) (all []time.Time) {
	for _, d := range f.days {
		all = append(all, d.at)
	}
	return all
}

func TestDaysEndWhereTheClocksChange(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.March, 31, 9, 30, 0, 0, riga)
	all := dayEnds(now, 5)
	for i, want := range []string{"2026-03-27T23:59:59+02:00", "2026-03-28T23:59:59+02:00", "2026-03-29T23:59:59+03:00", "2026-03-30T23:59:59+03:00", "2026-03-31T09:30:00+03:00"} {
		if got := all[i].Format(time.RFC3339); got != want {
			t.Errorf("day %d ends at %s, want %s", i, got, want)
		}
	}
}

// TestAFilmOfManyMemoriesIsBounded cuts lives that no store of a test could hold.
func TestAFilmOfManyMemoriesIsBounded(t *testing.T) {
	t.Parallel()
	now := memorytest.Start
	c := newCutter(now)
	const lives = 2*maxLives + 5017
	for i := range int64(lives) {
		stored := now.Add(-time.Duration(lives-i) * time.Minute)
		c.life(&history.Life{ID: i + 1, Stored: stored, Sector: model.Semantic, Phases: []history.Phase{
			{From: stored.UnixMilli(), Since: stored.UnixMilli(), Rate: 1e-9},
		}})
		c.held(&history.Held{ID: i + 1, Stored: stored})
	}
	if cap(c.film.ids) > 4*maxLives || cap(c.lives.from) > 4*maxPhases {
		t.Errorf("%d ids and %d phases are held", cap(c.film.ids), cap(c.lives.from))
	}
	f := must(c.cut())
	last := f.days[len(f.days)-1].counts
	if f.all != lives || last.Memories[history.Fresh]+last.Memories[history.Fading]+last.Memories[history.Faded] != lives || last.Beliefs != lives {
		t.Errorf("%d memories, at last %+v", f.all, last)
	}
	if len(f.ids) != maxLives || f.ids[0] != lives-maxLives+1 || len(f.starts) != maxLives+1 || len(f.lives) > 8<<20 {
		t.Errorf("%d memories are kept from %d on, %d bytes for the browser", len(f.ids), f.ids[0], len(f.lives))
	}
	if a := f.around(len(f.days)-1, len(f.days)-1); len(a.stored) == 0 || a.stored[0].id != lives {
		t.Errorf("the newest is not listed")
	}
}
