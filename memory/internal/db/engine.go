package db

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
)

// engine is what SQLite and PostgreSQL do differently. All else is written in the SQL that both know: sqlite.go and
// postgres.go, with the files named after them, are the only ones that know which of the two they speak to.
type engine interface {
	// address names the database in messages: the path of a file, or a URL without a password.
	address() string
	// schema is the name by which a statement reaches a table that a view of the same name hides.
	schema() string
	// explain adds to an error what to do about it.
	explain(err error) error
	// prepare makes the tables, or upgrades those of an earlier version after backUp.
	prepare(ctx context.Context, backUp func(context.Context, int) error, migrations fs.FS) error
	// connect opens one connection and calls prepare on it, unless that is nil. One for reading may be opened by ready.
	connect(ctx context.Context, u purpose, prepare func(c *Tx) error) (*Tx, error)
	// patient lets the statements of a connection take as long as they need.
	patient(c *Tx) error
	// ready opens a connection that is not open yet, or not any more.
	ready(c *Tx) error
	// keep does what must be done while the database is open, with connections of its own, until closing is closed.
	keep(closing <-chan struct{})

	transactions
	upkeep
	moves
}

// transactions are an engine's part in the transactions of a connection.
type transactions interface {
	// begin starts a write transaction, of which there is one at a time. It waits for other processes and for a server that is
	// down, until it runs out of patience, ctx ends or closing is closed. If it expects none of that, it may leave the waiting to
	// the first statement that is read from.
	begin(ctx context.Context, closing <-chan struct{}, c *Tx) error
	// confirmed reports whether a write transaction has begun. If not, what failed in it may have failed for that.
	confirmed(c *Tx) bool
	// flush waits until all statements of a write transaction have run.
	flush(c *Tx) error
	// commit ends a write transaction. It fails with errRepeat if nothing was written for a reason that passes, and with
	// errStatement if a statement had failed before, or had not run yet and fails.
	commit(c *Tx) error
	// undo ends a write transaction and takes it back, or to a savepoint if that is not "".
	undo(c *Tx, savepoint string) error
	// beginRead starts a transaction that sees one point in time, and endRead ends it.
	beginRead(c *Tx) error
	endRead(c *Tx) error
	// inTransaction reports whether a transaction is open: some errors end one.
	inTransaction(c *Tx) bool
	// lost reports whether the connection, and with it all that was not committed, is gone.
	lost(c *Tx) bool
	// insert runs an INSERT into a table with ids and returns that of the new row.
	insert(c *Tx, query string, args []any) (id int64, err error)
	// committed is called by the writer after each group.
	committed(writer *Tx)
}

// upkeep is what an operator, a job or a test asks of an engine.
type upkeep interface {
	// opened is called with the writer before its first use: it reads through what may be damaged.
	opened(writer *Tx) error
	// check fails with ErrCorrupt if something is damaged.
	check(c *Tx) error
	// version returns the version of the tables.
	version(c *Tx) (int, error)
	// columns lists the columns of a table in their order, and allColumns those of all tables.
	columns(c *Tx, table string) ([]string, error)
	allColumns(c *Tx) (map[string][]string, error)
	// tables lists the tables in the order of their creation.
	tables(c *Tx) ([]string, error)
	// lastID returns the highest id that a table has given out.
	lastID(c *Tx, table string) (int64, error)
	// reserveIDs has a table give out higher ids than last from now on.
	reserveIDs(c *Tx, table string, last int64) error
	// bytes returns the size of the tables and indexes.
	bytes(c *Tx) (int64, error)
	// size returns the bytes that the database takes, and those of its log.
	size(c *Tx) (data, log int64, err error)
	// rewrite writes the tables anew, so that nothing of erased rows is left between others.
	rewrite(c *Tx) error
	// emptyLog removes what the log holds of erased rows, and reports whether it could.
	emptyLog(c *Tx) bool
	// mark returns what differs from the last mark if anything was committed in between.
	mark(c *Tx) (int64, error)
	// touch writes something that changes nothing.
	touch(c *Tx) error
	// waits counts how often a connection waited for a server, and the queries that were prefetched in vain.
	waits() (all, unasked int64)
	// delivered counts the rows that were read on a connection.
	delivered(c *Tx) int64
	// makeViews makes views for one reading connection.
	makeViews(c *Tx, statements []string) error
	// backUp writes a copy of the database into a new SQLite file.
	backUp(ctx context.Context, s *DB, dest string) error
}

// moves are an engine's part in a Mover, on a connection of the purpose upgrading.
type moves interface {
	// primaryKey lists the columns of a table's key in their order.
	primaryKey(c *Tx, table string) ([]string, error)
	// beginMove marks an empty database as not whole, and lets rows be added before those that they refer to.
	beginMove(c *Tx) error
	// storable is what the engine stores of a value.
	storable(v any) any
	// endMove checks the references, and takes the mark away.
	endMove(c *Tx) error
}

// errRepeat reports that a transaction has written nothing for a reason that passes, such as a lost connection.
var errRepeat = errors.New("the connection to the database was lost, and nothing was written")

// errStatement reports that a transaction cannot be committed because one of its statements failed.
var errStatement = errors.New("a statement failed")

// IsServer reports whether an address is one of a PostgreSQL server: postgres:// or postgresql://. All others are paths.
func IsServer(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// newEngine returns the engine of a database, which is not opened yet.
func newEngine(address string, o Options) (engine, error) {
	if IsServer(address) {
		return newPostgres(address, o)
	}
	path, err := filepath.Abs(address)
	if err != nil {
		return nil, err
	}
	return &sqlite{path: path, busy: o.BusyTimeout, noSync: o.NoSync, checkpoints: newCheckpoints()}, nil
}
