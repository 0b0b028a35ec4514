package simulate

import (
	"context"
	"time"
)

// Job is one piece of work between conversations.
type Job struct {
	Name string
	// Next is the first due time after t, zero when there is none.
	Next func(t time.Time) time.Time
	// Run does the work that is due at due, once, and keeps the ledger.
	Run func(ctx context.Context, due time.Time) error
}

// A job that is due more often than every three hours is not run at each of its times. As on a machine that sleeps in
// between, one run covers what fell due meanwhile: the first at rest after the last word, every three hours while people
// go on talking, and every asleep while nobody does.
const (
	often  = 3 * time.Hour
	rest   = 35 * time.Minute // longer than the gap that ends a session
	asleep = 6 * time.Hour
)

// agenda knows which job is due next.
type agenda struct {
	jobs []Job
	last []time.Time // when each was due last, the start of the world before that
	then []time.Time // when each is due by its schedule after that
}

func newAgenda(jobs []Job, start time.Time) *agenda {
	a := &agenda{jobs: jobs, last: make([]time.Time, len(jobs)), then: make([]time.Time, len(jobs))}
	for i := range jobs {
		a.done(i, start)
	}
	return a
}

// next is the job that is due first, and when, given when somebody last said something and what time it is; −1 when none
// ever is.
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

// run runs job number i, due at due.
func (a *agenda) run(ctx context.Context, i int, due time.Time) error {
	a.done(i, due)
	return a.jobs[i].Run(ctx, due)
}

// done says that job number i needs nothing more until it is due after at.
func (a *agenda) done(i int, at time.Time) { a.last[i], a.then[i] = at, a.jobs[i].Next(at) }
