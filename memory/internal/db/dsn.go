package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// purpose is what a connection is opened for.
type purpose int

const (
	// inspecting changes nothing in the file, not even its journal mode, since the file may not be ours.
	inspecting purpose = iota
	// probing takes an exclusive lock for a moment, or fails at once.
	probing
	// upgrading writes without foreign keys, since a migration may rebuild a table that others refer to.
	upgrading
	writing
	reading
)

// pragmas returns the settings of a connection: for each, the driver's parameter and the pragma that reads it back.
// synchronous=FULL: under WAL, NORMAL can lose acknowledged commits when the power fails. secure_delete: erased
// personal data must not survive in free pages.
func (u purpose) pragmas(busy time.Duration) []pragma {
	wait := strconv.FormatInt(busy.Milliseconds(), 10)
	switch u {
	case inspecting:
		return []pragma{{"busy_timeout", wait, wait}}
	case probing:
		return []pragma{{"busy_timeout", "0", "0"}, {"locking_mode", "EXCLUSIVE", "exclusive"}}
	}
	ps := []pragma{
		{"busy_timeout", wait, wait},
		{"journal_mode", "WAL", "wal"},
		{"synchronous", "FULL", "2"},
		{"secure_delete", "on", "1"},
	}
	switch u {
	case upgrading:
		ps = append(ps, pragma{"foreign_keys", "off", "0"})
	case reading:
		ps = append(ps, pragma{"foreign_keys", "on", "1"}, pragma{"query_only", "on", "1"})
	default:
		ps = append(ps, pragma{"foreign_keys", "on", "1"})
	}
	return ps
}

// pragma is one setting: its name, its value in the DSN and the value that SQLite reports.
type pragma struct{ name, set, want string }

// dsn returns the data source name of the file at path, which must be absolute.
func dsn(path string, ps []pragma) string {
	// One goroutine at a time uses a connection, so SQLite's own mutexes would only cost time.
	q := []string{"_mutex=no"}
	for _, p := range ps {
		q = append(q, "_"+p.name+"="+p.set)
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: strings.Join(q, "&")}).String()
}

// openConn opens one connection and reads its settings back. A setting that SQLite did not accept, such as WAL on a
// network file system, is an error, because it would weaken what the store promises.
func openConn(ctx context.Context, path string, u purpose, busy time.Duration) (*Tx, error) {
	if u == writing {
		busy = busySlice // begin waits in slices, to notice cancellation in between
	}
	ps := u.pragmas(busy)
	db, err := sql.Open("sqlite3", dsn(path, ps))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	pinned, err := db.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	c := &Tx{db: db, c: pinned, stmts: map[string]*sql.Stmt{}}
	if u == writing {
		if err := c.tune(); err != nil {
			return nil, errors.Join(err, c.close())
		}
	}
	for _, p := range ps {
		var got string
		if err := c.QueryRow("PRAGMA " + p.name).Scan(&got); err != nil {
			return nil, errors.Join(fmt.Errorf("read back %s: %w", p.name, err), c.close())
		}
		if got != p.want {
			return nil, errors.Join(fmt.Errorf("the file system does not support a setting that keeps messages safe: "+
				"%s is %q and must be %q; keep the file on a local disk", p.name, got, p.want), c.close())
		}
	}
	return c, nil
}

// writerCache is the size of the writer's cache in pages: 8 MB.
const writerCache = 2000

// tune speeds up the writer without affecting durability; checkpoints keeps its log short. The first pragma returns a row, which must be read to the
// end: an unfinished statement would prevent VACUUM.
func (c *Tx) tune() error {
	var pages int
	if err := c.QueryRow("PRAGMA wal_autocheckpoint = 0").Scan(&pages); err != nil {
		return fmt.Errorf("tune the writer: set wal_autocheckpoint: %w", err)
	}
	if _, err := c.Exec(fmt.Sprintf("PRAGMA cache_size = %d", writerCache)); err != nil {
		return fmt.Errorf("tune the writer: set cache_size: %w", err)
	}
	return nil
}

// disableSync leaves it to the operating system when writes reach the disk.
func (c *Tx) disableSync() error {
	if _, err := c.Exec("PRAGMA synchronous = OFF"); err != nil {
		return fmt.Errorf("turn off syncing: %w", err)
	}
	return nil
}
