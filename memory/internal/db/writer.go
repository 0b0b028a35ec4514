package db

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

const (
	// groupSlice is how long writes are run that share one commit: past that the sync to disk no longer dominates, and the
	// first of the group would wait for the last, as would whoever comes meanwhile.
	groupSlice = 10 * time.Millisecond
	// busySlice is how long one attempt to begin waits for another process before it looks at its context again.
	busySlice = 250 * time.Millisecond
)

// job is one write waiting for, or running on, the writer.
type job struct {
	ctx  context.Context
	what string
	fn   func(tx *Tx) error
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
func (s *DB) Write(ctx context.Context, what string, fn func(tx *Tx) error) error {
	return s.queue(ctx, s.jobs, what, fn)
}

// writeFirst is write for what a network waits for: it goes before all that is written of one's own accord.
func (s *DB) WriteUrgent(ctx context.Context, what string, fn func(tx *Tx) error) error {
	return s.queue(ctx, s.urgent, what, fn)
}

func (s *DB) queue(ctx context.Context, jobs chan<- *job, what string, fn func(tx *Tx) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	j := &job{ctx: ctx, what: what, fn: fn, done: make(chan error, 1)}
	select {
	case jobs <- j:
		return <-j.done
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", what, ctx.Err())
	case <-s.closing:
		return fmt.Errorf("%s: %w", what, ErrClosed)
	}
}

// writeLoop owns the writer connection from Open to Close. Jobs are handed over unbuffered: a job is either still its
// caller's to withdraw, or running. Where both kinds wait, either may begin a group, so that neither waits for ever.
func (s *DB) writeLoop() {
	defer close(s.stopped)
	var group []*job
	for {
		select {
		case first := <-s.urgent:
			group = s.commit(append(group[:0], first))
		case first := <-s.jobs:
			group = s.commit(append(group[:0], first))
		case <-s.vacuums.due:
			s.runVacuum()
		case <-s.closing:
			if s.vacuums.due != nil {
				s.runVacuum()
			}
			return
		}
		clear(group)
	}
}

// commit runs the group, and whoever queues behind its first job, in one transaction, answers everyone and returns who
// that was.
func (s *DB) commit(group []*job) []*job {
	err := s.begin(group[0].ctx)
	if err == nil {
		// Only now are others picked up: while begin waited for another process, they could still withdraw.
		group, err = s.runGroup(group)
	}
	if err == nil && (s.writer.erased || s.writer.vacuum) {
		s.removeErased()
	}
	if err == nil {
		s.removeOrphanedFiles()
	}
	s.writer.OrphanedFiles = s.writer.OrphanedFiles[:0]
	for _, j := range group {
		if j.err == nil {
			j.err = err
		}
		if j.err != nil {
			j.err = fmt.Errorf("%s: %w", j.what, explainError(s.path, j.err))
		}
		j.done <- j.err
	}
	return group
}

// begin takes SQLite's write lock, waiting up to the busy timeout for another process that holds it.
func (s *DB) begin(ctx context.Context) error {
	for waited := busySlice; ; waited += busySlice {
		_, err := s.writer.Exec("BEGIN IMMEDIATE")
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

// runGroup runs every job, then those that wait, commits, and returns who was run. Its error is the whole group's: nothing
// was written.
func (s *DB) runGroup(group []*job) ([]*job, error) {
	until := s.Now().Add(groupSlice)
	for i := 0; ; i++ {
		if i == len(group) {
			next := s.next(until)
			if next == nil {
				break
			}
			group = append(group, next)
		}
		if j := group[i]; !j.canceled() {
			if s.run(j); j.err != nil {
				for next := s.next(until); next != nil; next = s.next(until) {
					group = append(group, next)
				}
				return group, s.runSeparately(group)
			}
		}
	}
	if _, err := s.writer.Exec("COMMIT"); err != nil {
		return group, s.rollback(err)
	}
	return group, nil
}

// next is a job that is waiting right now, nil where there is none: a pressing one, for which the group is held up as long
// as it takes, as their callers wait for its commit and add no more; else any, until it is too late.
func (s *DB) next(until time.Time) *job {
	select {
	case j := <-s.urgent:
		return j
	default:
	}
	if !s.Now().Before(until) {
		return nil
	}
	select {
	case j := <-s.urgent:
		return j
	case j := <-s.jobs:
		return j
	default:
		return nil
	}
}

// runSeparately begins the group anew after a job failed, with a savepoint for each job, so that an error undoes only what
// its own job did. Not all groups are run like this, since for a savepoint SQLite copies every page that is changed.
func (s *DB) runSeparately(group []*job) error {
	if err := s.rollback(nil); err != nil {
		return err
	}
	if len(group) == 1 {
		return nil // it has its own error, and nobody is left
	}
	if err := s.begin(context.Background()); err != nil {
		return err
	}
	for _, j := range group {
		if err := s.runJob(j); err != nil {
			return s.rollback(err)
		}
	}
	if _, err := s.writer.Exec("COMMIT"); err != nil {
		return s.rollback(err)
	}
	return nil
}

// run runs what a job does, whose error is the job's own.
func (s *DB) run(j *job) {
	s.writer.Now = s.Now()
	j.err = runSafely(j.fn, s.writer)
	s.writer.closeRows()
}

// rollback ends a failed transaction, unless SQLite has already done so, as it may on a full disk or an I/O error.
func (s *DB) rollback(cause error) error {
	if !s.writer.inTransaction() {
		return cause
	}
	if _, err := s.writer.Exec("ROLLBACK"); err != nil {
		return errors.Join(cause, fmt.Errorf("roll back: %w", err))
	}
	return cause
}

// runJob runs one job in a savepoint inside the group. What goes wrong in fn is the job's own error; the error returned means that
// the transaction itself is lost.
func (s *DB) runJob(j *job) error {
	if j.canceled() {
		return nil
	}
	if _, err := s.writer.Exec("SAVEPOINT job"); err != nil {
		return err
	}
	if s.run(j); j.err != nil {
		if _, err := s.writer.Exec("ROLLBACK TO job"); err != nil {
			return j.err // SQLite has ended the transaction: fn's error says why
		}
	}
	_, err := s.writer.Exec("RELEASE job")
	return err
}

// canceled says that the caller's context ended before the job could run.
func (j *job) canceled() bool {
	j.err = j.ctx.Err()
	return j.err != nil
}

// runSafely runs fn and turns a panic into its error, so that one caller's bug cannot stop everybody's writing.
func runSafely(fn func(tx *Tx) error, tx *Tx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return fn(tx)
}
