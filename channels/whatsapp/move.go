package whatsapp

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"github.com/mattn/go-sqlite3"

	"familiar/internal/sleep"
)

// Earlier versions kept the keys next to the database of the memories. moveFormer moves them once.

// existing returns the path at which the session is found now: Former until it was moved.
func (o Options) existing() string {
	if !exists(o.Database) && o.Former != "" && exists(o.Former) {
		return o.Former
	}
	return o.Database
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// moveFormer moves the session from Former to Database, if it is still there. Whoever calls it holds the lock on Database. The
// move is one rename of one file, after its write-ahead log was written into it: a crash leaves the session at one of
// the two places, complete.
func moveFormer(ctx context.Context, o Options) (err error) {
	if o.existing() == o.Database {
		return nil
	}
	lock := flock.New(o.Former+".lock", flock.SetPermissions(0o600))
	switch held, err := lock.TryLock(); {
	case err != nil:
		return fmt.Errorf("lock the WhatsApp session %s: %w", o.Former, err)
	case !held:
		return fmt.Errorf("the WhatsApp session %s is in use by another process: stop that process first", o.Former)
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	if err := fold(ctx, o.Former); err != nil {
		return fmt.Errorf("prepare the WhatsApp session %s for its move: %w", o.Former, err)
	}
	if err := os.Rename(o.Former, o.Database); err != nil {
		return fmt.Errorf("move the WhatsApp session to its own directory: %w", err)
	}
	return errors.Join(syncDir(filepath.Dir(o.Database)), syncDir(filepath.Dir(o.Former)), os.Remove(o.Former+".lock"))
}

// foldTries and foldPause bound how long fold waits for other connections to end: five seconds.
const (
	foldTries = 50
	foldPause = 100 * time.Millisecond
)

// fold writes the write-ahead log of a database into it and removes it, so that all is in one file.
func fold(ctx context.Context, path string) (err error) {
	at := url.URL{Path: path}
	db, err := sql.Open("sqlite3", "file:"+at.EscapedPath()+"?_synchronous=FULL&_busy_timeout=5000")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	// SQLite does not wait for the lock that this takes: a connection that is just being closed may still hold it.
	var mode string
	for tries := 0; ; tries++ {
		err := db.QueryRowContext(ctx, `PRAGMA journal_mode = DELETE`).Scan(&mode)
		if err == nil {
			break
		}
		if busy, ok := errors.AsType[sqlite3.Error](err); !ok || busy.Code != sqlite3.ErrBusy || tries == foldTries || !sleep.For(ctx, foldPause) {
			return err
		}
	}
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the journal mode stays %s: a write-ahead log is left", mode)
	}
	return nil
}

// syncDir makes a rename in a directory durable.
func syncDir(dir string) error {
	d, err := os.Open(dir) //nolint:gosec // the operator's home
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
