package postgres

import (
	"context"
	"database/sql/driver"
)

// stmt is a statement of a connection. The connection keeps what the server has prepared for it.
type stmt struct {
	c     *Conn
	query string
}

var (
	_ driver.StmtExecContext  = (*stmt)(nil)
	_ driver.StmtQueryContext = (*stmt)(nil)
)

// Close does nothing: the connection keeps the statement for its next use.
func (*stmt) Close() error { return nil }

// NumInput leaves counting the arguments to Translate.
func (*stmt) NumInput() int { return -1 }

// Exec is ExecContext without a context.
func (s *stmt) Exec(args []driver.Value) (driver.Result, error) {
	return s.ExecContext(context.Background(), numbered(args))
}

// Query is QueryContext without a context.
func (s *stmt) Query(args []driver.Value) (driver.Rows, error) {
	return s.QueryContext(context.Background(), numbered(args))
}

// ExecContext runs the statement without reading rows.
func (s *stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.c.ExecContext(ctx, s.query, args)
}

// QueryContext runs the statement and returns its rows while they arrive.
func (s *stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.c.QueryContext(ctx, s.query, args)
}

func numbered(args []driver.Value) []driver.NamedValue {
	named := make([]driver.NamedValue, len(args))
	for i, v := range args {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return named
}
