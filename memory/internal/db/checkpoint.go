package db

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// The write-ahead log, in pages. Turns write the same hot pages repeatedly: the larger the log may grow before a
// checkpoint, the more of these pages are written to the file only once.
const (
	// checkpointPages is from which length on the log is written into the file: 16 MB.
	checkpointPages = 4000
	// tailPages is how much of the log the writer itself writes into the file, within a few milliseconds.
	tailPages = 200
	// measureEvery is after how many commits the log is measured.
	measureEvery = 16
	// maxPasses bounds how often the log is written into the file at a time while commits make it longer.
	maxPasses = 4
)

// checkpoints keeps the write-ahead log short. A connection of its own writes the log into the file: in the writer, all
// commits would wait meanwhile, with a large file on a busy disk for some tenths of a second. The log starts anew at the
// next commit once all of it is in the file, so the writer adds what was written during the work of the other.
type checkpoints struct {
	due     chan struct{} // the log is long
	stopped chan struct{} // closed when the goroutine has ended
	mu      sync.Mutex    // held while the other connection works
	passed  atomic.Bool   // the other connection has finished: measure at the next commit
	commits int           // since the log was measured; used by the writer only
}

func newCheckpoints() *checkpoints {
	return &checkpoints{due: make(chan struct{}, 1), stopped: make(chan struct{})}
}

// checkpointLoop owns the connection for checkpoints from the first long log to Close.
func (s *DB) checkpointLoop() {
	defer close(s.checkpoints.stopped)
	var c *Tx
	defer func() {
		if c != nil {
			_ = c.close() // the writer's close reports what is wrong with the file
		}
	}()
	for {
		select {
		case <-s.closing:
			return
		case <-s.checkpoints.due:
		}
		if c == nil {
			c = s.openCheckpointer()
		}
		if c != nil {
			s.shorten(c)
		}
	}
}

// openCheckpointer returns nil if it fails: the log grows on, and the next measurement tries again.
func (s *DB) openCheckpointer() *Tx {
	c, err := openConn(context.Background(), s.path, writing, s.busy)
	if err != nil {
		return nil
	}
	if s.noSync {
		_ = c.disableSync() // it syncs needlessly otherwise
	}
	return c
}

// shorten writes the log into the file until little is left, or until a reader needs the rest.
func (s *DB) shorten(c *Tx) {
	s.checkpoints.mu.Lock()
	defer s.checkpoints.mu.Unlock()
	for pass, before := 0, 0; pass < maxPasses; pass++ {
		pages, moved, err := c.checkpoint("PASSIVE")
		if err != nil || pages-moved <= tailPages || moved == before {
			break
		}
		before = moved
	}
	s.checkpoints.passed.Store(true)
}

// keepLogShort measures the log after some commits and starts a checkpoint if it is long. Failure is not reported: the log
// stays complete, the next measurement tries again, and commits report a broken disk.
func (s *DB) keepLogShort() {
	k := s.checkpoints
	if k.commits++; k.commits < measureEvery && !k.passed.CompareAndSwap(true, false) {
		return
	}
	k.commits = 0
	pages, moved, err := s.writer.checkpoint("NOOP")
	switch {
	case err != nil || pages < checkpointPages:
	case pages-moved <= tailPages:
		_, _, _ = s.writer.checkpoint("PASSIVE")
	default:
		select {
		case k.due <- struct{}{}:
		default:
		}
	}
}

// checkpoint writes the log into the file as far as mode allows. It returns the length of the log and how much of it is in
// the file, in pages.
func (c *Tx) checkpoint(mode string) (pages, moved int, err error) {
	var busy int
	if err := c.QueryRow("PRAGMA wal_checkpoint("+mode+")").Scan(&busy, &pages, &moved); err != nil {
		return 0, 0, fmt.Errorf("write the log into the file: %w", err)
	}
	return pages, moved, nil
}
