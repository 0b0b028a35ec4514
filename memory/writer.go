package memory

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

const (
	// maxBatch bounds how many writes share one commit: past a few dozen the sync to disk no longer dominates, and the
	// first in the batch would wait for the last.
	maxBatch = 64
	// busySlice is how long one attempt to begin waits for another process before it looks at its context again.
	busySlice = 250 * time.Millisecond
)

// job is one write waiting for, or running on, the writer.
type job struct {
	ctx  context.Context
	what string
	fn   func(tx *conn) error
	done chan error // buffered: the writer never waits for a caller
	err  error      // of fn, until the commit decides
}

// write runs fn in a write transaction and returns once it is durable, or not at all. Writers queue for the one writer
// goroutine, which commits what has queued together: one sync to disk for many turns. An error of fn undoes only its
// own changes and is returned wrapped with what, which names the act: "record the turn in console/main".
//
// A ctx that ends before fn was picked up returns its error and fn never runs; after that the result is awaited, so
// that nobody is told "not written" about something that was. fn may run after ctx has ended, never after write has
// returned, and must not call write itself. It runs a second time when another job of its group fails: what it leaves
// in variables of its caller it must set, not add to.
func (s *Store) write(ctx context.Context, what string, fn func(tx *conn) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	j := &job{ctx: ctx, what: what, fn: fn, done: make(chan error, 1)}
	select {
	case s.jobs <- j:
		return <-j.done
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", what, ctx.Err())
	case <-s.closing:
		return fmt.Errorf("%s: %w", what, ErrClosed)
	}
}

// writeLoop owns the writer connection from Open to Close. Jobs are handed over unbuffered: a job is either still its
// caller's to withdraw, or running.
func (s *Store) writeLoop() {
	defer close(s.stopped)
	batch := make([]*job, 0, maxBatch)
	for {
		select {
		case first := <-s.jobs:
			batch = append(batch[:0], first)
			s.commit(&batch)
			clear(batch)
		case <-s.closing:
			return
		}
	}
}

// commit runs the batch, and whoever has queued behind its first job, in one transaction and answers everyone.
func (s *Store) commit(batch *[]*job) {
	err := s.begin((*batch)[0].ctx)
	if err == nil {
		// Only now are the others picked up: while begin waited for another process, they could still withdraw.
		*batch = s.gather(*batch)
		err = s.runBatch(*batch)
	}
	if err == nil && s.writer.erased {
		s.emptyLog()
	}
	if err == nil {
		s.removeLoose()
	}
	s.writer.loose = s.writer.loose[:0]
	for _, j := range *batch {
		if j.err == nil {
			j.err = err
		}
		if j.err != nil {
			j.err = fmt.Errorf("%s: %w", j.what, explain(s.path, j.err))
		}
		j.done <- j.err
	}
}

// emptyLog moves what is in the write-ahead log into the file and empties it: what was forgotten still stands there in
// pages written before. The commit before it stands, whatever becomes of this: while another process reads from the
// log, or the disk fails, the next commit tries again, and so does Close.
func (s *Store) emptyLog() {
	var busy, frames, moved int
	err := s.writer.row("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
	s.writer.erased = err != nil || busy != 0
}

// gather appends the jobs that are waiting right now.
func (s *Store) gather(batch []*job) []*job {
	for len(batch) < maxBatch {
		select {
		case j := <-s.jobs:
			batch = append(batch, j)
		default:
			return batch
		}
	}
	return batch
}

// begin takes SQLite's write lock, waiting up to the busy timeout for another process that holds it.
func (s *Store) begin(ctx context.Context) error {
	for waited := busySlice; ; waited += busySlice {
		_, err := s.writer.exec("BEGIN IMMEDIATE")
		if err == nil || !isBusy(err) {
			return err
		}
		if waited >= s.busy {
			return fmt.Errorf("waited %v: %w", waited, err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.closing:
			return ErrClosed
		default: // SQLite itself has slept for busySlice
		}
	}
}

// runBatch runs every job and commits. Its error is the whole batch's: nothing was written.
func (s *Store) runBatch(batch []*job) error {
	for _, j := range batch {
		if j.withdrawn() {
			continue
		}
		if s.run(j); j.err != nil {
			return s.runApart(batch)
		}
	}
	if _, err := s.writer.exec("COMMIT"); err != nil {
		return s.rollback(err)
	}
	return nil
}

// runApart begins the batch anew after a job failed, with a savepoint for each job, so that an error undoes only what
// its own job did. Not all batches are run like this, since for a savepoint SQLite copies every page that is changed.
func (s *Store) runApart(batch []*job) error {
	if err := s.rollback(nil); err != nil {
		return err
	}
	if len(batch) == 1 {
		return nil // it has its own error, and nobody is left
	}
	if err := s.begin(context.Background()); err != nil {
		return err
	}
	for _, j := range batch {
		if err := s.runJob(j); err != nil {
			return s.rollback(err)
		}
	}
	if _, err := s.writer.exec("COMMIT"); err != nil {
		return s.rollback(err)
	}
	return nil
}

// run runs what a job does, whose error is the job's own.
func (s *Store) run(j *job) {
	s.writer.now = s.now()
	j.err = contain(j.fn, s.writer)
	s.writer.closeRows()
}

// rollback ends a failed transaction, unless SQLite has already done so, as it may on a full disk or an I/O error.
func (s *Store) rollback(cause error) error {
	if !s.writer.inTransaction() {
		return cause
	}
	if _, err := s.writer.exec("ROLLBACK"); err != nil {
		return errors.Join(cause, fmt.Errorf("roll back: %w", err))
	}
	return cause
}

// runJob runs one job in a savepoint inside the batch. What goes wrong in fn is the job's own error; the error returned means that
// the transaction itself is lost.
func (s *Store) runJob(j *job) error {
	if j.withdrawn() {
		return nil
	}
	if _, err := s.writer.exec("SAVEPOINT job"); err != nil {
		return err
	}
	if s.run(j); j.err != nil {
		if _, err := s.writer.exec("ROLLBACK TO job"); err != nil {
			return j.err // SQLite has ended the transaction: fn's error says why
		}
	}
	_, err := s.writer.exec("RELEASE job")
	return err
}

// withdrawn says that the caller's context ended before the job could run.
func (j *job) withdrawn() bool {
	j.err = j.ctx.Err()
	return j.err != nil
}

// contain runs fn and turns a panic into its error, so that one caller's bug cannot stop everybody's writing.
func contain(fn func(tx *conn) error, tx *conn) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return fn(tx)
}
