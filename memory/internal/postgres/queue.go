package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// maxQueued and maxQueuedBytes bound the statements that wait, so that neither side's buffers fill up.
	maxQueued      = 64
	maxQueuedBytes = 64 << 10
	// maxQueueing is after what silence a statement is sent at once, so that the server does not take the client for dead.
	maxQueueing = 500 * time.Millisecond
)

// queue has the statements that are sent with the next one.
type queue struct {
	batch   pgconn.Batch
	entries []entry
	bytes   int
}

// entry is a statement in the queue.
type entry struct {
	text       string
	prefetched *prefetched // what takes its rows, nil for nobody
	affected   *int64      // what is set to the number of rows that it changes, nil for nothing
	otherwise  error       // what it fails with if it changes another number of rows than expected
}

// QueuedError reports that a statement failed that was queued. Those that were queued after it did not run.
type QueuedError struct {
	// Query is the text of the statement.
	Query string
	err   error
}

func (e *QueuedError) Error() string {
	return fmt.Sprintf("run the queued statement %.60q: %v", strings.Join(strings.Fields(e.Query), " "), e.err)
}

// Unwrap returns the cause.
func (e *QueuedError) Unwrap() error { return e.err }

// Queue keeps a statement whose result nobody reads, to be sent with the next one that is run, or by Flush. Its error is
// a *QueuedError of the statement with which it is sent. An error of Queue itself may be one of an earlier statement.
func (c *Conn) Queue(ctx context.Context, query string, args ...any) error {
	if err := c.readValues(args); err != nil {
		return err
	}
	return c.queueChange(ctx, query, entry{})
}

// Count is Queue for a statement of which *affected becomes the number of changed rows once it has run.
func (c *Conn) Count(ctx context.Context, affected *int64, query string, args ...any) error {
	if err := c.readValues(args); err != nil {
		return err
	}
	return c.queueChange(ctx, query, entry{affected: affected})
}

// Expect is Queue for a statement that must change as many rows. If it changes another number, it fails with otherwise. It fails
// on the server, so a COMMIT may be sent with it.
func (c *Conn) Expect(ctx context.Context, rows int64, otherwise error, query string, args ...any) error {
	if err := c.readValues(args); err != nil {
		return err
	}
	return c.queueChange(ctx, expecting(rows, query), entry{otherwise: otherwise})
}

const (
	// withChanges begins a statement of expecting, and unexpected the server's complaint, which is about a number that is none.
	withChanges = "WITH changed AS ("
	unexpected  = "an unexpected number of rows: "
)

// expecting returns a statement that fails if the given one, which returns nothing, changes another number of rows.
func expecting(rows int64, query string) string {
	return withChanges + query + " RETURNING 1) SELECT CASE count(*) WHEN " + strconv.FormatInt(rows, 10) +
		" THEN 0 ELSE CAST('" + unexpected + "' || count(*) AS bigint) END FROM changed"
}

// queueChange queues a statement that changes something, for the arguments that were read.
func (c *Conn) queueChange(ctx context.Context, query string, e entry) error {
	p, err := c.ready(ctx, query, c.named)
	if err != nil {
		return err
	}
	c.forgetChanged(p)
	return c.enqueue(ctx, p, e)
}

// enqueue adds the statement that the values are set for.
func (c *Conn) enqueue(ctx context.Context, p *prepared, e entry) error {
	c.queue.batch.ExecStatement(p.statement, c.values, binaryArguments, p.formats) // it copies the values
	e.text = p.key.query
	return c.queued(ctx, e, len(c.buf))
}

// QueueControl is Queue for a statement that changes no table, such as BEGIN. It is not kept prepared.
func (c *Conn) QueueControl(ctx context.Context, statement string) error {
	c.queue.batch.ExecParams(statement, nil, nil, nil, nil)
	c.heard = c.now() // it was not waiting for anything before
	return c.queued(ctx, entry{text: statement}, len(statement))
}

// queued sends the queue if it should not wait any longer.
func (c *Conn) queued(ctx context.Context, e entry, bytes int) error {
	c.queue.entries = append(c.queue.entries, e)
	c.queue.bytes += bytes
	if len(c.queue.entries) < maxQueued && c.queue.bytes < maxQueuedBytes && c.now().Sub(c.heard) < maxQueueing {
		return nil
	}
	return c.Flush(ctx)
}

// readValues sets named to the arguments in the types that the driver knows.
func (c *Conn) readValues(args []any) error {
	c.named = c.named[:0]
	for i, a := range args {
		v, err := driver.DefaultParameterConverter.ConvertValue(a)
		if err != nil {
			return fmt.Errorf("pass argument %d to PostgreSQL: %w", i+1, err)
		}
		c.named = append(c.named, driver.NamedValue{Ordinal: i + 1, Value: v})
	}
	return nil
}

// Flush sends what is queued and waits until it has run.
func (c *Conn) Flush(ctx context.Context) error {
	if !c.Queued() {
		return nil
	}
	results, err := c.sendQueue(ctx)
	if err == nil {
		err = results.Close()
	}
	return c.failed(ctx, err)
}

// Discard forgets what is queued, and what was prefetched.
func (c *Conn) Discard() {
	clear(c.queue.entries)
	c.queue = queue{entries: c.queue.entries[:0]}
	c.forgetAll()
}

// Queued reports whether statements wait to be sent.
func (c *Conn) Queued() bool { return len(c.queue.entries) > 0 }

// Commit ends the transaction after what is queued. It fails if the transaction could only be rolled back.
func (c *Conn) Commit(ctx context.Context) error {
	c.queue.batch.ExecParams("COMMIT", nil, nil, nil, nil)
	last, err := c.sendWithQueue(ctx)
	c.forgetAll()
	if err != nil {
		return err
	}
	tag, err := last.Close()
	if err == nil && tag.String() != "COMMIT" {
		err = errFailed
	}
	return c.failed(ctx, err)
}

var errFailed = errors.New("the transaction had failed before")

// sendWithQueue sends the queue and the statement that was added to its batch after it, and returns what that gives.
func (c *Conn) sendWithQueue(ctx context.Context) (stream, error) {
	results, err := c.sendQueue(ctx)
	if err == nil && !results.NextResult() {
		err = results.Close()
	}
	if err != nil {
		return nil, c.failed(ctx, err)
	}
	return lastResult{results.ResultReader(), results}, nil
}

// sendQueue sends the batch and reads the results of the statements in the queue.
func (c *Conn) sendQueue(ctx context.Context) (*pgconn.MultiResultReader, error) {
	c.settle()
	q := c.queue
	defer clear(q.entries)
	c.queue = queue{entries: q.entries[:0]}
	c.waits()
	results := c.pg.ExecBatch(ctx, &q.batch)
	for _, e := range q.entries {
		var err error
		if results.NextResult() {
			if err = e.receive(results.ResultReader()); err == nil {
				continue
			}
		}
		if end := results.Close(); end != nil {
			err = end // of the server, with all it says
		}
		c.prefetched = slices.DeleteFunc(c.prefetched, func(a *prefetched) bool { return !a.sent })
		return nil, e.failed(err)
	}
	return results, nil
}

// receive reads the result of the statement.
func (e entry) receive(stream *pgconn.ResultReader) error {
	if e.prefetched != nil {
		e.prefetched.receive(stream)
	}
	tag, err := stream.Close()
	if err == nil && e.affected != nil {
		*e.affected = tag.RowsAffected()
	}
	return err
}

// failed returns the error of the statement for the one that the server sent.
func (e entry) failed(err error) error {
	switch {
	case state(err) == "":
		return err // the connection is lost
	case e.otherwise != nil && state(err) == stateInvalidText && strings.Contains(err.Error(), unexpected):
		err = e.otherwise
	}
	return &QueuedError{Query: e.text, err: err}
}

// stream is what a statement gives.
type stream interface {
	NextRow() bool
	Values() [][]byte
	Close() (pgconn.CommandTag, error)
}

// lastResult is the stream of the last statement of several.
type lastResult struct {
	*pgconn.ResultReader
	all *pgconn.MultiResultReader
}

// Close skips the rest and frees the connection.
func (l lastResult) Close() (pgconn.CommandTag, error) {
	tag, err := l.ResultReader.Close()
	if end := l.all.Close(); err == nil {
		err = end
	}
	return tag, err
}
