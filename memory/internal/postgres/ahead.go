package postgres

import (
	"bytes"
	"context"
	"database/sql/driver"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// maxAhead bounds the queries that wait to be asked for.
const maxAhead = 32

// ahead is a query that is sent before it is asked for.
type ahead struct {
	p    *prepared
	args [][]byte
	// sent is set once kept are the values of all its rows.
	sent bool
	kept []driver.Value
	err  error
}

// Ahead queues a query that is asked for soon. The next query of the same text with the same arguments takes its rows, as
// long as nothing has changed a table that it names.
func (c *Conn) Ahead(ctx context.Context, query string, args ...any) error {
	if len(c.aheads) >= maxAhead {
		return nil
	}
	if err := c.readValues(args); err != nil {
		return err
	}
	p, err := c.ready(ctx, query, c.named)
	if err != nil {
		return err
	}
	a := &ahead{p: p, args: make([][]byte, len(c.values))}
	for i, v := range c.values {
		a.args[i] = bytes.Clone(v)
	}
	c.aheads = append(c.aheads, a)
	return c.enqueue(ctx, p, a)
}

// takeAhead returns the rows of the query that the values are set for, nil if it was not sent ahead.
func (c *Conn) takeAhead(ctx context.Context, p *prepared) (*rows, error) {
	i := slices.IndexFunc(c.aheads, func(a *ahead) bool { return a.p == p && slices.EqualFunc(a.args, c.values, bytes.Equal) })
	if i < 0 {
		return nil, nil
	}
	a := c.aheads[i]
	c.aheads = slices.Delete(c.aheads, i, i+1)
	if !a.sent {
		if err := c.Flush(ctx); err != nil {
			return nil, err
		}
	}
	return &rows{c: c, ctx: ctx, p: p, kept: a.kept, err: a.err}, nil
}

// receive keeps the rows of the query, and the error of one that cannot be read.
func (a *ahead) receive(stream *pgconn.ResultReader) {
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
		c.aheads = nil
	default:
		c.aheads = slices.DeleteFunc(c.aheads, func(a *ahead) bool { return strings.Contains(a.p.key.query, p.changes) })
	}
}

// What a statement changes, if it is not a single table.
const (
	nothing  = ""
	anything = "*"
)

// changes returns the table that a statement changes. A DELETE may change others that refer to it.
func changes(sql string) string {
	words := strings.Fields(sql)
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
