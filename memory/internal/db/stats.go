package db

import (
	"context"
	"sync/atomic"
	"time"
)

// Stats counts what was done on a database since it was opened.
type Stats struct {
	// Readers is how many reads may run at a time, Reading how many run now, and Waiting how many wait for one of them to end.
	Readers, Reading, Waiting int
	// ReadWaits counts the reads that had to wait, and ReadWait is how long they did together.
	ReadWaits int64
	ReadWait  time.Duration
	// WriteWait is how long it took until transactions that write began: until other processes had ended theirs, and on a server, until
	// it answered.
	WriteWait time.Duration
	// Commits counts these transactions, and Writes what they wrote: several writes that wait are committed together.
	Commits, Writes int64
	// Repeats counts the transactions and reads that ran again because the connection to a server was lost.
	Repeats int64
}

// counters are what Stats counts.
type counters struct {
	waiting, readWaits, readWait, writeWait, commits, writes, repeats atomic.Int64
}

// Stats returns what was counted. It asks the database nothing.
func (s *DB) Stats() Stats {
	c := &s.counts
	return Stats{
		Readers: s.pool.size(), Reading: s.pool.size() - len(s.pool.free), Waiting: int(c.waiting.Load()),
		ReadWaits: c.readWaits.Load(), ReadWait: time.Duration(c.readWait.Load()),
		WriteWait: time.Duration(c.writeWait.Load()), Commits: c.commits.Load(), Writes: c.writes.Load(), Repeats: c.repeats.Load(),
	}
}

// waitsForReader counts a read that waits, until the function that it returns is called.
func (s *DB) waitsForReader() (waited func()) {
	c, began := &s.counts, s.Now()
	c.waiting.Add(1)
	c.readWaits.Add(1)
	return func() {
		c.waiting.Add(-1)
		c.readWait.Add(int64(s.since(began)))
	}
}

// begin starts a transaction of the writer, and counts how long that took.
func (s *DB) begin(ctx context.Context) error {
	began := s.Now()
	err := s.engine.begin(ctx, s.closing, s.writer)
	s.counts.writeWait.Add(int64(s.since(began)))
	return err
}

// countWrites counts a group whose transaction has ended well.
func (s *DB) countWrites(group []*job) {
	written := int64(0)
	for _, j := range group {
		if j.err == nil {
			written++
		}
	}
	if written > 0 {
		s.counts.commits.Add(1)
		s.counts.writes.Add(written)
	}
}

// since returns how long something took. A clock that was set back has not counted.
func (s *DB) since(began time.Time) time.Duration { return max(0, s.Now().Sub(began)) }
