package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
)

// Prefetch has the first query of each of reads sent together with the next statement that is read from, to save waiting for
// each of them where the database is on a server. Elsewhere it does nothing. It runs reads until that query, which fails, and
// keeps the answer: call reads again as usual afterwards. The first Query or QueryRow of the same text and arguments takes the
// answer, unless a statement has changed a table that it names. Statements that change something fail. What is read may prefetch
// something itself: that is sent, too.
func (c *Tx) Prefetch(reads ...func() error) error {
	if !c.prefetches {
		return nil
	}
	if !c.prefetching {
		c.prefetching, c.failed = true, nil
		defer func() { c.prefetching = false }()
	}
	for _, read := range reads {
		if err := read(); err != nil && !errors.Is(err, errPrefetching) {
			return err
		}
	}
	return c.failed
}

// prefetch sends one query.
func (c *Tx) prefetch(query string, args []any) {
	if c.failed != nil {
		return
	}
	if _, err := c.Stmt(query); err != nil { //nolint:sqlclosecheck // kept until the connection closes
		c.failed = err
		return
	}
	err := c.server.Prefetch(context.Background(), query, args...)
	if c.first && c.engine.lost(c) {
		return // the first statement begins anew
	}
	c.failed = err
}

// errPrefetching is the error of all statements while queries are prefetched.
var errPrefetching = errors.New("the query is only being prefetched")

// prefetchingRow is the row of a query that is being prefetched. Only database/sql can make one.
var prefetchingRow = sql.OpenDB(noServer{}).QueryRow("")

// noServer connects to nothing.
type noServer struct{}

// Connect implements driver.Connector.
func (noServer) Connect(context.Context) (driver.Conn, error) { return nil, errPrefetching }

// Driver implements driver.Connector.
func (noServer) Driver() driver.Driver { return nil }

// Prefetch is Tx.Prefetch in the snapshot of ctx. Outside of one it does nothing.
func (s *DB) Prefetch(ctx context.Context, reads ...func(ctx context.Context) error) error {
	snapshot, ok := ctx.Value(snapshotKey{}).(snapshotTx)
	if !ok || snapshot.store != s || !snapshot.tx.prefetches {
		return nil
	}
	each := make([]func() error, len(reads))
	for i, read := range reads {
		each[i] = func() error { return read(ctx) }
	}
	return snapshot.tx.Prefetch(each...)
}
