package db

import (
	"context"
	"errors"
)

// usedAlone reports whether no other process has the file open. Under WAL every connection holds a shared lock on the
// file while it is open, so only a process that is alone can take the exclusive lock. The lock is released at once.
// If it is alone, SQLite checkpoints a leftover write-ahead log into the file, as it does when the last connection
// closes. A check that follows therefore sees the complete file.
func usedAlone(ctx context.Context, path string) (is bool, err error) {
	c, err := openConn(ctx, path, probing, 0)
	if err != nil {
		if isBusy(err) {
			return false, nil
		}
		return false, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	var tables int
	err = c.QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&tables)
	if isBusy(err) {
		return false, nil
	}
	return err == nil, err
}
