package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// partialSuffix ends the name of a backup that is not complete yet.
const partialSuffix = ".part"

// backupTimeLayout is how a backup's name carries its time, UTC: it sorts as text.
const backupTimeLayout = "20060102T150405.000Z"

// Check reads the whole file and reports the first damage: pages, indexes against their tables, and rows that refer to
// rows that are gone. It takes about a second per gigabyte and changes nothing.
func (s *DB) Check(ctx context.Context) error {
	return s.Read(ctx, "check the memory", func(tx *Tx) error {
		if err := pageCheck(tx, "PRAGMA integrity_check(1)"); err != nil {
			return err
		}
		return foreignKeyCheck(tx)
	})
}

// quickCheck reads every page, without comparing indexes with their tables, and stops at the first damage.
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
		return fmt.Errorf("%w: %s row %v refers to a row of %s that is not there", ErrCorrupt, table, row, parent)
	}
	return rows.Err()
}

// Backup writes a complete copy of one moment to dest, which must not exist, while reading and writing go on. The copy
// has mode 0600 and appears under its name only when it is complete and on disk. To restore it, stop familiar and put
// it in the place of the file.
func (s *DB) Backup(ctx context.Context, dest string) (err error) {
	what := "back up the memory to " + dest
	c, err := openConn(ctx, s.path, inspecting, s.busy)
	if err != nil {
		return fmt.Errorf("%s: %w", what, explainError(s.path, err))
	}
	defer func() { err = errors.Join(err, c.close()) }()
	if err := vacuumInto(c, dest); err != nil {
		at := dest // a full or failing disk is the copy's, damage is the original's
		if isCorrupt(err) {
			at = s.path
		}
		return fmt.Errorf("%s: %w", what, explainError(at, err))
	}
	return nil
}

// BackupName is where a backup made now is looked for when the file is damaged: beside the file, with version and time.
func (s *DB) BackupName(ctx context.Context) (string, error) {
	version := 0
	err := s.Read(ctx, "name a backup", func(tx *Tx) (err error) {
		version, err = tx.version()
		return err
	})
	return backupName(s.path, version, s.Now()), err
}

func backupName(path string, version int, now time.Time) string {
	return fmt.Sprintf("%s.backup-v%d-%s", path, version, now.UTC().Format(backupTimeLayout))
}

// byBackupTime orders backups by the time in their names; a backup of an older version may be the younger one.
func byBackupTime(a, b string) int {
	return cmp.Compare(a[strings.LastIndexByte(a, '-')+1:], b[strings.LastIndexByte(b, '-')+1:])
}

// vacuumInto copies the file c is on to dest, by way of a partial file that is removed when anything fails.
func vacuumInto(c *Tx, dest string) error {
	if _, err := os.Lstat(dest); err == nil {
		return fmt.Errorf("%s exists already: name another file", dest)
	}
	part := dest + partialSuffix
	// SQLite writes into an empty file, and this one has the right mode from the start.
	f, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = c.Exec("VACUUM INTO ?", part)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(part, dest)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return syncDir(filepath.Dir(dest))
}

// escapeGlob escapes what filepath.Glob would take for a pattern.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
