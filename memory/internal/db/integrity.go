package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// partialSuffix ends the name of an incomplete backup.
const partialSuffix = ".part"

// backupTimeLayout formats the time in a backup's name, UTC. It sorts as text.
const backupTimeLayout = "20060102T150405.000Z"

// Check reads the whole file and reports the first damage: in pages, in indexes compared with their tables, and in rows
// that refer to missing rows. It takes about a second per gigabyte and changes nothing.
func (s *DB) Check(ctx context.Context) error {
	return s.Read(ctx, "check the memory", func(tx *Tx) error {
		if err := pageCheck(tx, "PRAGMA integrity_check(1)"); err != nil {
			return err
		}
		return foreignKeyCheck(tx)
	})
}

// CheckWritable writes and syncs the header of the file, unchanged: it fails if nothing can be stored, for example on a
// full disk.
func (s *DB) CheckWritable(ctx context.Context) error {
	return s.Write(ctx, "check that the memory can be written", func(tx *Tx) error {
		version, err := tx.version()
		if err == nil {
			_, err = tx.Exec(fmt.Sprintf("PRAGMA user_version = %d", version))
		}
		return err
	})
}

// Size returns the sizes of the file and of its write-ahead log in bytes.
func (s *DB) Size() (file, log int64, err error) {
	info, err := os.Stat(s.path)
	if err != nil {
		return 0, 0, fmt.Errorf("inspect the memory's file: %w", err)
	}
	file = info.Size()
	switch info, err = os.Stat(s.path + "-wal"); {
	case errors.Is(err, fs.ErrNotExist):
		return file, 0, nil
	case err != nil:
		return file, 0, fmt.Errorf("inspect the memory's write-ahead log: %w", err)
	}
	return file, info.Size(), nil
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

// Backup writes a consistent copy to dest, which must not exist, while reads and writes continue. The copy has mode
// 0600 and gets its name only when it is complete and on disk. To restore it, stop familiar and replace the file with
// it.
func (s *DB) Backup(ctx context.Context, dest string) (err error) {
	what := "back up the memory to " + dest
	c, err := openConn(ctx, s.path, inspecting, s.busy)
	if err != nil {
		return fmt.Errorf("%s: %w", what, explainError(s.path, err))
	}
	defer func() { err = errors.Join(err, c.close()) }()
	if err := vacuumInto(c, dest); err != nil {
		at := dest // disk errors concern the copy, damage concerns the original
		if isCorrupt(err) {
			at = s.path
		}
		return fmt.Errorf("%s: %w", what, explainError(at, err))
	}
	return nil
}

// BackupName returns the path of a backup made now: next to the file, with version and time. Recovery advice looks for
// backups there.
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

// byBackupTime orders backups by the time in their names, since a backup of an older version may be the newer one.
func byBackupTime(a, b string) int {
	return cmp.Compare(a[strings.LastIndexByte(a, '-')+1:], b[strings.LastIndexByte(b, '-')+1:])
}

// vacuumInto copies the file of c to dest. It writes a partial file first and removes it on failure.
func vacuumInto(c *Tx, dest string) error {
	if _, err := os.Lstat(dest); err == nil {
		return fmt.Errorf("%s already exists: choose another file", dest)
	}
	part := dest + partialSuffix
	// SQLite accepts an empty file, and this one has the right mode from the start.
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

// escapeGlob escapes the pattern characters of filepath.Glob.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
