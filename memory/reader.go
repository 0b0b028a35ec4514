package memory

import (
	"context"
	"errors"
	"fmt"
	"sync"
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

// watcher is the connection that notices commits, of this process and of others.
type watcher struct {
	mu   sync.Mutex
	conn *conn
}

// dataVersion is a number that differs from the one before whenever anybody has committed in between. It compares only
// with numbers of the same open Store.
func (s *Store) dataVersion(ctx context.Context) (int64, error) {
	const what = "look for new writes"
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("%s: %w", what, err)
	}
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	select {
	case <-s.closing:
		return 0, fmt.Errorf("%s: %w", what, ErrClosed)
	default:
	}
	var v int64
	if err := s.watch.conn.row("PRAGMA data_version").Scan(&v); err != nil {
		return 0, fmt.Errorf("%s: %w", what, explain(s.path, err))
	}
	return v, nil
}
