package db

import (
	"context"
	"errors"
)

// usedAlone says that no other process has the file open. Under WAL every connection holds a shared lock on the file for as
// long as it is open, so that the exclusive one is only to be had by who is alone; it is let go of at once.
//
// When it is alone, the log that was left is folded into the file on the way, as SQLite does when the last connection
// closes: what is checked afterwards is the file with everything in it.
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
