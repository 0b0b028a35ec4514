package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrAsOf reports that a store as of an earlier time was to be changed.
var ErrAsOf = errors.New("a store as of an earlier time cannot be changed")

// asOfReaders is how many reads of a store as of an earlier time run concurrently.
const asOfReaders = 2

// AsOf returns the database as it was at a time: the same tables, of which every reader sees what was stored then. Each
// table with a history is hidden behind a temporary view of the same name, so that every query answers as of then
// without knowing it. Its clock stands still at that time. What was erased since is gone from it too, at once. Every
// write fails with ErrAsOf. Close it before s.
func (s *DB) AsOf(ctx context.Context, at time.Time) (*DB, error) {
	then := &DB{
		engine: s.engine, Now: func() time.Time { return at }, asOf: at, IndexBytes: s.IndexBytes,
	}
	then.makeQueues(asOfReaders, 1)
	then.decay.Store(s.decay.Load())
	close(then.stopped)
	close(then.kept)
	for range asOfReaders {
		c, err := s.engine.connect(ctx, reading, func(c *Tx) error { return c.lookBack(at) })
		if err != nil {
			return nil, fmt.Errorf("open the memory at %s as of %s: %w", s.Path(), at.Format(time.RFC3339), errors.Join(s.engine.explain(err), then.closeConns()))
		}
		then.pool.put(c)
	}
	return then, nil
}

// HistorySince returns since when the store records all that AsOf needs; what it shows of an earlier time is less exact.
// It is zero if the store has done so from the beginning.
func (s *DB) HistorySince(ctx context.Context) (since time.Time, err error) {
	err = s.ReadOne(ctx, "read since when the history is complete", func(tx *Tx) error {
		since, err = One(tx.QueryRow(`SELECT at FROM history_start`), func(row Scanner) (at time.Time, err error) {
			err = row.Scan(IntoTime(&at))
			return at, err
		})
		if errors.Is(err, ErrNotFound) {
			err = nil
		}
		return err
	})
	return since, err
}

// FirstStored returns when the oldest of the people, messages and memories that are left was stored, zero for none.
func (s *DB) FirstStored(ctx context.Context) (first time.Time, err error) {
	err = s.ReadOne(ctx, "read when the first was stored", func(tx *Tx) error {
		return tx.QueryRow(`SELECT min(first.at) FROM (SELECT min(created_at) AS at FROM people
			UNION ALL SELECT min(coalesce(stored_at, at)) FROM messages
			UNION ALL SELECT min(coalesce(stored_at, created_at)) FROM memories) first`).Scan(IntoTime(&first))
	})
	return first, err
}

// Empty reports whether there is nobody and nothing: no person, no message, no memory.
func (s *DB) Empty(ctx context.Context) (empty bool, err error) {
	err = s.ReadOne(ctx, "look whether anything is stored", func(tx *Tx) error {
		return tx.QueryRow(`SELECT NOT (EXISTS (SELECT 1 FROM people) OR EXISTS (SELECT 1 FROM messages) OR EXISTS (SELECT 1 FROM memories))`).Scan(&empty)
	})
	return empty, err
}

// lookBack hides the tables of the connection behind views of what was stored at a time.
func (c *Tx) lookBack(at time.Time) error {
	columns, err := c.engine.allColumns(c)
	c.closeRows()
	if err != nil {
		return fmt.Errorf("read the columns of the tables: %w", err)
	}
	views := make([]string, len(pastViews))
	for i, v := range pastViews {
		views[i] = v.statement(c.engine.schema(), columns[v.table], at)
	}
	return c.engine.makeViews(c, views)
}

// collectColumns reads rows of a table and one of its columns.
func collectColumns(rows *sql.Rows, err error) (map[string][]string, error) {
	columns := map[string][]string{}
	_, err = Collect[string](rows, err)(func(row Scanner) (string, error) {
		var table, column string
		err := row.Scan(&table, &column)
		columns[table] = append(columns[table], column)
		return column, err
	})
	return columns, err
}

// pastView says what a table held at a time.
type pastView struct {
	table string
	// where is the condition that a row x was there; then are the columns that had other values. $T stands for the time and
	// "main." for the schema of the tables.
	where string
	then  map[string]string
	// from is what to read instead of the table.
	from string
}

// statement returns the statement that makes the view, on tables in schema.
func (v pastView) statement(schema string, columns []string, at time.Time) string {
	fields := make([]string, len(columns))
	for i, name := range columns {
		if fields[i] = "x." + name; v.then[name] != "" {
			fields[i] = v.then[name] + " AS " + name
		}
	}
	from := v.from
	if from == "" {
		from = "main." + v.table
	}
	text := fmt.Sprintf("CREATE TEMP VIEW %s AS SELECT %s FROM %s x WHERE %s", v.table, strings.Join(fields, ", "), from, v.where)
	return strings.NewReplacer("$T", fmt.Sprint(Millis(at)), "main.", schema+".").Replace(text)
}
