package db

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Inspection is what a database file holds.
type Inspection struct {
	// Schema is the version of its tables.
	Schema int
	// Rows counts the rows of each table.
	Rows map[string]int64
}

// Inspect reads the whole file at path, which must be absolute, without changing or upgrading it, and counts its rows. It
// fails with ErrCorrupt if anything in it is damaged or if it is not a familiar database, and with ErrNewer if a newer
// familiar wrote it.
func Inspect(ctx context.Context, path string) (found Inspection, err error) {
	if found.Schema, err = identify(ctx, path); err != nil {
		return found, damaged(err)
	}
	if newest := NewestSchema(); found.Schema > newest {
		return found, newerError(found.Schema, newest)
	}
	if found.Schema == 0 {
		return found, fmt.Errorf("%w: it is empty", ErrCorrupt)
	}
	c, err := openConn(ctx, path, inspecting, defaultBusyTimeout)
	if err != nil {
		return found, damaged(err)
	}
	defer func() { err = errors.Join(err, c.close()) }()
	if err := errors.Join(pageCheck(c, "PRAGMA integrity_check(1)"), foreignKeyCheck(c)); err != nil {
		return found, damaged(err)
	}
	found.Rows, err = countRows(c)
	return found, damaged(err)
}

// NewestSchema is the version of the tables that this program writes.
func NewestSchema() int {
	steps, err := loadMigrations(releasedMigrations)
	if err != nil {
		panic(err) // they are part of the program, and a test loads them
	}
	return len(steps)
}

// quoteName quotes a name for use in a statement.
func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// damaged marks what SQLite found as ErrCorrupt.
func damaged(err error) error {
	if isCorrupt(err) && !errors.Is(err, ErrCorrupt) {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return err
}

func countRows(c *Tx) (map[string]int64, error) {
	tables, err := tableNames(c)
	if err != nil {
		return nil, err
	}
	rows := make(map[string]int64, len(tables))
	for _, table := range tables {
		var n int64
		if err := c.QueryRow("SELECT count(*) FROM " + quoteName(table)).Scan(&n); err != nil {
			return nil, fmt.Errorf("count the rows of %s: %w", table, err)
		}
		rows[table] = n
	}
	return rows, nil
}

// tableNames lists the tables in the order of their creation.
func tableNames(c *Tx) ([]string, error) {
	return Collect[string](c.Query(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY rowid`))(ScanText)
}
