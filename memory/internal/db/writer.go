package db

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"
)

const (
	// groupSlice is how long one commit group collects writes. After that the sync to disk no longer dominates, and
	// waiting longer would only delay the first write of the group and new arrivals.
	groupSlice = 10 * time.Millisecond
	// maxYields is how often the writer lets other goroutines run before it commits a group without urgent writes. Those
	// that are about to write join the group; if none can run, yielding takes no time.
	maxYields = 3
	// busySlice is how long one attempt to begin waits for another process before it checks its context again.
	busySlice = 250 * time.Millisecond
	// maxTries is how often a group runs if it is undone each time, for example with the connection to a server. Beginning waits
	// for the server, so more would only repeat what ends the connection.
	maxTries = 5
)

// job is a write that waits for, or runs on, the writer.
type job struct {
	ctx    context.Context
	what   string
	fn     func(tx *Tx) error
	urgent bool
	done   chan error // buffered: the writer never waits for a caller
	err    error      // fn's error, until the commit decides
}

// Write runs fn in a write transaction and returns when it is durable or has failed. Calls queue for the writer
// goroutine, which commits queued writes together: one sync to disk for many turns. An error of fn undoes only its own
// changes. It is wrapped with what, which names the operation: "record the turn in console/main".
// If ctx ends before fn starts, Write returns its error and fn never runs. After that Write waits for the result, so
// that it never reports a failure for a write that took place. fn may run after ctx has ended, but never after Write
// has returned, and must not call Write. fn runs a second time if another write of its group fails, so it must assign
// the caller's variables, not add to them.
func (s *DB) Write(ctx context.Context, what string, fn func(tx *Tx) error) error {
	return s.queue(ctx, s.jobs, &job{ctx: ctx, what: what, fn: fn})
}

// WriteUrgent is Write for what a network waits for. It takes precedence over other writes.
func (s *DB) WriteUrgent(ctx context.Context, what string, fn func(tx *Tx) error) error {
	return s.queue(ctx, s.urgent, &job{ctx: ctx, what: what, fn: fn, urgent: true})
}

func (s *DB) queue(ctx context.Context, jobs chan<- *job, j *job) error {
	what := j.what
	if !s.asOf.IsZero() {
		return fmt.Errorf("%s: %w", what, ErrAsOf)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	j.done = make(chan error, 1)
	select {
	case jobs <- j:
		return <-j.done
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", what, ctx.Err())
	case <-s.closing:
		return fmt.Errorf("%s: %w", what, ErrClosed)
	}
}

// writeLoop owns the writer connection from Open to Close. The channels are unbuffered: a job either still belongs to
// its caller, who may withdraw it, or is running. If both kinds wait, either may begin a group, so neither starves.
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

// commit runs the group, and the jobs that queue behind its first one, in one transaction. It reports to all callers
// and returns the group.
func (s *DB) commit(group []*job) []*job {
	group, err := s.runUntilWritten(group)
	if err == nil && (s.writer.erased || s.writer.vacuum) {
		s.removeErased()
	}
	if err == nil {
		s.countWrites(group)
		s.removeOrphanedFiles()
	}
	s.writer.OrphanedFiles = s.writer.OrphanedFiles[:0]
	for _, j := range group {
		if j.err == nil {
			j.err = err
		}
		if j.err != nil {
			j.err = fmt.Errorf("%s: %w", j.what, s.engine.explain(j.err))
		}
		j.done <- j.err
	}
	s.engine.committed(s.writer)
	return group
}

// runUntilWritten runs the group, and again if nothing was written for a reason that passes.
func (s *DB) runUntilWritten(group []*job) ([]*job, error) {
	ctx := group[0].ctx // at first the group is this one
	for tries := 1; ; tries++ {
		err := s.begin(ctx)
		if err != nil {
			return group, err
		}
		// Others are picked up only now: while begin waited for another process, they could still withdraw.
		group, err = s.runGroup(group)
		if err == nil || !errors.Is(err, errRepeat) || tries == maxTries {
			return group, err
		}
		s.counts.repeats.Add(1)
		ctx = context.Background() // the others of the group do not end with the first
		s.writer.OrphanedFiles = s.writer.OrphanedFiles[:0]
		for _, j := range group {
			j.err = nil
		}
	}
}

// runGroup runs every job and those that arrive meanwhile, commits, and returns all of them. An error concerns the
// whole group: nothing was written.
func (s *DB) runGroup(group []*job) ([]*job, error) {
	until := s.Now().Add(groupSlice)
	urgent := group[0].urgent
	for i := 0; ; i++ {
		if i == len(group) {
			next := s.next(until)
			for yields := 0; next == nil && !urgent && yields < maxYields; yields++ {
				runtime.Gosched()
				next = s.next(until)
			}
			if next == nil {
				break
			}
			urgent = urgent || next.urgent
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
	err := s.engine.commit(s.writer)
	switch {
	case err == nil:
		return group, nil
	case !errors.Is(err, errStatement):
		return group, s.rollback(err)
	case len(group) == 1:
		group[0].err = err
	}
	return group, s.runSeparately(group) // which of the jobs it was is not known
}

// end commits the running transaction, or undoes it.
func (s *DB) end() error {
	if err := s.engine.commit(s.writer); err != nil {
		return s.rollback(err)
	}
	return nil
}

// next returns a job that is waiting now, nil if there is none. An urgent job is always taken, because its caller waits
// for this commit and adds no more. Others are taken only until the deadline.
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

// runSeparately runs the group again after a job failed, with a savepoint for each job, so that an error undoes only
// the changes of its own job. Normal groups do without, because SQLite copies every changed page for a savepoint.
func (s *DB) runSeparately(group []*job) error {
	if s.engine.lost(s.writer) {
		return errRepeat
	}
	begun := s.engine.confirmed(s.writer)
	if err := s.rollback(nil); err != nil {
		return err
	}
	if !begun {
		return errRepeat // the next begin waits, and says why if it cannot
	}
	if len(group) == 1 {
		return nil // the job has its own error, and no others are left
	}
	if err := s.begin(context.Background()); err != nil {
		return err
	}
	for _, j := range group {
		if err := s.runJob(j); err != nil {
			return s.rollback(err)
		}
	}
	return s.end()
}

// run runs one job and keeps its error.
func (s *DB) run(j *job) {
	s.writer.Now, s.writer.Decay = s.Now(), s.Decay()
	j.err = runSafely(j.fn, s.writer)
	s.writer.closeRows()
}

// rollback ends a failed transaction, unless the database has already done so, as on a full disk or an I/O error.
func (s *DB) rollback(cause error) error {
	if !s.engine.inTransaction(s.writer) {
		return cause
	}
	if err := s.engine.undo(s.writer, ""); err != nil {
		return errors.Join(cause, fmt.Errorf("roll back: %w", err))
	}
	return cause
}

// runJob runs one job in a savepoint inside the group. An error in fn belongs to the job. A returned error means that
// the transaction itself is lost.
func (s *DB) runJob(j *job) error {
	if j.canceled() {
		return nil
	}
	if _, err := s.writer.execNow("SAVEPOINT job"); err != nil {
		return err
	}
	if s.run(j); j.err == nil {
		j.err = s.engine.flush(s.writer)
	}
	if j.err != nil {
		if s.engine.lost(s.writer) {
			return errRepeat
		}
		if err := s.engine.undo(s.writer, "job"); err != nil {
			return j.err // the database has ended the transaction: fn's error says why
		}
	}
	_, err := s.writer.execNow("RELEASE job")
	return err
}

// canceled reports whether the caller's context ended before the job could run.
func (j *job) canceled() bool {
	j.err = j.ctx.Err()
	return j.err != nil
}

// runSafely runs fn and turns a panic into an error, so that one caller's bug cannot stop all writes.
func runSafely(fn func(tx *Tx) error, tx *Tx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return fn(tx)
}
