package postgres

import (
	"bytes"
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// maxPrefetched bounds the queries that wait to be asked for.
const maxPrefetched = 32

// prefetched is a query that is sent before it is asked for.
type prefetched struct {
	p    *prepared
	args [][]byte
	// sent is set once kept are the values of all its rows.
	sent bool
	kept []driver.Value
	err  error
}

// Prefetch queues a query that is asked for soon. The next query of the same text with the same arguments takes its rows, as
// long as nothing has changed a table that it names.
func (c *Conn) Prefetch(ctx context.Context, query string, args ...any) error {
	if len(c.prefetched) >= maxPrefetched {
		return nil
	}
	if err := c.readValues(args); err != nil {
		return err
	}
	p, err := c.ready(ctx, query, c.named)
	if err != nil {
		return err
	}
	if p.changes != nothing {
		return fmt.Errorf("prefetch %.60q: it is not a SELECT, and may change something", query)
	}
	if c.indexPrefetched(p) >= 0 {
		return nil
	}
	a := &prefetched{p: p, args: make([][]byte, len(c.values))}
	for i, v := range c.values {
		a.args[i] = bytes.Clone(v)
	}
	c.prefetched = append(c.prefetched, a)
	return c.enqueue(ctx, p, entry{prefetched: a})
}

// takePrefetched returns the rows of the query that the values are set for, nil if it was not sent before.
func (c *Conn) takePrefetched(ctx context.Context, p *prepared) (*rows, error) {
	i := c.indexPrefetched(p)
	if i < 0 {
		return nil, nil
	}
	a := c.prefetched[i]
	c.prefetched = slices.Delete(c.prefetched, i, i+1)
	if !a.sent {
		if err := c.Flush(ctx); err != nil {
			return nil, err
		}
	}
	return &rows{c: c, ctx: ctx, p: p, kept: a.kept, err: a.err}, nil
}

// indexPrefetched finds the query that the values are set for among those that were prefetched, -1 if it is not there.
func (c *Conn) indexPrefetched(p *prepared) int {
	return slices.IndexFunc(c.prefetched, func(a *prefetched) bool { return a.p == p && slices.EqualFunc(a.args, c.values, bytes.Equal) })
}

// receive keeps the rows of the query, and the error of one that cannot be read.
func (a *prefetched) receive(stream *pgconn.ResultReader) {
	a.sent = true
	for a.err == nil && stream.NextRow() {
		values := stream.Values()
		end := len(a.kept)
		a.kept = append(a.kept, make([]driver.Value, len(values))...)
		if a.err = decodeRow(a.p, values, a.kept[end:]); a.err != nil {
			a.kept = a.kept[:end]
		}
	}
}

// forgetChanged forgets the queries that name a table which a statement changes.
func (c *Conn) forgetChanged(p *prepared) {
	switch p.changes {
	case nothing:
	case anything:
		c.forgetAll()
	default:
		before := len(c.prefetched)
		c.prefetched = slices.DeleteFunc(c.prefetched, func(a *prefetched) bool { return strings.Contains(fromOn(a.p.key.query), p.changes) })
		c.counts.Unasked.Add(int64(before - len(c.prefetched)))
	}
}

// fromOn returns a query from its first FROM on: before it there are only columns, which may be called like tables.
func fromOn(query string) string {
	if i := strings.Index(query, "FROM"); i >= 0 {
		return query[i:]
	}
	return ""
}

// forgetAll forgets all that was prefetched.
func (c *Conn) forgetAll() {
	c.counts.Unasked.Add(int64(len(c.prefetched)))
	c.prefetched = nil
}

// What a statement changes, if it is not a single table.
const (
	nothing  = ""
	anything = "*"
)

// changes returns the table that a statement changes. A DELETE may change others that refer to it.
func changes(sql string) string {
	words := strings.Fields(strings.TrimPrefix(sql, withChanges))
	if len(words) > 0 && strings.EqualFold(words[0], "SELECT") {
		return nothing
	}
	if len(words) < 3 {
		return anything
	}
	table := anything
	switch strings.ToUpper(words[0]) {
	case "UPDATE":
		table = words[1]
	case "INSERT":
		table, _, _ = strings.Cut(words[2], "(")
	}
	if strings.ContainsFunc(table, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }) {
		return anything // it is quoted, or no table at all
	}
	return table
}
