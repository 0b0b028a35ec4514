package db

import (
	"context"
	"errors"
	"fmt"
)

// read runs fn in a read transaction: everything it reads comes from one moment, whatever is written meanwhile. The
// error is fn's, wrapped with what, which names the act. fn must not call read itself: with every reader waiting for
// a second one, nobody would go on.
func (s *DB) Read(ctx context.Context, what string, fn func(tx *Tx) error) error {
	return s.reading(ctx, what, func(c *Tx) error { return s.readTx(c, fn) }, fn)
}

// readOne is read for an fn that runs one statement: that needs no transaction around it.
func (s *DB) ReadOne(ctx context.Context, what string, fn func(tx *Tx) error) error {
	return s.reading(ctx, what, func(c *Tx) error {
		defer c.closeRows()
		c.Now = s.Now()
		return fn(c)
	}, fn)
}

// reading lends a reader to run, or the moment's that ctx holds to within.
func (s *DB) reading(ctx context.Context, what string, run, within func(tx *Tx) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if m, ok := ctx.Value(snapshotKey{}).(snapshotTx); ok && m.store == s {
		defer m.tx.closeRows()
		if err := within(m.tx); err != nil {
			return fmt.Errorf("%s: %w", what, explainError(s.path, err))
		}
		return nil
	}
	select {
	case <-s.closing:
		return fmt.Errorf("%s: %w", what, ErrClosed)
	default:
	}
	select {
	case c := <-s.pool:
		defer func() { s.pool <- c }()
		if err := run(c); err != nil {
			return fmt.Errorf("%s: %w", what, explainError(s.path, err))
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", what, ctx.Err())
	case <-s.closing:
		return fmt.Errorf("%s: %w", what, ErrClosed)
	}
}

// moment is a read transaction that reads made with its context share.
type snapshotTx struct {
	store *DB
	tx    *Tx
}

type snapshotKey struct{}

// AtOneMoment runs fn, whose reads with the context it is given all see the store as it is at one moment; together they
// also cost less than each by itself. That context is for fn's own goroutine and ends with it, and fn must not wait for
// anything else, since it holds one of the few readers. Writes are not part of the moment, and fn's reads do not see them.
//
// Few moments last at a time: whoever only looks something up, such as who a message is from, finds a reader and a core
// that are free.
func (s *DB) Snapshot(ctx context.Context, fn func(ctx context.Context) error) error {
	select {
	case s.snapshots <- struct{}{}:
		defer func() { <-s.snapshots }()
	case <-ctx.Done():
		return fmt.Errorf("read at one moment: %w", ctx.Err())
	case <-s.closing:
		return fmt.Errorf("read at one moment: %w", ErrClosed)
	}
	var failed error
	err := s.Read(ctx, "read at one moment", func(tx *Tx) error {
		failed = fn(context.WithValue(ctx, snapshotKey{}, snapshotTx{s, tx}))
		return nil
	})
	if failed != nil {
		return failed
	}
	return err
}

func (s *DB) readTx(c *Tx, fn func(tx *Tx) error) (err error) {
	if _, err := c.Exec("BEGIN"); err != nil {
		return err
	}
	c.Now, c.Scopes = s.Now(), &ScopeCache{}
	defer func() {
		c.closeRows()
		c.Scopes = nil
		if _, end := c.Exec("COMMIT"); end != nil && c.inTransaction() {
			err = errors.Join(err, end)
		}
	}()
	return fn(c)
}
