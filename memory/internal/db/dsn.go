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
	// inspecting changes nothing about the file, not even its journal: it may turn out not to be ours.
	inspecting purpose = iota
	// probing takes the file for itself for a moment, or fails at once.
	probing
	// upgrading is writing without foreign keys: a migration may rebuild a table that others refer to.
	upgrading
	writing
	reading
)

// pragmas are the settings of a connection, by the driver's parameter and by the pragma that reads them back.
//
// synchronous=FULL: under WAL, NORMAL can lose commits that were acknowledged when the power fails. secure_delete:
// what a person had erased must not survive in free pages.
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

// pragma is one setting: its name, the value in the DSN and the value SQLite answers with.
type pragma struct{ name, set, want string }

// dsn is the data source name of the file at path, which is absolute.
func dsn(path string, ps []pragma) string {
	// A connection here is used by one goroutine at a time: SQLite's own mutexes would only cost.
	q := []string{"_mutex=no"}
	for _, p := range ps {
		q = append(q, "_"+p.name+"="+p.set)
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: strings.Join(q, "&")}).String()
}

// openConn opens one connection and reads its settings back: a setting SQLite did not take, say WAL on a network file
// system, is an error and not a weaker promise.
func openConn(ctx context.Context, path string, u purpose, busy time.Duration) (*Tx, error) {
	if u == writing {
		busy = busySlice // begin waits in slices, to see cancellation in between
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
			return nil, errors.Join(fmt.Errorf("the file system does not support what keeps messages safe: "+
				"%s is %q and must be %q; keep the file on a local disk", p.name, got, p.want), c.close())
		}
	}
	return c, nil
}

// The writer's tuning: pages. A turn writes the same hot pages again and again; the longer the log grows before it is
// folded into the file, the more of them are written there once. 4,000 pages are 16 MB of log, 2,000 are 8 MB of cache.
const (
	checkpointPages = 4000
	writerCache     = 2000
)

// tune sets what makes the writer faster and promises nothing. The first pragma answers, and what answers is read to its
// end: a statement left halfway would keep the file from being written anew.
func (c *Tx) tune() error {
	var pages int
	if err := c.QueryRow(fmt.Sprintf("PRAGMA wal_autocheckpoint = %d", checkpointPages)).Scan(&pages); err != nil {
		return fmt.Errorf("tune the writer: let its log grow: %w", err)
	}
	if _, err := c.Exec(fmt.Sprintf("PRAGMA cache_size = %d", writerCache)); err != nil {
		return fmt.Errorf("tune the writer: size its cache: %w", err)
	}
	return nil
}

// disableSync has the writer leave it to the system when what it wrote reaches the disk.
func (c *Tx) disableSync() error {
	if _, err := c.Exec("PRAGMA synchronous = OFF"); err != nil {
		return fmt.Errorf("stop syncing: %w", err)
	}
	return nil
}
