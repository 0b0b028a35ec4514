package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"familiar/internal/sqlitecopy"
	"familiar/memory"
)

// Recovered says what was saved of a damaged database.
type Recovered struct {
	Tables []memory.SalvagedTable
	// Aside is the directory with the damaged database, "" if it stays where it is.
	Aside string
}

// ErrSound reports that a database is not damaged.
var ErrSound = errors.New("the database is not damaged")

// Recover saves what the home's damaged database still holds. With a path, it writes a new file there and changes nothing
// else; otherwise the new file takes the place of the damaged one, which is moved aside and never deleted. The caller holds
// the lock of the home.
func (s *Set) Recover(ctx context.Context, path string) (done Recovered, err error) {
	if _, err := os.Stat(s.Home.Database()); errors.Is(err, fs.ErrNotExist) {
		return done, fmt.Errorf("%w: there is no database in %s", memory.ErrNotFound, s.Home)
	}
	err = s.withWork(ctx, func(work string) error {
		if err := s.settle(); err != nil {
			return err
		}
		damaged, saved := filepath.Join(work, "damaged.db"), filepath.Join(work, databaseName)
		if err := copyDamaged(s.Home.Database(), damaged); err != nil {
			return err
		}
		_, err := memory.Inspect(ctx, damaged)
		if err == nil {
			return fmt.Errorf("%w: there is nothing to recover", ErrSound)
		}
		if !errors.Is(err, memory.ErrCorrupt) {
			return err
		}
		if done.Tables, err = memory.Salvage(ctx, damaged, saved); err != nil {
			return err
		}
		if _, err := memory.Inspect(ctx, saved); err != nil {
			return fmt.Errorf("check what was saved: %w", err)
		}
		if path != "" {
			return sqlitecopy.Copy(ctx, saved, path, sqlitecopy.Gentle)
		}
		var put Restored
		err = s.replace(work, RestoreOptions{DatabaseOnly: true}, &put)
		done.Aside = put.Aside
		return err
	})
	if err != nil {
		return done, fmt.Errorf("recover %s: %w", s.Home.Database(), explain(s.Home.Backups(), err))
	}
	return done, nil
}

// copyDamaged copies a database that nobody uses byte by byte, with what is left of its log.
func copyDamaged(from, to string) error {
	for _, end := range []string{"", "-wal"} {
		if err := copyBytes(from+end, to+end); err != nil && (end == "" || !errors.Is(err, fs.ErrNotExist)) {
			return err
		}
	}
	return nil
}

func copyBytes(from, to string) error {
	in, err := os.Open(from) //nolint:gosec // the home's database
	if err != nil {
		return err
	}
	defer in.Close()                                                      //nolint:errcheck // only read
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // in our own directory
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
