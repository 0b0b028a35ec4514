package fleet

import (
	"context"
	"time"
)

// failures are the kills, with the times between which messages count as held up by them.
type failures struct {
	kills, restarts, stops []span
}

type span struct{ from, to time.Time }

const (
	// settled is how long after a kill messages still count as held up by it.
	settled = 6 * time.Second
	// pauseMost is the longest random pause around a kill.
	pauseMost = 1500 * time.Millisecond
)

// disturb kills processes, and the server of the database, while people talk.
func (f *processes) disturb(ctx context.Context, t *talk) (all failures, err error) {
	for n := range f.o.Kills {
		wait(ctx, f.pause())
		if ctx.Err() != nil {
			return all, ctx.Err()
		}
		if f.o.Restart != nil && n%f.o.Every == f.o.Every-1 {
			if err := f.o.Restart(); err != nil {
				return all, err
			}
			up := time.Now()
			wait(ctx, settled)
			all.restarts = append(all.restarts, span{up, time.Now()})
			f.say("kill %d of %d: the server; the longest wait was %v", n+1, f.o.Kills, t.longest(up, time.Now()))
			continue
		}
		i := f.dice.IntN(len(f.running))
		killed := time.Now()
		f.kill(i)
		wait(ctx, f.pause())
		if _, err := f.start(ctx, i); err != nil {
			return all, err
		}
		wait(ctx, settled-time.Since(killed))
		all.kills = append(all.kills, span{killed, killed.Add(settled)})
		f.say("kill %d of %d: process %d; the longest wait was %v", n+1, f.o.Kills, i, t.longest(killed, killed.Add(settled)))
	}
	return all, f.roll(ctx, t, &all)
}

// roll asks each process to stop and starts it again, one after the other, as an upgrade does.
func (f *processes) roll(ctx context.Context, t *talk, all *failures) error {
	for n := range f.o.Rolling * len(f.running) {
		i := n % len(f.running)
		asked := time.Now()
		if err := f.end(i); err != nil {
			return err
		}
		if _, err := f.start(ctx, i); err != nil {
			return err
		}
		wait(ctx, settled/3)
		all.stops = append(all.stops, span{asked, time.Now()})
		f.say("process %d stopped and started: the longest wait was %v", i, t.longest(asked, time.Now()))
	}
	return nil
}

func (f *processes) pause() time.Duration { return time.Duration(f.dice.Int64N(int64(pauseMost))) }

func (f *processes) say(format string, args ...any) {
	if f.o.Log != nil {
		f.o.Log(format, args...)
	}
}

// count adds what the kills did.
func (all failures) count(r *Report, t *talk) {
	r.Kills, r.Restarts = len(all.kills), len(all.restarts)
	var waits []float64
	for _, k := range all.kills {
		waits = append(waits, ms(t.longest(k.from, k.to)))
	}
	r.FailoverP50, r.FailoverP99, r.FailoverMost = quantile(waits, .5), quantile(waits, .99), quantile(waits, 1)
	r.Stops = len(all.stops)
	for _, k := range all.stops {
		r.StopMost = max(r.StopMost, ms(t.longest(k.from, k.to)))
	}
	for _, k := range all.restarts {
		r.RestartMost = max(r.RestartMost, ms(t.longest(k.from, k.to)))
	}
}
