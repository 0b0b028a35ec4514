package log

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/channels"
	"familiar/memory/internal/db"
)

// ErrWatched reports a directory that is followed already.
var ErrWatched = errors.New("it is followed already")

// Watch is a directory whose session files are followed.
type Watch struct {
	ID      int64
	Persona string
	// PersonID is who talks in them, Account the account under which they are known.
	PersonID int64
	Account  channels.Handle
	// Dir is an absolute path, Pattern what the names of files match, Format one that persona/imports reads.
	Dir, Format, Pattern string
	Created              time.Time
}

// AddWatch stores a watch and returns its number. It fails with ErrWatched if there is the same.
func (s *Store) AddWatch(ctx context.Context, w Watch) (id int64, err error) {
	err = s.db.Write(ctx, "follow "+w.Dir, func(tx *db.Tx) error {
		n, err := tx.Affect(`INSERT INTO watches (persona, person_id, channel, handle, dir, format, pattern, created_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			w.Persona, w.PersonID, w.Account.Channel, w.Account.ID, w.Dir, w.Format, w.Pattern, tx.NowMillis())
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrWatched
		}
		id, err = db.One(tx.QueryRow(`SELECT max(id) FROM watches`), db.ScanID)
		return err
	})
	return id, err
}

// Watches returns all watches, oldest first.
func (s *Store) Watches(ctx context.Context) (all []Watch, err error) {
	err = s.db.ReadOne(ctx, "list the followed directories", func(tx *db.Tx) error {
		all, err = db.Collect[Watch](tx.Query(`SELECT id, persona, person_id, channel, handle, dir, format, pattern, created_at FROM watches ORDER BY id`))(
			func(row db.Scanner) (w Watch, err error) {
				err = row.Scan(&w.ID, &w.Persona, &w.PersonID, &w.Account.Channel, &w.Account.ID, &w.Dir, &w.Format, &w.Pattern, db.IntoTime(&w.Created))
				return w, err
			})
		return err
	})
	return all, err
}

// RemoveWatch removes a watch. What was read stays, and so does how far: following the directory again continues there. It fails
// with ErrNotFound if there is none with this number.
func (s *Store) RemoveWatch(ctx context.Context, id int64) error {
	return s.db.Write(ctx, fmt.Sprintf("remove watch %d", id), func(tx *db.Tx) error {
		n, err := tx.Affect(`DELETE FROM watches WHERE id = ?`, id)
		if err == nil && n == 0 {
			err = db.ErrNotFound
		}
		return err
	})
}

// Watermark is how far one session file was read.
type Watermark struct {
	// ID is a hash of who the file is read for and of its path.
	ID       string
	PersonID int64 // 0 after the person was erased
	Channel  string
	Path     string
	// File is the file's number on its disk, Size in bytes and Modified when it was last changed, as of the last look at it.
	File     string
	Size     int64
	Modified time.Time
	// Head and Tail are hashes of the beginning and the end of what was read, up to ReadTo.
	Head, Tail string
	ReadTo     int64
	// Progress is the reader's, as JSON.
	Progress string
	// Messages counts what was stored from the file, Problem says why it cannot be read.
	Messages int
	Problem  string
	Read     time.Time
	// ErasedBytes is how far the file was read when its person was erased.
	ErasedBytes int64
}

const selectWatermarks = `SELECT id, coalesce(person_id, 0), channel, path, file, size, modified_at, head, tail, progress, read_to, messages, problem,
	read_at, erased_bytes FROM watermarks`

func scanWatermark(row db.Scanner) (w Watermark, err error) {
	err = row.Scan(&w.ID, &w.PersonID, &w.Channel, &w.Path, &w.File, &w.Size, db.IntoTime(&w.Modified), &w.Head, &w.Tail, &w.Progress, &w.ReadTo,
		&w.Messages, &w.Problem, db.IntoTime(&w.Read), &w.ErasedBytes)
	return w, err
}

// Watermark returns the watermark with an id, the zero value if there is none.
func (s *Store) Watermark(ctx context.Context, id string) (w Watermark, err error) {
	err = s.db.ReadOne(ctx, "find how far a session file was read", func(tx *db.Tx) error {
		w, err = db.One(tx.QueryRow(selectWatermarks+` WHERE id = ?`, id), scanWatermark)
		return unlessMissing(err)
	})
	return w, err
}

// WatermarksOfFile returns the watermarks of a person under any path of the file with this number on its disk.
func (s *Store) WatermarksOfFile(ctx context.Context, person int64, file string) (all []Watermark, err error) {
	err = s.db.ReadOne(ctx, "find how far a moved session file was read", func(tx *db.Tx) error {
		all, err = db.Collect[Watermark](tx.Query(selectWatermarks+` WHERE file = ? AND person_id = ?`, file, person))(scanWatermark)
		return err
	})
	return all, err
}

// Watermarks returns those of files that have a problem, or all.
func (s *Store) Watermarks(ctx context.Context, all bool) (found []Watermark, err error) {
	err = s.db.ReadOne(ctx, "list how far session files were read", func(tx *db.Tx) error {
		found, err = db.Collect[Watermark](tx.Query(selectWatermarks+` WHERE path <> '' AND (? = 1 OR problem <> '') ORDER BY path`, all))(scanWatermark)
		return err
	})
	return found, err
}

// SetWatermarks stores how far files were read, in one transaction. Read is now. Of a person who was erased meanwhile nothing is
// stored.
func (s *Store) SetWatermarks(ctx context.Context, all ...Watermark) error {
	return s.db.Write(ctx, "store how far session files were read", func(tx *db.Tx) error {
		for _, w := range all {
			_, err := tx.Exec(`INSERT INTO watermarks (id, person_id, channel, path, file, size, modified_at, head, tail, progress, read_to,
					messages, problem, read_at)
				SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14 WHERE EXISTS (SELECT 1 FROM people WHERE id = ?2)
				ON CONFLICT (id) DO UPDATE SET person_id = ?2, channel = ?3, path = ?4, file = ?5, size = ?6, modified_at = ?7, head = ?8,
					tail = ?9, progress = ?10, read_to = ?11, messages = ?12, problem = ?13, read_at = ?14`,
				w.ID, w.PersonID, w.Channel, w.Path, w.File, w.Size, db.Millis(w.Modified), w.Head, w.Tail, w.Progress, w.ReadTo, w.Messages,
				w.Problem, tx.NowMillis())
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// ErasedAt returns when an account was last erased, the zero time if never.
func (s *Store) ErasedAt(ctx context.Context, account channels.Handle) (at time.Time, err error) {
	err = s.db.ReadOne(ctx, "find out whether an account was erased", func(tx *db.Tx) error {
		at, err = db.One(tx.QueryRow(`SELECT at FROM erased_handles WHERE hash = ?`, HashHandle(account)), func(row db.Scanner) (at time.Time, err error) {
			err = row.Scan(db.IntoTime(&at))
			return at, err
		})
		return unlessMissing(err)
	})
	return at, err
}

// unlessMissing returns err, nil if it says that there is no such row.
func unlessMissing(err error) error {
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	return err
}
