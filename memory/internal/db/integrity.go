package db

import (
	"context"
	"fmt"
	"strings"
)

// Check reads all tables and reports the first damage: in pages, in indexes compared with their tables, and in rows that refer to
// missing rows. It takes about a second per gigabyte and changes nothing.
func (s *DB) Check(ctx context.Context) error {
	return s.Read(ctx, "check the memory", s.engine.check)
}

// Schema returns the version of the tables.
func (s *DB) Schema(ctx context.Context) (version int, err error) {
	err = s.Read(ctx, "read the version of the memory's tables", func(tx *Tx) error {
		version, err = s.engine.version(tx)
		return err
	})
	return version, err
}

// quickCheck reads every page without comparing indexes with their tables, and stops at the first damage.
func quickCheck(c *Tx) error { return pageCheck(c, "PRAGMA quick_check(1)") }

func pageCheck(c *Tx, query string) error {
	var verdict string
	if err := c.QueryRow(query).Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", ErrCorrupt, strings.Join(strings.Fields(verdict), " "))
	}
	return nil
}

// foreignKeyCheck reports the first row whose parent is missing.
func foreignKeyCheck(c *Tx) error {
	rows, err := c.Query("PRAGMA foreign_key_check")
	if err != nil {
		return err
	}
	defer rows.Close()
	if rows.Next() {
		var table, parent string
		var row, key any
		if err := rows.Scan(&table, &row, &parent, &key); err != nil {
			return err
		}
		return fmt.Errorf("%w: %s row %v refers to a missing row of %s", ErrCorrupt, table, row, parent)
	}
	return rows.Err()
}

// Backup writes a consistent copy into a SQLite file at dest, which must not exist, while reads and writes continue. The copy has
// mode 0600 and gets its name only when it is complete and on disk.
func (s *DB) Backup(ctx context.Context, dest string) error {
	if err := s.engine.backUp(ctx, s, dest); err != nil {
		return fmt.Errorf("back up the memory to %s: %w", dest, err)
	}
	return nil
}
