// Package sqlitecopy copies SQLite databases while they are in use, with SQLite's online backup.
package sqlitecopy

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/mattn/go-sqlite3"

	"familiar/internal/sleep"
)

// PartialSuffix ends the name of an incomplete copy.
const PartialSuffix = ".part"

// Pace says how a copy gives way to whoever writes to the database. Writers never wait for a lock of the copy; they share the
// disk and the processor with it.
type Pace struct {
	// Pages is how many pages are copied between two pauses.
	Pages int
	// Pause is how long the copy rests after them.
	Pause time.Duration
	// SyncPages is after how many pages the copy is synced. A single sync at the end would hold up every other sync of the
	// disk for as long as it takes to write the whole copy.
	SyncPages int
}

// Gentle is the pace of a copy beside conversations: 1 MB, a rest of 4 ms, and a sync every 4 MB.
var Gentle = Pace{Pages: 256, Pause: 4 * time.Millisecond, SyncPages: 1024}

// Copy copies the database at from to a new file at to, as it is at one moment, while others read and write it. Under a
// write-ahead log nobody waits for the copy; a database with a rollback journal cannot be written meanwhile. The copy has mode
// 0600 and gets its name only when it is complete and on disk.
func Copy(ctx context.Context, from, to string, pace Pace) error {
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("%s already exists: choose another file: %w", to, fs.ErrExist)
	}
	part := to + PartialSuffix
	// SQLite accepts an empty file, and this one has the right mode from the start.
	f, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = copyInto(ctx, from, part, f, pace)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(part, to)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return SyncDir(filepath.Dir(to))
}

// copyInto copies into the empty file at part, which f syncs.
func copyInto(ctx context.Context, from, part string, f *os.File, pace Pace) (err error) {
	source, err := open(from, "mode=rw&_query_only=on&_busy_timeout=30000")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	copied, err := open(part, "mode=rw&_journal_mode=OFF&_synchronous=OFF")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, copied.Close()) }()
	// One read transaction holds the moment. Without it the backup would start again after every write of somebody else.
	if err := beginRead(source); err != nil {
		return err
	}
	backup, err := copied.Backup("main", source, "main")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, backup.Finish()) }()
	for unsynced := 0; ; {
		done, err := backup.Step(pace.Pages)
		if err != nil || done {
			return err
		}
		if unsynced += pace.Pages; unsynced >= pace.SyncPages {
			unsynced = 0
			if err := f.Sync(); err != nil {
				return err
			}
		}
		if !sleep.For(ctx, pace.Pause) {
			return ctx.Err()
		}
	}
}

// open opens a connection of the driver, which alone has the online backup.
func open(path, options string) (*sqlite3.SQLiteConn, error) {
	path, err := filepath.Abs(path) // a relative path would be read as the name of a host
	if err != nil {
		return nil, err
	}
	at := url.URL{Scheme: "file", Path: path, RawQuery: "_mutex=no&" + options}
	c, err := (&sqlite3.SQLiteDriver{}).Open(at.String())
	if err != nil {
		return nil, err
	}
	return c.(*sqlite3.SQLiteConn), nil
}

// beginRead begins a read transaction; SQLite takes its snapshot at the first read.
func beginRead(c *sqlite3.SQLiteConn) error {
	if _, err := c.Exec("BEGIN", nil); err != nil {
		return err
	}
	rows, err := c.Query("SELECT count(*) FROM sqlite_schema", nil)
	if err != nil {
		return err
	}
	one := make([]driver.Value, 1)
	if err := rows.Next(one); err != nil && !errors.Is(err, io.EOF) {
		return errors.Join(err, rows.Close())
	}
	return rows.Close()
}

// ErrInUse reports that another process has the database open.
var ErrInUse = errors.New("another process has the database open")

// Settle writes the write-ahead log of a database into it and removes the log, so that all is in one file. It fails with
// ErrInUse if another process has the database open.
func Settle(path string) (err error) {
	c, err := open(path, "mode=rw&_locking_mode=EXCLUSIVE&_busy_timeout=0")
	if err != nil {
		return inUse(err)
	}
	defer func() { err = errors.Join(err, c.Close()) }() // the last connection writes the log into the file
	return inUse(beginRead(c))
}

func inUse(err error) error {
	var e sqlite3.Error
	if errors.As(err, &e) && (e.Code == sqlite3.ErrBusy || e.Code == sqlite3.ErrLocked) {
		return ErrInUse
	}
	return err
}

// SyncDir makes a new name in dir durable.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
