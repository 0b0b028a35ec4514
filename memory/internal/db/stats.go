package db

import (
	"context"
	"sync/atomic"
	"time"

	"familiar/memory/model"
)

// counters are what Stats counts.
type counters struct {
	waiting, readWaits, readWait, writeWait, commits, writes, repeats atomic.Int64
}

// Stats returns what was counted. It asks the database nothing.
func (s *DB) Stats() model.DatabaseStats {
	c := &s.counts
	waits, unasked := s.engine.waits()
	return model.DatabaseStats{
		Readers: s.pool.size(), Reading: s.pool.size() - len(s.pool.free), Waiting: int(c.waiting.Load()),
		ReadWaits: c.readWaits.Load(), ReadWait: time.Duration(c.readWait.Load()),
		WriteWait: time.Duration(c.writeWait.Load()), Commits: c.commits.Load(), Writes: c.writes.Load(), Repeats: c.repeats.Load(),
		ServerWaits: waits, Unasked: unasked,
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
