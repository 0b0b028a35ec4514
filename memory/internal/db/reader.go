package db

import (
	"context"
	"errors"
	"fmt"
)

// Read runs fn in a read transaction, so all its reads see one point in time regardless of concurrent writes. It wraps
// fn's error with what, which names the operation. fn must not call Read: if every reader waited for a second one, none
// could continue.
func (s *DB) Read(ctx context.Context, what string, fn func(tx *Tx) error) error {
	return s.reading(ctx, what, func(c *Tx) error { return s.readTx(c, fn) }, fn)
}

// ReadOne is Read for a function that runs a single statement and therefore needs no transaction. fn runs a second time if the
// connection turns out to be lost before it gave a row.
func (s *DB) ReadOne(ctx context.Context, what string, fn func(tx *Tx) error) error {
	return s.reading(ctx, what, func(c *Tx) error {
		again, err := s.readOne(c, fn)
		if again {
			s.counts.repeats.Add(1)
			_, err = s.readOne(c, fn)
		}
		return err
	}, fn)
}

// readOne runs fn. It may run again if the connection was lost and nothing was read.
func (s *DB) readOne(c *Tx, fn func(tx *Tx) error) (again bool, err error) {
	if err := s.engine.ready(c); err != nil {
		return false, err
	}
	defer c.closeRows()
	c.Now, c.first = s.Now(), true
	server, before := c.server, s.engine.delivered(c)
	err = fn(c)
	return err != nil && s.engine.lost(c) && c.server == server && s.engine.delivered(c) == before, err
}

// reading passes a pooled reader to run, or the reader of the snapshot in ctx to within.
func (s *DB) reading(ctx context.Context, what string, run, within func(tx *Tx) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if m, ok := ctx.Value(snapshotKey{}).(snapshotTx); ok && m.store == s {
		defer m.tx.closeRows()
		if err := within(m.tx); err != nil {
			return fmt.Errorf("%s: %w", what, s.engine.explain(err))
		}
		return nil
	}
	c, err := s.takeReader(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	defer s.pool.put(c)
	if err := run(c); err != nil {
		return fmt.Errorf("%s: %w", what, s.engine.explain(err))
	}
	return nil
}

// takeReader returns a reader as soon as one is idle.
func (s *DB) takeReader(ctx context.Context) (*Tx, error) {
	select {
	case <-s.closing:
		return nil, ErrClosed
	default:
	}
	select {
	case <-s.pool.free:
		return s.pool.take(), nil
	default:
	}
	defer s.waitsForReader()()
	select {
	case <-s.pool.free:
		return s.pool.take(), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.closing:
		return nil, ErrClosed
	}
}

// snapshotTx is a read transaction shared by all reads with its context.
type snapshotTx struct {
	store *DB
	tx    *Tx
}

type snapshotKey struct{}

// Snapshot runs fn. All reads with the context that fn receives see the store at one point in time, and together they
// cost less than separate reads. The context belongs to fn's goroutine and ends with fn. fn must not wait for anything
// else, since it holds one of the few readers. Its reads do not see concurrent writes.
// The number of concurrent snapshots is limited, so that short lookups, such as who sent a message, find a free reader
// and a free core.
func (s *DB) Snapshot(ctx context.Context, fn func(ctx context.Context) error) error {
	select {
	case s.snapshots <- struct{}{}:
		defer func() { <-s.snapshots }()
	case <-ctx.Done():
		return fmt.Errorf("read a snapshot: %w", ctx.Err())
	case <-s.closing:
		return fmt.Errorf("read a snapshot: %w", ErrClosed)
	}
	var failed error
	err := s.Read(ctx, "read a snapshot", func(tx *Tx) error {
		failed = fn(context.WithValue(ctx, snapshotKey{}, snapshotTx{s, tx}))
		return nil
	})
	if failed != nil {
		return failed
	}
	return err
}

func (s *DB) readTx(c *Tx, fn func(tx *Tx) error) (err error) {
	if err := s.engine.beginRead(c); err != nil {
		return err
	}
	c.Now, c.Scopes, c.first = s.Now(), &ScopeCache{}, true
	defer func() {
		c.closeRows()
		c.Scopes, c.first = nil, false
		err = errors.Join(err, s.engine.endRead(c))
	}()
	return fn(c)
}
