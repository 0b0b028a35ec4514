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
	mu      sync.Mutex    // held while the other connection works
	passed  atomic.Bool   // the other connection has finished: measure at the next commit
	commits int           // since the log was measured; used by the writer only
}

func newCheckpoints() *checkpoints {
	return &checkpoints{due: make(chan struct{}, 1)}
}

// keep owns the connection for checkpoints, from the first long log on.
func (e *sqlite) keep(closing <-chan struct{}) {
	var c *Tx
	defer func() {
		if c != nil {
			_ = c.close() // the writer's close reports what is wrong with the file
		}
	}()
	for {
		select {
		case <-closing:
			return
		case <-e.checkpoints.due:
		}
		if c == nil {
			c = e.openCheckpointer()
		}
		if c != nil {
			e.shorten(c)
		}
	}
}

// openCheckpointer returns nil if it fails: the log grows on, and the next measurement tries again.
func (e *sqlite) openCheckpointer() *Tx {
	c, err := e.connect(context.Background(), writing, nil)
	if err != nil {
		return nil
	}
	return c
}

// shorten writes the log into the file until little is left, or until a reader needs the rest.
func (e *sqlite) shorten(c *Tx) {
	e.checkpoints.mu.Lock()
	defer e.checkpoints.mu.Unlock()
	for pass, before := 0, 0; pass < maxPasses; pass++ {
		pages, moved, err := c.checkpoint("PASSIVE")
		if err != nil || pages-moved <= tailPages || moved == before {
			break
		}
		before = moved
	}
	e.checkpoints.passed.Store(true)
}

// committed measures the log after some commits and starts a checkpoint if it is long. Failure is not reported: the log
// stays complete, the next measurement tries again, and commits report a broken disk.
func (e *sqlite) committed(writer *Tx) {
	k := e.checkpoints
	if k.commits++; k.commits < measureEvery && !k.passed.CompareAndSwap(true, false) {
		return
	}
	k.commits = 0
	pages, moved, err := writer.checkpoint("NOOP")
	switch {
	case err != nil || pages < checkpointPages:
	case pages-moved <= tailPages:
		_, _, _ = writer.checkpoint("PASSIVE")
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
