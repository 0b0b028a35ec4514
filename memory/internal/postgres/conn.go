package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// closeTimeout bounds saying goodbye to the server.
const closeTimeout = 5 * time.Second

// Conn is a connection. One goroutine at a time uses it, except for Cancel. Use its own methods through sql.Conn.Raw.
type Conn struct {
	pg     *pgconn.PgConn
	now    func() time.Time
	counts *Counts
	// open are the rows that the server still sends, nil for none.
	open *rows
	// prepared are the statements that the server has prepared.
	prepared cache
	// delivered counts the rows that were handed out.
	delivered int64
	// queue has the statements that wait for the next one, heard is when the last one was sent, and prefetched are the queries
	// among both that nobody has asked for yet.
	queue      queue
	heard      time.Time
	prefetched []*prefetched
	// owed is set while the server's answer to CommitLater is unread.
	owed bool
	// waiting is set while the connection waits for a notification.
	waiting atomic.Bool

	// These are used again for every statement.
	kinds     []Kind
	kindBytes []byte
	buf       []byte
	values    [][]byte
	named     []driver.NamedValue
}

var (
	_ driver.ConnPrepareContext = (*Conn)(nil)
	_ driver.ExecerContext      = (*Conn)(nil)
	_ driver.QueryerContext     = (*Conn)(nil)
	_ driver.Pinger             = (*Conn)(nil)
	_ driver.SessionResetter    = (*Conn)(nil)
	_ driver.Validator          = (*Conn)(nil)
)

func newConn(o Options) *Conn {
	return &Conn{now: o.Now, counts: o.Counts, prepared: newCache(o.Statements)}
}

// Prepare returns a statement. The server prepares it when it is first run, because how depends on its arguments.
func (c *Conn) Prepare(query string) (driver.Stmt, error) { return &stmt{c: c, query: query}, nil }

// PrepareContext is Prepare.
func (c *Conn) PrepareContext(_ context.Context, query string) (driver.Stmt, error) {
	return c.Prepare(query)
}

// Begin fails: the store sends BEGIN as a statement.
func (*Conn) Begin() (driver.Tx, error) {
	return nil, errors.New("begin a transaction on PostgreSQL: run BEGIN and COMMIT as statements")
}

// ExecContext runs a statement without reading rows.
func (c *Conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	c.settle()
	p, err := c.ready(ctx, query, args)
	if err != nil {
		return nil, err
	}
	stream, err := c.run(ctx, p)
	if err != nil {
		return nil, err
	}
	tag, err := stream.Close()
	if err != nil {
		return nil, c.failed(ctx, err)
	}
	return result(tag.RowsAffected()), nil
}

// QueryContext runs a statement and returns its rows while they arrive.
func (c *Conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	c.settle()
	p, err := c.ready(ctx, query, args)
	if err != nil {
		return nil, err
	}
	before, err := c.takePrefetched(ctx, p)
	if err != nil {
		return nil, err
	}
	if before != nil {
		return before, nil
	}
	stream, err := c.run(ctx, p)
	if err != nil {
		return nil, err
	}
	c.open = &rows{c: c, ctx: ctx, stream: stream, p: p}
	return c.open, nil
}

// waits notes that the connection waits for the server.
func (c *Conn) waits() {
	c.heard = c.now()
	c.counts.Waits.Add(1)
}

// run sends the statement that the values are set for, after those in the queue.
func (c *Conn) run(ctx context.Context, p *prepared) (stream, error) {
	c.forgetChanged(p)
	if c.Queued() {
		c.queue.batch.ExecStatement(p.statement, c.values, binaryArguments, p.formats)
		return c.sendWithQueue(ctx)
	}
	c.waits()
	stream := c.pg.ExecStatement(ctx, p.statement, c.values, binaryArguments, p.formats)
	if c.Lost() { // the caller may want to begin anew
		if _, err := stream.Close(); err != nil {
			return nil, c.failed(ctx, err)
		}
	}
	return stream, nil
}

// ready prepares a statement and sets the values to its arguments.
func (c *Conn) ready(ctx context.Context, query string, args []driver.NamedValue) (*prepared, error) {
	if err := c.readKinds(args); err != nil {
		return nil, err
	}
	p, err := c.prepare(ctx, query)
	if err != nil {
		return nil, c.failed(ctx, err)
	}
	c.bind(p, args)
	return p, nil
}

func (c *Conn) readKinds(args []driver.NamedValue) error {
	c.kinds = c.kinds[:0]
	for _, a := range args {
		kind, err := kindOf(a.Value)
		if err == nil && a.Name != "" {
			err = errors.New("it has a name: pass arguments by position")
		}
		if err != nil {
			return fmt.Errorf("pass argument %d to PostgreSQL: %w", a.Ordinal, err)
		}
		c.kinds = append(c.kinds, kind)
	}
	return nil
}

// bind sets the values to what a statement is run with.
func (c *Conn) bind(p *prepared, args []driver.NamedValue) {
	if cap(c.buf) == 0 || cap(c.buf) > maxKeptBuffer {
		c.buf = make([]byte, 0, 512) // never nil, so an empty text is not NULL
	}
	c.buf, c.values = c.buf[:0], c.values[:0]
	for _, argument := range p.order {
		start := len(c.buf)
		c.buf = appendArgument(c.buf, args[argument].Value)
		c.values = append(c.values, c.buf[start:len(c.buf):len(c.buf)])
	}
}

// maxKeptBuffer is the size in bytes above which the buffer for arguments is not used again.
const maxKeptBuffer = 1 << 16

// settle reads the rest of open rows into memory, so that the connection is free.
func (c *Conn) settle() {
	if c.open != nil {
		c.open.keep()
	}
	c.collect()
}

// failed prepares an error for the caller. The end of the context is part of it if that is why the server gave up.
func (c *Conn) failed(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if stalePlan(err) {
		c.prepared.stale = true
	}
	if ended := ctx.Err(); ended != nil && !errors.Is(err, ended) {
		return fmt.Errorf("%w: %w", ended, err)
	}
	return err
}

// Ping asks the server for an answer.
func (c *Conn) Ping(ctx context.Context) error { return c.Control(ctx, "-- ping") }

// ResetSession prepares a connection of the pool for its next user. It refuses one that is lost or was left in a
// transaction. It asks the server for an answer, which costs a round trip: the store keeps its connections instead.
func (c *Conn) ResetSession(ctx context.Context) error {
	if c.Lost() {
		return driver.ErrBadConn
	}
	c.settle()
	if c.Lost() || c.InTransaction() || c.Queued() {
		return driver.ErrBadConn
	}
	if c.Ping(ctx) != nil {
		return driver.ErrBadConn
	}
	return nil
}

// IsValid reports whether the connection may be used again.
func (c *Conn) IsValid() bool { return !c.Lost() }

// Close ends the connection.
func (c *Conn) Close() error {
	if c.Lost() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	if err := c.pg.Close(ctx); err != nil && !Unreachable(err) {
		return fmt.Errorf("close the connection to PostgreSQL: %w", err)
	}
	return nil
}

// Run runs a script of several statements without arguments, as it stands. If it begins no transaction, all of it is one.
func (c *Conn) Run(ctx context.Context, script string) error {
	if strings.IndexByte(script, 0) >= 0 {
		return errors.New("run the script on PostgreSQL: it contains a zero byte")
	}
	c.prepared.stale = true // what it changes may change the columns of prepared statements
	err := c.Control(ctx, script)
	if err == nil {
		return nil
	}
	if failed, ok := errors.AsType[*pgconn.PgError](err); ok && failed.Position > 0 {
		err = fmt.Errorf("line %d: %w", lineOf(script, int(failed.Position)), err)
	}
	return err
}

// Control runs statements that change no table, such as BEGIN and COMMIT, in one message. Unlike after Run, the prepared
// statements stay.
func (c *Conn) Control(ctx context.Context, statements string) error {
	c.settle()
	if err := c.Flush(ctx); err != nil {
		return err
	}
	c.waits()
	c.forgetAll()
	return c.failed(ctx, c.pg.Exec(ctx, statements).Close())
}

// lineOf returns the line of a script, from 1, in which its character at position, from 1, is.
func lineOf(script string, position int) int {
	line := 1
	for _, r := range script {
		if position--; position <= 0 {
			break
		}
		if r == '\n' {
			line++
		}
	}
	return line
}

// InTransaction reports whether a transaction is open, failed or not.
func (c *Conn) InTransaction() bool {
	c.collect()
	return !c.Lost() && c.pg.TxStatus() != 'I'
}

// Failed reports whether the open transaction can only be rolled back, entirely or to a savepoint, because of an error.
func (c *Conn) Failed() bool {
	c.settle() // the error may be among the unread rows
	return !c.Lost() && c.pg.TxStatus() == 'E'
}

// Lost reports whether the connection is closed or broken.
func (c *Conn) Lost() bool { return c.pg.IsClosed() }

// Delivered is how many rows the connection has handed out so far.
func (c *Conn) Delivered() int64 { return c.delivered }

// PID is the number of the server's process for the connection.
func (c *Conn) PID() uint32 { return c.pg.PID() }

// Cancel asks the server to cancel the running statement. Another goroutine may call it. It may come too late.
func (c *Conn) Cancel(ctx context.Context) error {
	if err := c.pg.CancelRequest(ctx); err != nil {
		return fmt.Errorf("cancel the statement on PostgreSQL: %w", err)
	}
	return nil
}

// WaitForNotification returns after Options.OnNotification was called with the next notification, or with ctx's error
// when it ends. The connection stays usable then. Notifications that arrived during other statements do not count.
func (c *Conn) WaitForNotification(ctx context.Context) error {
	c.settle()
	if err := c.Flush(ctx); err != nil {
		return err
	}
	c.waiting.Store(true)
	err := c.pg.WaitForNotification(ctx)
	c.waiting.Store(false)
	if err != nil && ctx.Err() != nil && !c.Lost() {
		return ctx.Err()
	}
	return c.failed(ctx, err)
}

// result is the number of rows that a statement changed.
type result int64

// LastInsertId fails, because PostgreSQL does not tell.
func (result) LastInsertId() (int64, error) {
	return 0, errors.New("read the ID of the new row: PostgreSQL only tells it for INSERT … RETURNING id, run as a query")
}

// RowsAffected is the number of rows that the statement changed or returned.
func (r result) RowsAffected() (int64, error) { return int64(r), nil }
