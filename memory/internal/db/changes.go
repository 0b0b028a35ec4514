package db

import (
	"context"
	"fmt"
)

// Changes tells whether the database changed, also by other processes, at the cost of one short
// query. It is for one goroutine.
type Changes struct {
	conn *Tx
}

// Watch returns what tells changes. It holds a connection of its own until it is closed, which must be before the database is.
func (s *DB) Watch(ctx context.Context) (*Changes, error) {
	conn, err := s.engine.connect(ctx, reading, nil)
	if err != nil {
		return nil, fmt.Errorf("watch the memory for changes: %w", s.engine.explain(err))
	}
	return &Changes{conn}, nil
}

// Version returns a number that differs from the one before if anything was committed in between. It means
// nothing else, and nothing to another connection.
func (c *Changes) Version(ctx context.Context) (version int64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	defer c.conn.closeRows()
	if err = c.conn.engine.ready(c.conn); err == nil {
		version, err = c.conn.engine.mark(c.conn)
	}
	if err != nil {
		return 0, fmt.Errorf("look whether the memory changed: %w", c.conn.engine.explain(err))
	}
	return version, nil
}

// Close releases the connection.
func (c *Changes) Close() error { return c.conn.close() }
