package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-sqlite3"

	"familiar/internal/sqlitecopy"
)

// sqlite is the engine of one SQLite file. Any number of processes may use the file, one of which writes at a time.
type sqlite struct {
	path   string
	busy   time.Duration // how long a write waits for another process
	noSync bool          // leaves syncing to the operating system
	state  fileState     // before it was opened

	checkpoints *checkpoints
}

func (e *sqlite) address() string         { return e.path }
func (e *sqlite) schema() string          { return "main" }
func (e *sqlite) explain(err error) error { return explainError(e.path, err) }

func (e *sqlite) prepare(ctx context.Context, backUp func(context.Context, int) error, migrations fs.FS) (err error) {
	if e.state, err = prepareFile(ctx, e.path); err != nil {
		return err
	}
	return upgrade(ctx, e.path, backUp, migrations)
}

func (e *sqlite) connect(ctx context.Context, u purpose, prepare func(c *Tx) error) (*Tx, error) {
	c, err := openConn(ctx, e.path, u, e.busy)
	if err != nil {
		return nil, err
	}
	c.engine = e
	if u == writing && e.noSync {
		if err := c.disableSync(); err != nil {
			return nil, errors.Join(err, c.close())
		}
	}
	if prepare != nil {
		if err := prepare(c); err != nil {
			return nil, errors.Join(err, c.close())
		}
	}
	return c, nil
}

func (e *sqlite) ready(*Tx) error   { return nil }
func (e *sqlite) patient(*Tx) error { return nil }

func (e *sqlite) opened(writer *Tx) error {
	if !e.state.needsCheck() {
		return nil
	}
	return quickCheck(writer)
}

// begin takes SQLite's write lock.
func (e *sqlite) begin(ctx context.Context, closing <-chan struct{}, c *Tx) error {
	for waited := busySlice; ; waited += busySlice {
		_, err := c.Exec("BEGIN IMMEDIATE")
		if err == nil || !isBusy(err) {
			return err
		}
		if waited >= e.busy {
			return fmt.Errorf("waited %v: %w", waited, err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-closing:
			return ErrClosed
		default: // SQLite itself has slept for busySlice
		}
	}
}

func (e *sqlite) commit(c *Tx) error {
	_, err := c.Exec("COMMIT")
	return err
}

func (e *sqlite) confirmed(*Tx) bool { return true }
func (e *sqlite) flush(*Tx) error    { return nil }

func (e *sqlite) undo(c *Tx, savepoint string) error {
	query := "ROLLBACK"
	if savepoint != "" {
		query += " TO " + savepoint
	}
	_, err := c.Exec(query)
	return err
}

func (e *sqlite) beginRead(c *Tx) error {
	_, err := c.Exec("BEGIN")
	return err
}

func (e *sqlite) endRead(c *Tx) error {
	if _, err := c.Exec("COMMIT"); err != nil && inTransaction(c) {
		return err
	}
	return nil
}

func (e *sqlite) inTransaction(c *Tx) bool { return inTransaction(c) }

// inTransaction asks SQLite, since some errors end a transaction.
func inTransaction(c *Tx) bool {
	in := false
	err := c.c.Raw(func(driver any) error {
		in = !driver.(*sqlite3.SQLiteConn).AutoCommit()
		return nil
	})
	return err == nil && in
}

// lost is false: a file does not go away.
func (e *sqlite) lost(*Tx) bool { return false }

// waits is 0: there is no server.
func (e *sqlite) waits() (all, unasked int64) { return 0, 0 }

// delivered is of no use where nothing is lost.
func (e *sqlite) delivered(*Tx) int64 { return 0 }

func (e *sqlite) insert(c *Tx, query string, args []any) (int64, error) {
	res, err := c.Exec(query, args...)
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

// check compares indexes with their tables, and looks for rows that refer to missing rows.
func (e *sqlite) check(c *Tx) error {
	if err := pageCheck(c, "PRAGMA integrity_check(1)"); err != nil {
		return err
	}
	return foreignKeyCheck(c)
}

func (e *sqlite) version(c *Tx) (int, error) { return c.userVersion() }

func (e *sqlite) columns(c *Tx, table string) ([]string, error) {
	return Collect[string](c.Query(`SELECT name FROM pragma_table_info(?, 'main') ORDER BY cid`, table))(ScanText)
}

func (e *sqlite) allColumns(c *Tx) (map[string][]string, error) {
	return collectColumns(c.Query(`SELECT m.name, p.name FROM main.sqlite_schema m JOIN pragma_table_info(m.name, 'main') p WHERE m.type = 'table' ORDER BY m.name, p.cid`))
}

func (e *sqlite) tables(c *Tx) ([]string, error) { return tableNames(c) }

func (e *sqlite) lastID(c *Tx, table string) (int64, error) {
	return One(c.QueryRow(`SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = ?`, table), ScanID)
}

func (e *sqlite) reserveIDs(c *Tx, table string, last int64) error {
	n, err := c.Affect(`UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?`, last, table)
	if err == nil && n == 0 {
		_, err = c.Exec(`INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)`, table, last)
	}
	return err
}

func (e *sqlite) bytes(c *Tx) (int64, error) {
	return One(c.QueryRow(`SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()`), ScanID)
}

func (e *sqlite) size(*Tx) (file, log int64, err error) {
	info, err := os.Stat(e.path)
	if err != nil {
		return 0, 0, fmt.Errorf("inspect the memory's file: %w", err)
	}
	file = info.Size()
	switch info, err = os.Stat(e.path + "-wal"); {
	case errors.Is(err, fs.ErrNotExist):
		return file, 0, nil
	case err != nil:
		return file, 0, fmt.Errorf("inspect the memory's write-ahead log: %w", err)
	}
	return file, info.Size(), nil
}

func (e *sqlite) rewrite(c *Tx) error {
	_, err := c.Exec(`VACUUM`)
	return err
}

// emptyLog writes the write-ahead log into the file and empties it, since the log still holds old pages with erased data.
func (e *sqlite) emptyLog(c *Tx) bool {
	e.checkpoints.mu.Lock() // the other connection's work would prevent it
	defer e.checkpoints.mu.Unlock()
	var busy, frames, moved int
	err := c.QueryRow("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
	return err == nil && busy == 0
}

// mark is SQLite's data_version, which means nothing to another connection. Reading it costs one look at the file's header.
func (e *sqlite) mark(c *Tx) (int64, error) { return One(c.QueryRow(`PRAGMA data_version`), ScanID) }

// touch writes the header of the file, unchanged.
func (e *sqlite) touch(c *Tx) error {
	version, err := c.userVersion()
	if err == nil {
		_, err = c.Exec(fmt.Sprintf("PRAGMA user_version = %d", version))
	}
	return err
}

func (e *sqlite) makeViews(c *Tx, statements []string) error {
	script := "PRAGMA query_only = off;" + strings.Join(statements, ";") + "; PRAGMA query_only = on"
	_, err := c.c.ExecContext(context.Background(), script)
	return err
}

func (e *sqlite) backUp(ctx context.Context, _ *DB, dest string) error {
	err := sqlitecopy.Copy(ctx, e.path, dest, sqlitecopy.Gentle)
	if isCorrupt(err) {
		return explainError(e.path, err) // disk errors concern the copy, damage concerns the original
	}
	return explainError(dest, err)
}
