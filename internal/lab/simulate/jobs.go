package simulate

import (
	"context"
	"time"
)

// Job is a background job that runs between conversations.
type Job struct {
	Name string
	// Next returns the first due time after t, zero when there is none.
	Next func(t time.Time) time.Time
	// Run runs the job for the due time, once, and records the run in the ledger.
	Run func(ctx context.Context, due time.Time) error
}

// A job that is due more often than every three hours does not run at each of its due times. As on a machine that
// sleeps in between, one run covers all missed times. The first such run comes after rest of silence. Further runs
// follow every three hours while people keep talking, and every asleep while nobody does.
const (
	often  = 3 * time.Hour
	rest   = 35 * time.Minute // longer than the gap that ends a session
	asleep = 6 * time.Hour
)

// agenda knows which job is due next.
type agenda struct {
	jobs []Job
	last []time.Time // the last due time of each, the start of the world before the first
	then []time.Time // the next scheduled time of each after last
}

func newAgenda(jobs []Job, start time.Time) *agenda {
	a := &agenda{jobs: jobs, last: make([]time.Time, len(jobs)), then: make([]time.Time, len(jobs))}
	for i := range jobs {
		a.done(i, start)
	}
	return a
}

// next returns the job that is due first and its due time, given the time of the last message and the current time. It
// returns −1 when no job is ever due.
func (a *agenda) next(talked, now time.Time) (first int, due time.Time) {
	first = -1
	for i := range a.jobs {
		if at := a.due(i, talked, now); !at.IsZero() && (first < 0 || at.Before(due)) {
			first, due = i, at
		}
	}
	return first, due
}

func (a *agenda) due(i int, talked, now time.Time) time.Time {
	last, due := a.last[i], a.then[i]
	if due.IsZero() || due.Sub(last) >= often {
		return due
	}
	until := last.Add(asleep)
	if talked.After(last) {
		until = talked.Add(rest)
		if busy := last.Add(often); busy.Before(until) {
			until = busy
		}
	}
	if until.Before(now) {
		until = now
	}
	return a.jobs[i].Next(until.Add(-time.Nanosecond))
}

// run runs job number i for the given due time.
func (a *agenda) run(ctx context.Context, i int, due time.Time) error {
	a.done(i, due)
	return a.jobs[i].Run(ctx, due)
}

// done records that job number i needs no run until it is due after at.
func (a *agenda) done(i int, at time.Time) { a.last[i], a.then[i] = at, a.jobs[i].Next(at) }
