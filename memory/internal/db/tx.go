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

// Exec runs a statement.
func (c *Tx) Exec(query string, args ...any) (sql.Result, error) {
	st, err := c.Stmt(query) //nolint:sqlclosecheck // kept until the connection closes
	if err != nil {
		return nil, err
	}
	return st.ExecContext(context.Background(), args...)
}

// Insert runs an INSERT into a table that gives out ids, and returns the id of the new row.
func (c *Tx) Insert(query string, args ...any) (int64, error) { return c.engine.insert(c, query, args) }

// LastID returns the highest id that a table has given out, 0 for none: ids are never given out again.
func (c *Tx) LastID(table string) (int64, error) { return c.engine.lastID(c, table) }

// ReserveIDs has a table give out ids above last from now on. Call it after rows with ids of their own were inserted.
func (c *Tx) ReserveIDs(table string, last int64) error { return c.engine.reserveIDs(c, table, last) }

// Bytes returns the size of all tables and indexes.
func (c *Tx) Bytes() (int64, error) { return c.engine.bytes(c) }

// Affect runs a statement and returns the number of rows it changed.
func (c *Tx) Affect(query string, args ...any) (int64, error) {
	res, err := c.Exec(query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
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
	st, err := c.Stmt(query) //nolint:sqlclosecheck // kept until the connection closes
	if err != nil {
		// Only database/sql can make a sql.Row: the same text fails there with the same error.
		return c.c.QueryRowContext(context.Background(), query, args...)
	}
	return st.QueryRowContext(context.Background(), args...)
}

// Query runs a query. The rows are closed with the transaction at the latest. Do not run the same text again while its
// rows are being read: both would share one prepared statement.
func (c *Tx) Query(query string, args ...any) (*sql.Rows, error) {
	st, err := c.Stmt(query) //nolint:sqlclosecheck // kept until the connection closes
	if err != nil {
		return nil, err
	}
	rows, err := st.QueryContext(context.Background(), args...)
	if err != nil {
		return nil, err
	}
	c.open = append(c.open, rows)
	return rows, nil
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
