package db

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"

	"familiar/memory/internal/postgres"
	"familiar/memory/model"
)

// Tx is one connection; reads and writes run on it. One goroutine at a time uses it. It keeps every statement
// prepared, keyed by its text, so build query texts from constants, never from data.
// Write a limit as LIMIT ? + 0: for a bare LIMIT ? SQLite plans for the bound value and prepares the statement again
// for every other value, which costs more than running it.
// Statements run under context.Background: for a context that can end, the driver starts a goroutine per statement to
// watch it, which costs more than most statements here. Cancellation is checked while queueing instead.
type Tx struct {
	// Now is the single timestamp of the running transaction.
	Now time.Time
	// erased records that data was erased since the write-ahead log was last emptied. Only the writer sets it.
	erased bool
	// rewritable is the size in bytes up to which the file is rewritten for what was erased since the last rewrite, if that is
	// more than usual. Only the writer sets it.
	rewritable int64
	// vacuum requests that the file be rewritten after the running transaction, whatever its size. Only the writer's is
	// set.
	vacuum bool
	// AttachmentsDir is where attachments are kept, "" for nowhere. OrphanedFiles are the attachments that the running
	// group has released. Only the writer's are set.
	AttachmentsDir string
	OrphanedFiles  []string
	// Decay is the decay model for what is written. Only the writer's is set.
	Decay model.DecayModel

	// Scopes caches the scope revisions that the running read transaction has read; nil outside of one.
	Scopes *ScopeCache

	engine engine
	db     *sql.DB
	c      *sql.Conn
	stmts  map[string]*sql.Stmt
	open   []*sql.Rows // returned in the running transaction

	// Of a connection to PostgreSQL: the connection itself, the id of the running write transaction, and what prepares the
	// connection whenever it was opened.
	server    *postgres.Conn
	xid       string
	onConnect func(c *Tx) error
	// begun is set once it is known that the running write transaction has begun, and alone while no other process seems to
	// write, so that a write need not wait to know.
	begun, alone bool
	// queues has Exec queue statements: a write transaction is running.
	queues bool
	// prefetches has Prefetch send queries: a transaction is running. prefetching is set while it does, and failed is the error of
	// one that could not be sent.
	prefetches, prefetching bool
	failed                  error
	// first is set until the first statement of a read: if the connection turns out to be lost there, the read begins anew.
	first bool
	ids   ids
}

// Stmt returns query prepared on this connection.
func (c *Tx) Stmt(query string) (*sql.Stmt, error) {
	if st, ok := c.stmts[query]; ok {
		return st, nil
	}
	st, err := c.c.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	c.stmts[query] = st
	return st, nil
}

// Exec runs a statement. In a write transaction on a server it may run later, with the next statement that is read from or
// at the end of the write: it has no result then, and its error appears there. For the number of changed rows use Affect.
func (c *Tx) Exec(query string, args ...any) (sql.Result, error) {
	if c.prefetching {
		return nil, errPrefetching
	}
	st, err := c.Stmt(query) //nolint:sqlclosecheck // kept until the connection closes
	if err != nil {
		return nil, err
	}
	if c.queues {
		c.ids.spoil(query)
		return noResult{}, c.server.Queue(context.Background(), query, args...)
	}
	return st.ExecContext(context.Background(), args...)
}

// execNow runs a statement, after those that wait.
func (c *Tx) execNow(query string, args ...any) (sql.Result, error) {
	if c.prefetching {
		return nil, errPrefetching
	}
	st, err := c.Stmt(query) //nolint:sqlclosecheck // kept until the connection closes
	if err != nil {
		return nil, err
	}
	if c.queues {
		c.ids.spoil(query)
	}
	return st.ExecContext(context.Background(), args...)
}

// noResult is the result of a statement that has not run yet.
type noResult struct{}

var errNoResult = errors.New("read the result of a statement that has not run yet")

// LastInsertId fails: Insert returns an id.
func (noResult) LastInsertId() (int64, error) { return 0, errNoResult }

// RowsAffected fails: Affect returns the number of rows.
func (noResult) RowsAffected() (int64, error) { return 0, errNoResult }

// Insert runs an INSERT into a table that gives out ids, and returns the id of the new row.
func (c *Tx) Insert(query string, args ...any) (int64, error) {
	if c.prefetching {
		return 0, errPrefetching
	}
	return c.engine.insert(c, query, args)
}

// LastID returns the highest id that a table has given out, 0 for none: ids are never given out again.
func (c *Tx) LastID(table string) (int64, error) { return c.engine.lastID(c, table) }

// ReserveIDs has a table give out ids above last from now on. Call it after rows with ids of their own were inserted.
func (c *Tx) ReserveIDs(table string, last int64) error { return c.engine.reserveIDs(c, table, last) }

// Bytes returns the size of all tables and indexes.
func (c *Tx) Bytes() (int64, error) { return c.engine.bytes(c) }

// Affect runs a statement and returns the number of rows it changed.
func (c *Tx) Affect(query string, args ...any) (int64, error) {
	res, err := c.execNow(query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// AffectLater is Affect for a number that nobody needs before the write has succeeded: *n is set by then.
func (c *Tx) AffectLater(n *int64, query string, args ...any) (err error) {
	if !c.queues || c.prefetching {
		*n, err = c.Affect(query, args...)
		return err
	}
	if _, err := c.Stmt(query); err != nil { //nolint:sqlclosecheck // kept until the connection closes
		return err
	}
	c.ids.spoil(query)
	return c.server.Count(context.Background(), n, query, args...)
}

// Expect runs a statement that must change as many rows, and fails with otherwise if it changes another number. In a write
// transaction on a server it may run later, like Exec: then both errors appear later, too.
func (c *Tx) Expect(rows int64, otherwise error, query string, args ...any) error {
	if c.prefetching {
		return errPrefetching
	}
	if c.queues {
		if _, err := c.Stmt(query); err != nil { //nolint:sqlclosecheck // kept until the connection closes
			return err
		}
		c.ids.spoil(query)
		return c.server.Expect(context.Background(), rows, otherwise, query, args...)
	}
	n, err := c.Affect(query, args...)
	if err == nil && n != rows {
		err = otherwise
	}
	return err
}

// ExecAll runs statements that share numbered arguments: ?1 is args[0]. A statement need not mention the last of them.
func (c *Tx) ExecAll(statements []string, args ...any) error {
	for _, q := range statements {
		used := args
		for len(used) > 0 && !strings.Contains(q, "?"+strconv.Itoa(len(used))) {
			used = used[:len(used)-1]
		}
		if _, err := c.Exec(q, used...); err != nil {
			return err
		}
	}
	return nil
}

// QueryRow runs a query for one row. Scan it at once: until then the statement stays open.
func (c *Tx) QueryRow(query string, args ...any) *sql.Row {
	if c.prefetching {
		c.prefetch(query, args)
		return prefetchingRow
	}
	st, err := c.Stmt(query) //nolint:sqlclosecheck // kept until the connection closes
	if err != nil {
		// Only database/sql can make a sql.Row: the same text fails there with the same error.
		return c.c.QueryRowContext(context.Background(), query, args...)
	}
	row := st.QueryRowContext(context.Background(), args...)
	if c.first && c.anew(row.Err()) {
		return c.QueryRow(query, args...)
	}
	return row
}

// Query runs a query. The rows are closed with the transaction at the latest. Do not run the same text again while its
// rows are being read: both would share one prepared statement.
func (c *Tx) Query(query string, args ...any) (*sql.Rows, error) {
	if c.prefetching {
		c.prefetch(query, args)
		return nil, errPrefetching
	}
	st, err := c.Stmt(query) //nolint:sqlclosecheck // kept until the connection closes
	if err != nil {
		return nil, err
	}
	rows, err := st.QueryContext(context.Background(), args...)
	if c.first && c.anew(err) {
		return c.Query(query, args...)
	}
	if err != nil {
		return nil, err
	}
	c.open = append(c.open, rows)
	return rows, nil
}

// anew reports whether the running read was begun anew because the connection was lost before its first statement, which err
// is of.
func (c *Tx) anew(err error) bool {
	c.first = false
	if err == nil || !c.engine.lost(c) {
		return false
	}
	if c.Scopes == nil {
		return c.engine.ready(c) == nil
	}
	return c.engine.beginRead(c) == nil
}

// closeRows closes the rows that the transaction left open. An abandoned cursor would hold its snapshot and block Close
// forever.
func (c *Tx) closeRows() {
	for i, rows := range c.open {
		rows.Close() // the reader has checked their error
		c.open[i] = nil
	}
	c.open = c.open[:0]
}

// NowMillis is the transaction's timestamp as it is stored.
func (c *Tx) NowMillis() int64 { return Millis(c.Now) }

func (c *Tx) close() error {
	if c.c == nil {
		return nil // it was not opened, or lost and not opened anew
	}
	c.closeRows()
	var errs []error
	for _, st := range c.stmts {
		errs = append(errs, st.Close())
	}
	return errors.Join(append(errs, c.c.Close(), c.db.Close())...)
}
