package postgres

import (
	"context"
	"database/sql/driver"
	"fmt"
	"io"
)

// rows are the rows of a query. They are read as they arrive, until another statement needs the connection.
type rows struct {
	c   *Conn
	ctx context.Context
	p   *prepared

	// stream has the rows that are still to come, nil once all have been read.
	stream stream
	// kept are the values of the rows that were read before, and err is what came after them.
	kept []driver.Value
	err  error
}

// Columns are the names of the columns.
func (r *rows) Columns() []string { return r.p.columns }

// Next reads a row. It returns io.EOF after the last one.
func (r *rows) Next(dest []driver.Value) error {
	err := r.next(dest)
	if err == nil {
		r.c.delivered++
	}
	return err
}

func (r *rows) next(dest []driver.Value) error {
	if r.stream != nil {
		return r.receive(dest)
	}
	if len(r.kept) > 0 && len(dest) > 0 {
		r.kept = r.kept[copy(dest, r.kept[:len(dest)]):]
		return nil
	}
	if r.err != nil {
		return r.err
	}
	return io.EOF
}

// receive reads a row from the server.
func (r *rows) receive(dest []driver.Value) error {
	if r.stream.NextRow() {
		err := r.decode(dest)
		if err != nil {
			r.finish()
			r.err = err
		}
		return err
	}
	r.finish()
	if r.err != nil {
		return r.err
	}
	return io.EOF
}

func (r *rows) decode(dest []driver.Value) error { return decodeRow(r.p, r.stream.Values(), dest) }

// decodeRow makes Go values of a row.
func decodeRow(p *prepared, values [][]byte, dest []driver.Value) error {
	for i, v := range values {
		var err error
		if dest[i], err = decode(p.oids[i], v); err != nil {
			return fmt.Errorf("read the column %s: %w", p.columns[i], err)
		}
	}
	return nil
}

// keep reads the rest of the rows into memory.
func (r *rows) keep() {
	n := len(r.p.columns)
	for r.stream.NextRow() {
		end := len(r.kept)
		r.kept = append(r.kept, make([]driver.Value, n)...)
		if err := r.decode(r.kept[end:]); err != nil {
			r.kept = r.kept[:end]
			r.finish()
			r.err = err
			return
		}
	}
	r.finish()
}

// finish skips what is left of the stream and frees the connection.
func (r *rows) finish() {
	_, err := r.stream.Close()
	r.stream = nil
	if r.c.open == r {
		r.c.open = nil
	}
	r.err = r.c.failed(r.ctx, err)
}

// Close skips the rest of the rows. It reports an error only if Next has not.
func (r *rows) Close() error {
	r.kept = nil
	if r.stream == nil {
		return nil
	}
	r.finish()
	return r.err
}
