package db

import (
	"context"
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
		path: s.path, Now: func() time.Time { return at }, busy: s.busy, asOf: at, IndexBytes: s.IndexBytes,
		jobs: make(chan *job), urgent: make(chan *job), closing: make(chan struct{}), stopped: make(chan struct{}),
		pool: make(chan *Tx, asOfReaders), snapshots: make(chan struct{}, 1), checkpoints: newCheckpoints(),
	}
	then.decay.Store(s.decay.Load())
	close(then.stopped)
	close(then.checkpoints.stopped)
	for range asOfReaders {
		c, err := openConn(ctx, s.path, reading, s.busy)
		if err == nil {
			then.pool <- c
			err = c.lookBack(at)
		}
		if err != nil {
			return nil, fmt.Errorf("open the memory at %s as of %s: %w", s.path, at.Format(time.RFC3339), errors.Join(explainError(s.path, err), then.closeConns()))
		}
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
		return tx.QueryRow(`SELECT min(at) FROM (SELECT min(created_at) AS at FROM people
			UNION ALL SELECT min(coalesce(stored_at, at)) FROM messages
			UNION ALL SELECT min(coalesce(stored_at, created_at)) FROM memories)`).Scan(IntoTime(&first))
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
	if _, err := c.c.ExecContext(context.Background(), `PRAGMA query_only = off`); err != nil {
		return err
	}
	for _, v := range pastViews {
		columns, err := Collect[string](c.Query(`SELECT name FROM pragma_table_info(?, 'main') ORDER BY cid`, v.table))(ScanText)
		if err != nil {
			return fmt.Errorf("read the columns of %s: %w", v.table, err)
		}
		c.closeRows()
		if _, err := c.c.ExecContext(context.Background(), v.statement(columns, at)); err != nil {
			return fmt.Errorf("look back at %s: %w", v.table, err)
		}
	}
	_, err := c.c.ExecContext(context.Background(), `PRAGMA query_only = on`)
	return err
}

// pastView says what a table held at a time.
type pastView struct {
	table string
	// where is the condition that a row x was there; then are the columns that had other values. $T stands for the time.
	where string
	then  map[string]string
	// from is what to read instead of the table.
	from string
}

// statement returns the statement that makes the view.
func (v pastView) statement(columns []string, at time.Time) string {
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
	return strings.ReplaceAll(text, "$T", fmt.Sprint(Millis(at)))
}
