package db

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// SQLite's secure_delete overwrites erased data in place. That is not enough: when SQLite balances a tree, it copies
// rows between pages and leaves their bytes in the unused part of the old page (rebuildPage in its btree.c), where
// nothing overwrites them. Therefore the file is rewritten (VACUUM) after data was erased.

// vacuumMaxSize is the largest file, in bytes, that is rewritten after each erasure. It corresponds to a year of twenty
// people. Writes wait for some tenths of a second meanwhile. Prune rewrites a larger file at a quiet time.
const vacuumMaxSize = 16 << 20

// vacuumPersonMaxSize is the same after a person was erased, who is told that nothing is left: writes wait for up to a second.
const vacuumPersonMaxSize = 64 << 20

// emptyLogAgain is how soon the log is emptied again if a reader prevented it.
const emptyLogAgain = time.Second

// vacuumInterval limits rewriting to one part in this many of the time. Otherwise people who edit messages all day
// would make everyone wait.
const vacuumInterval = 20

// vacuumSchedule is when the file may be rewritten next.
type vacuumSchedule struct {
	next time.Time
	due  <-chan time.Time // fires when a postponed rewrite is due; nil if none is
}

// MarkPersonErased is MarkErased for a whole person: a larger file is rewritten at once too.
func (c *Tx) MarkPersonErased() error {
	c.rewritable = vacuumPersonMaxSize
	return c.MarkErased()
}

// MarkErased records that the running transaction erases data for good.
func (c *Tx) MarkErased() error {
	c.erased = true
	_, err := c.Exec(`INSERT INTO rewrites_due (at) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM rewrites_due)`, c.NowMillis())
	return err
}

// vacuumErased rewrites the file if data was erased since the last rewrite, unless the file is larger than limit bytes.
// Failure does not undo the commit: the rewrite stays recorded as due until it succeeds.
func (c *Tx) vacuumErased(limit int64) error {
	due, err := One(c.QueryRow(`SELECT count(*) FROM rewrites_due`), ScanID)
	if err != nil || due == 0 {
		return err
	}
	size, err := c.Bytes()
	if err != nil || size > limit {
		return err
	}
	if err := c.engine.rewrite(c); err != nil {
		return err
	}
	c.erased = true // the log holds the old pages
	_, err = c.Exec(`DELETE FROM rewrites_due`)
	return err
}

// removeErased removes the remains of erased data: now, or soon if that was done a moment ago.
func (s *DB) removeErased() {
	wait := s.vacuums.next.Sub(s.Now())
	if s.writer.vacuum || wait <= 0 {
		s.runVacuum()
		return
	}
	s.emptyLog()
	if s.vacuums.due == nil {
		s.vacuums.due = time.After(wait)
	}
}

// resumeVacuum plans the rewrite that an earlier process did not come to: it was killed after its commit, or the file is large.
func (s *DB) resumeVacuum() error {
	// It runs once, so it is not kept prepared.
	due, err := One(s.writer.c.QueryRowContext(context.Background(), `SELECT count(*) FROM rewrites_due`), ScanID)
	if err != nil || due == 0 {
		return err
	}
	s.writer.rewritable = vacuumPersonMaxSize
	s.vacuums.due = time.After(0)
	return nil
}

// runVacuum removes erased data from the file's unused pages and its log, as far as possible now.
func (s *DB) runVacuum() {
	limit := max(vacuumMaxSize, s.writer.rewritable)
	if s.writer.vacuum {
		limit = math.MaxInt64
	}
	s.writer.vacuum, s.writer.rewritable = false, 0
	began := s.Now()
	_ = s.writer.vacuumErased(limit) // it stays recorded as due, and Prune reports what prevents it
	s.emptyLog()
	s.vacuums = vacuumSchedule{next: began.Add(vacuumInterval * s.Now().Sub(began))}
	if s.writer.erased {
		s.vacuums.due = time.After(emptyLogAgain)
	}
}

// emptyLog removes what the log holds of erased data. Failure does not undo the commit: if somebody reads from the log or the
// disk fails, the next commit, a timer and Close try again.
func (s *DB) emptyLog() { s.writer.erased = !s.engine.emptyLog(s.writer) }

// SecureDelete rewrites the file, whatever its size, if data was erased since the last rewrite.
func (s *DB) SecureDelete(ctx context.Context) error {
	const what = "rewrite the file after erasing data"
	due := func() (n int, err error) {
		err = s.ReadOne(ctx, what, func(tx *Tx) error { return tx.QueryRow(`SELECT count(*) FROM rewrites_due`).Scan(&n) })
		return n, err
	}
	n, err := due()
	if err != nil || n == 0 {
		return err
	}
	err = s.Write(ctx, what, func(tx *Tx) error {
		tx.vacuum = true
		return nil
	})
	if err != nil {
		return err
	}
	if n, err = due(); err == nil && n > 0 {
		err = errors.New("the file could not be rewritten: free as much disk space as the file takes, and run `familiar job run prune`")
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", what, err)
	}
	return err
}
