package db

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// What is erased is overwritten where it stood, by secure_delete. That is not all of it: when SQLite balances a tree it
// copies rows from page to page and leaves their bytes in the unused part of the page they came from (rebuildPage in its
// btree.c), and those copies nothing overwrites any more. So the file is written anew once something was erased.

// vacuumMaxSize is how large a file is written anew with each erasure, in bytes, a year of twenty people: nobody writes
// meanwhile, for some tenths of a second. A larger one is written anew by Prune, when few wait for it.
const vacuumMaxSize = 16 << 20

// vacuumInterval is which part of the time the file is written anew at most, one in so many: people who edit what they said
// all day long would otherwise have everybody wait.
const vacuumInterval = 20

// vacuumSchedule is when the file may be written anew.
type vacuumSchedule struct {
	next time.Time
	due  <-chan time.Time // tells that it is time to, for what was erased before; nil when nothing was
}

// erase notes that the running transaction erases something for good.
func (c *Tx) MarkErased() error {
	c.erased = true
	_, err := c.Exec(`INSERT INTO erasures (at) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM erasures)`, c.NowMillis())
	return err
}

// scrub writes the file anew if something was erased since that was done last, unless it is larger than limit, in bytes. What
// was committed stands, whatever becomes of this: that it is to be done stays on record until it is.
func (c *Tx) vacuumErased(limit int64) error {
	var size, due int64
	err := c.QueryRow(`SELECT page_count * page_size, (SELECT count(*) FROM erasures) FROM pragma_page_count, pragma_page_size`).Scan(&size, &due)
	if err != nil || due == 0 || size > limit {
		return err
	}
	if _, err := c.Exec(`VACUUM`); err != nil {
		return err
	}
	c.erased = true // the log holds what the pages were
	_, err = c.Exec(`DELETE FROM erasures`)
	return err
}

// removeErased sees to it that nothing stays of what was erased: now, or soon where that was done a moment ago.
func (s *DB) removeErased() {
	wait := s.vacuums.next.Sub(s.Now())
	if s.writer.vacuum || wait <= 0 {
		s.runVacuum()
		return
	}
	s.truncateWAL()
	if s.vacuums.due == nil {
		s.vacuums.due = time.After(wait)
	}
}

// runVacuum leaves nothing of what was erased in the file's unused pages and its log, as far as it can now.
func (s *DB) runVacuum() {
	limit := int64(vacuumMaxSize)
	if s.writer.vacuum {
		limit = math.MaxInt64
	}
	s.writer.vacuum = false
	began := s.Now()
	_ = s.writer.vacuumErased(limit) // it stays on record that it is due, and Prune tells what is in the way
	s.truncateWAL()
	s.vacuums = vacuumSchedule{next: began.Add(vacuumInterval * s.Now().Sub(began))}
}

// truncateWAL moves what is in the write-ahead log into the file and empties it: what was forgotten still stands there in
// pages written before. The commit before it stands, whatever becomes of this: while another process reads from the
// log, or the disk fails, the next commit tries again, and so does Close.
func (s *DB) truncateWAL() {
	var busy, frames, moved int
	err := s.writer.QueryRow("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
	s.writer.erased = err != nil || busy != 0
}

// scrubNow has the file written anew if something was erased since that was done last, however large it is.
func (s *DB) SecureDelete(ctx context.Context) error {
	const what = "write the file anew after what was erased"
	due := func() (n int, err error) {
		err = s.ReadOne(ctx, what, func(tx *Tx) error { return tx.QueryRow(`SELECT count(*) FROM erasures`).Scan(&n) })
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
		err = errors.New("it could not be: free as much disk space as the file takes, and run `familiar job run prune`")
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", what, err)
	}
	return err
}
