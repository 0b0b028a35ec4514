package timeline

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"time"

	"familiar/memory/history"
)

const (
	// maxDays bounds how far back days are told apart. What is older is there from the first of them on.
	maxDays = 20 * 366
	// maxLives and maxPhases bound the memories that are drawn and listed; the numbers count all. The newest are kept.
	maxLives  = 100_000
	maxPhases = 500_000
	// maxBeliefs bounds the beliefs that are listed, the newest too.
	maxBeliefs = 100_000
)

// gone is the class of a memory that is there no more: replaced by a newer version, or expired.
const gone = uint8(history.Dormant + 1)

// film is the history of one persona by days. It holds no texts, so nothing of what was forgotten outlives it here. It does not
// change and takes at most some 20 MB.
type film struct {
	made, complete time.Time
	took           time.Duration
	// days are those since the first memory, today last.
	days []day
	// ids are the memories that are kept, oldest first; runs[starts[i]:starts[i+1]] are the classes of the i-th.
	ids    []int64
	starts []int32
	runs   []run
	held   []held
	// all counts the memories that are left, kept or not.
	all int
	// lives is what the browser draws, see packLives.
	lives []byte
}

// manyDots is from how many memories on their field is taller.
const manyDots = 20_000

// day is one day with what was there at its end, or now for today.
type day struct {
	at     time.Time
	counts history.Counts
}

// run says from which day on a memory was in a class.
type run struct {
	day   int32
	class uint8
}

// held is a belief with the days at whose end it first held and no longer held.
type held struct {
	id          int64
	from, until int32
}

// since returns the index of the first day at whose end t had come.
func since(ends []time.Time, t time.Time) int {
	return sort.Search(len(ends), func(i int) bool { return !ends[i].Before(t) })
}

// index returns the index of the day that contains t, the first or the last if none does.
func (f *film) index(t time.Time) int {
	i, _ := slices.BinarySearchFunc(f.days, t, func(d day, t time.Time) int { return d.at.Compare(t) })
	return min(i, len(f.days)-1)
}

// dayEnds returns the last moments of the days up to now.
func dayEnds(now time.Time, days int) []time.Time {
	ends := make([]time.Time, days)
	year, month, today := now.Date()
	for i := range ends[:days-1] {
		ends[i] = time.Date(year, month, today-(days-1-i)+1, 0, 0, 0, 0, now.Location()).Add(-time.Millisecond)
	}
	ends[days-1] = now
	return ends
}

// cutter makes a film of what a walk over the history finds.
type cutter struct {
	ends []time.Time
	// changes[c][i] is by how much the number of memories of class c changes at the end of day i.
	changes [history.Dormant + 1][]int32
	beliefs []int32
	// forgot is what was forgotten per day.
	forgot []int32
	first  int

	film  *film
	lives columns
}

func newCutter(now time.Time) *cutter {
	now = now.Truncate(time.Millisecond)
	c := &cutter{ends: dayEnds(now, maxDays), first: maxDays - 1, film: &film{made: now}}
	for i := range c.changes {
		c.changes[i] = make([]int32, maxDays)
	}
	c.beliefs, c.forgot = make([]int32, maxDays), make([]int32, maxDays)
	return c
}

// shoot reads the history of a persona up to now.
func shoot(ctx context.Context, store *history.Store, persona string, now time.Time) (f *film, err error) {
	c := newCutter(now)
	c.film.complete, err = store.Walk(ctx, persona, history.Visit{Life: c.life, Held: c.held, Forgotten: c.forgotten})
	if err != nil {
		return nil, err
	}
	return c.cut()
}

// life adds a memory.
func (c *cutter) life(l *history.Life) {
	f := c.film
	f.all++
	f.ids, f.starts = append(f.ids, l.ID), append(f.starts, int32(len(f.runs))) //nolint:gosec // bounded by trim
	from := len(f.runs)
	f.runs = appendRuns(f.runs, l, c.ends)
	runs := f.runs[from:]
	for i, r := range runs {
		if r.class == gone {
			continue
		}
		c.changes[r.class][r.day]++
		if i+1 < len(runs) {
			c.changes[r.class][runs[i+1].day]--
		}
	}
	if len(runs) > 0 {
		c.first = min(c.first, int(runs[0].day))
	}
	c.lives.add(l)
	if len(f.ids) > 2*maxLives || len(c.lives.from) > 2*maxPhases {
		c.trim()
	}
}

// appendRuns appends the classes of a memory, each with the first day that ended in it. Between two changes a memory only fades,
// so the day of the next class is searched and not walked to.
func appendRuns(runs []run, l *history.Life, ends []time.Time) []run {
	i, end := since(ends, l.Stored), len(ends)
	for _, over := range []time.Time{l.Replaced, l.Expires} {
		if !over.IsZero() {
			end = min(end, since(ends, over))
		}
	}
	class := func(i int) uint8 {
		s, _ := l.At(ends[i])
		return uint8(s.Freshness()) //nolint:gosec // a class of five
	}
	last, there := gone, i < end
	for phase := 1; i < end; phase++ {
		until := end
		if phase < len(l.Phases) {
			until = max(i, min(end, since(ends, time.UnixMilli(l.Phases[phase].From))))
		}
		for i < until {
			now := class(i)
			if now != last {
				runs, last = append(runs, run{int32(i), now}), now //nolint:gosec // a day
			}
			i += sort.Search(until-i, func(n int) bool { return class(i+n) != now })
		}
	}
	if there && end < len(ends) {
		runs = append(runs, run{int32(end), gone}) //nolint:gosec // a day
	}
	return runs
}

// trim drops the oldest memories beyond what is kept.
func (c *cutter) trim() {
	f := c.film
	n := max(len(f.ids)-maxLives, 0)
	for n < len(f.ids) && c.lives.phasesSince(n) > maxPhases {
		n++
	}
	if n == 0 {
		return
	}
	at := int32(len(f.runs)) //nolint:gosec // bounded by the lives
	if n < len(f.starts) {
		at = f.starts[n]
	}
	f.ids, f.runs = drop(f.ids, n), drop(f.runs, int(at))
	f.starts = drop(f.starts, n)
	for i := range f.starts {
		f.starts[i] -= at
	}
	c.lives.drop(n)
}

// drop removes the first n and lets go of what they took.
func drop[T any](all []T, n int) []T { return slices.Clone(all[n:]) }

// held adds a belief.
func (c *cutter) held(h *history.Held) {
	from, until := since(c.ends, h.Stored), len(c.ends)
	if !h.Ended.IsZero() {
		until = since(c.ends, h.Ended)
	}
	if from == len(c.ends) {
		return
	}
	c.first = min(c.first, from)
	if from < until {
		c.beliefs[from]++
		if until < len(c.ends) {
			c.beliefs[until]--
		}
	}
	f := c.film
	f.held = append(f.held, held{h.ID, int32(from), int32(until)}) //nolint:gosec // days
	if len(f.held) > 2*maxBeliefs {
		f.held = drop(f.held, len(f.held)-maxBeliefs)
	}
}

// forgotten adds memories that were forgotten on purpose.
func (c *cutter) forgotten(at time.Time, memories int) {
	if i := since(c.ends, at); i < len(c.ends) {
		c.first = min(c.first, i)
		c.forgot[i] += int32(memories) //nolint:gosec // rows of a store
	}
}

// cut sums up the days and leaves out those before the first memory.
func (c *cutter) cut() (*film, error) {
	c.trim()
	f := c.film
	var sum history.Counts
	f.days = make([]day, 0, len(c.ends)-c.first)
	for i := c.first; i < len(c.ends); i++ {
		for class := range c.changes {
			sum.Memories[class] += int(c.changes[class][i])
		}
		sum.Beliefs += int(c.beliefs[i])
		sum.Forgotten += int(c.forgot[i])
		f.days = append(f.days, day{c.ends[i], sum})
	}
	first := int32(c.first) //nolint:gosec // a day
	for i := range f.runs {
		f.runs[i].day -= first
	}
	for i := range f.held {
		f.held[i].from, f.held[i].until = f.held[i].from-first, f.held[i].until-first
	}
	f.starts = append(f.starts, int32(len(f.runs))) //nolint:gosec // bounded by trim
	f.runs, f.held = slices.Clip(f.runs), slices.Clip(f.held)
	var err error
	f.lives, err = packLives(f, &c.lives)
	return f, err
}

// change is a memory or a belief with the day on which something happened to it.
type change struct {
	id  int64
	day int
}

// newest sorts changes, the newest first.
func newest(all []change) []change {
	slices.SortFunc(all, func(a, b change) int { return cmp.Or(cmp.Compare(b.day, a.day), cmp.Compare(b.id, a.id)) })
	return all
}

// around is what happened on the days from one to another.
type around struct {
	stored, faded, ended []change
	learned, doubted     []change
	forgotten            []change // the id is how many
}

// around collects what happened on the days first to last.
func (f *film) around(first, last int) (a around) {
	within := func(day int32) bool { return int(day) >= first && int(day) <= last }
	for i, id := range f.ids {
		runs := f.runs[f.starts[i]:f.starts[i+1]]
		for n, r := range runs {
			if !within(r.day) {
				continue
			}
			c := change{id, int(r.day)}
			switch {
			case n == 0:
				a.stored = append(a.stored, c)
			case r.class == gone:
				a.ended = append(a.ended, c)
			case r.class >= uint8(history.Faded) && runs[n-1].class < uint8(history.Faded):
				a.faded = append(a.faded, c)
			}
		}
	}
	for _, h := range f.held {
		if within(h.from) {
			a.learned = append(a.learned, change{h.id, int(h.from)})
		}
		if within(h.until) && int(h.until) < len(f.days) {
			a.doubted = append(a.doubted, change{h.id, int(h.until)})
		}
	}
	for i := first; i <= last; i++ {
		before := 0
		if i > 0 {
			before = f.days[i-1].counts.Forgotten
		}
		if n := f.days[i].counts.Forgotten - before; n > 0 {
			a.forgotten = append(a.forgotten, change{int64(n), i})
		}
	}
	for _, all := range [][]change{a.stored, a.faded, a.ended, a.learned, a.doubted, a.forgotten} {
		newest(all)
	}
	return a
}
