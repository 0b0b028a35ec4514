package db

import (
	"context"
	"fmt"
)

// Changes tells whether the database changed, also by other processes, at the cost of one look at the file's header. It is
// for one goroutine.
type Changes struct {
	path string
	conn *Tx
}

// Watch returns what tells changes. It holds a connection of its own until it is closed, which must be before the database is.
func (s *DB) Watch(ctx context.Context) (*Changes, error) {
	conn, err := openConn(ctx, s.path, reading, s.busy)
	if err != nil {
		return nil, fmt.Errorf("watch the memory for changes: %w", explainError(s.path, err))
	}
	return &Changes{s.path, conn}, nil
}

// Version returns a number that differs from the one before if anything was committed in between. It is SQLite's data_version,
// which means nothing else and nothing to another connection.
func (c *Changes) Version(ctx context.Context) (version int64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	defer c.conn.closeRows()
	version, err = One(c.conn.QueryRow(`PRAGMA data_version`), ScanID)
	if err != nil {
		return 0, fmt.Errorf("look whether the memory changed: %w", explainError(c.path, err))
	}
	return version, nil
}

// Close releases the connection.
func (c *Changes) Close() error { return c.conn.close() }
