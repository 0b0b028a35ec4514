package db

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/mattn/go-sqlite3"

	"familiar/memory/model"
)

// conn is one SQLite connection and what reads and writes run on. It is used by one goroutine at a time and keeps
// every statement prepared, keyed by its text: build query texts from constants, never from data.
//
// A limit is written as LIMIT ? + 0: SQLite plans for the very value of a bare LIMIT ?, and so prepares the statement
// again whenever another value is bound, which costs more than running it.
//
// Statements run under context.Background: for a context that can end, the driver starts a goroutine per statement
// to watch it, which costs more than most statements here. Cancellation is checked while queueing instead.
type Tx struct {
	// now is the one timestamp of the running transaction.
	Now time.Time
	// erased says that something was forgotten since the write-ahead log was last emptied; only the writer sets it.
	erased bool
	// vacuum says that the file is to be written anew after the running transaction, whatever its size; only the writer's is
	// set.
	vacuum bool
	// files is where what came with messages is kept, "" for nowhere, and loose are those that the running batch has let go
	// of; only the writer's are set.
	AttachmentsDir string
	OrphanedFiles  []string
	// fading is how what is written fades; only the writer's is set.
	Decay model.DecayModel

	// still are the scopes as the running read transaction sees them, of those it has asked for; nil outside of one.
	Scopes *ScopeCache

	db    *sql.DB
	c     *sql.Conn
	stmts map[string]*sql.Stmt
	open  []*sql.Rows // handed out in the running transaction
}

// stmt is query prepared on this connection.
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

// exec runs a statement.
func (c *Tx) Exec(query string, args ...any) (sql.Result, error) {
	st, err := c.Stmt(query) //nolint:sqlclosecheck // kept until the connection closes
	if err != nil {
		return nil, err
	}
	return st.ExecContext(context.Background(), args...)
}

// insert runs an INSERT and returns the new row's id.
func (c *Tx) Insert(query string, args ...any) (int64, error) {
	res, err := c.Exec(query, args...)
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

// affect runs a statement and returns how many rows it changed.
func (c *Tx) Affect(query string, args ...any) (int64, error) {
	res, err := c.Exec(query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// row runs a query for one row. Scan it at once: until then the statement stays open.
func (c *Tx) QueryRow(query string, args ...any) *sql.Row {
	st, err := c.Stmt(query) //nolint:sqlclosecheck // kept until the connection closes
	if err != nil {
		// sql.Row can only be made by database/sql: the same text fails there with the same error.
		return c.c.QueryRowContext(context.Background(), query, args...)
	}
	return st.QueryRowContext(context.Background(), args...)
}

// rows runs a query. The rows end with the transaction at the latest. The same text must not be run again while its
// rows are being read: the two would share one prepared statement.
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

// closeRows ends what the transaction left open: an abandoned cursor would hold its snapshot, and Close, for ever.
func (c *Tx) closeRows() {
	for i, rows := range c.open {
		rows.Close() // whoever read them has checked their error
		c.open[i] = nil
	}
	c.open = c.open[:0]
}

// inTransaction asks SQLite itself: some faults end a transaction without being told to.
func (c *Tx) inTransaction() bool {
	in := false
	err := c.c.Raw(func(driver any) error {
		in = !driver.(*sqlite3.SQLiteConn).AutoCommit()
		return nil
	})
	return err == nil && in
}

// nowMS is the transaction's timestamp as stored.
func (c *Tx) NowMillis() int64 { return Millis(c.Now) }

func (c *Tx) close() error {
	c.closeRows()
	var errs []error
	for _, st := range c.stmts {
		errs = append(errs, st.Close())
	}
	return errors.Join(append(errs, c.c.Close(), c.db.Close())...)
}
