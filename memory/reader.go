package memory

import (
	"context"
	"errors"
	"fmt"
)

// read runs fn in a read transaction: everything it reads comes from one moment, whatever is written meanwhile. The
// error is fn's, wrapped with what, which names the act. fn must not call read itself: with every reader waiting for
// a second one, nobody would go on.
func (s *Store) read(ctx context.Context, what string, fn func(tx *conn) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	select {
	case <-s.closing:
		return fmt.Errorf("%s: %w", what, ErrClosed)
	default:
	}
	select {
	case c := <-s.pool:
		defer func() { s.pool <- c }()
		if err := s.snapshot(c, fn); err != nil {
			return fmt.Errorf("%s: %w", what, explain(s.path, err))
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", what, ctx.Err())
	case <-s.closing:
		return fmt.Errorf("%s: %w", what, ErrClosed)
	}
}

func (s *Store) snapshot(c *conn, fn func(tx *conn) error) (err error) {
	if _, err := c.exec("BEGIN"); err != nil {
		return err
	}
	c.now = s.now()
	defer func() {
		c.closeRows()
		if _, end := c.exec("COMMIT"); end != nil && c.inTransaction() {
			err = errors.Join(err, end)
		}
	}()
	return fn(c)
}
