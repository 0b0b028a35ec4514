package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"familiar/channels/all"
	"familiar/internal/plainfile"
	"familiar/internal/sqlitecopy"
	"familiar/memory"
	"familiar/memory/erase"
)

// Restored says what a restore did.
type Restored struct {
	Manifest
	// Aside is the directory to which what stood there was moved, "" if there was nothing.
	Aside string
	// Names lists what was restored.
	Names []string
	// Erased counts what was erased from it, since people had that erased after the backup was made.
	Erased erase.ForgetResult
	// Unread is why the database that was replaced could not be asked what was erased in it, nil if it was. Then only the
	// list beside the backups was applied.
	Unread error
}

// RestoreOptions limit a restore.
type RestoreOptions struct {
	// DatabaseOnly leaves the configuration, the personas and WhatsApp's keys as they are.
	DatabaseOnly bool
}

// Restore puts a backup in the place of what stands in the home, which it moves aside and never deletes. The caller holds the
// lock of the home. Everything is unpacked, checked and upgraded before anything is moved: a backup that is damaged, of a newer
// familiar or encrypted with another key changes nothing.
func (s *Set) Restore(ctx context.Context, b Backup, o RestoreOptions) (done Restored, err error) {
	err = s.withWork(ctx, func(work string) error {
		if done.Manifest, err = s.unpack(ctx, b, work); err != nil {
			return err
		}
		erased, unread, err := s.erasuresFor(ctx, b, done.Manifest)
		if err != nil {
			return err
		}
		done.Unread = unread
		if done.Erased, err = s.bringUpToDate(ctx, work, erased); err != nil {
			return err
		}
		if err := s.replace(work, o, &done); err != nil || done.Home == "" {
			return err
		}
		return s.adopt(done.Home)
	})
	return done, about(b, "restore", err)
}

// unpack writes the contents of a backup under work and checks them.
func (s *Set) unpack(ctx context.Context, b Backup, work string) (m Manifest, err error) {
	if b.IsCopy() {
		m = Manifest{Made: b.Made, Reason: b.Reason, Members: []Member{{Name: databaseName, Size: b.Size}}}
		err = sqlitecopy.Copy(ctx, b.Path, filepath.Join(work, databaseName), sqlitecopy.Gentle)
	} else {
		err = s.open(b, func(a *archiveReader) error {
			m = a.Manifest
			if err := enoughSpace(work, m.Size()); err != nil {
				return err
			}
			return a.extract(work)
		})
	}
	if err != nil {
		return m, err
	}
	held, err := memory.Inspect(ctx, filepath.Join(work, databaseName))
	if err != nil {
		return m, err
	}
	m.Schema = held.Schema
	for table, rows := range m.Rows {
		if held.Rows[table] != rows {
			return m, fmt.Errorf("%w: it holds %d rows of %s, its manifest says %d", ErrInvalid, held.Rows[table], table, rows)
		}
	}
	if m.Rows == nil {
		m.Rows = held.Rows
	}
	return m, nil
}

// bringUpToDate upgrades the unpacked database, erases what was erased later from it and from the files of channels, logs all browsers
// out, and checks it again.
func (s *Set) bringUpToDate(ctx context.Context, work string, erased []erase.Erasure) (gone erase.ForgetResult, err error) {
	store, err := memory.Open(ctx, filepath.Join(work, databaseName), memory.Options{
		Now: s.Now, BeforeUpgrade: func(context.Context, int) error { return nil }, // the backup itself is the copy to go back to
	})
	if err != nil {
		return gone, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if gone, err = store.Eraser.ApplyErasures(ctx, erased); err != nil {
		return gone, err
	}
	if _, err := store.Logins.EndAll(ctx); err != nil { // some were ended since
		return gone, err
	}
	erasedAccount, err := store.Log.ErasedAccounts(ctx)
	if err == nil && erasedAccount != nil {
		err = all.Forget(ctx, work, erasedAccount)
	}
	return gone, errors.Join(err, store.SecureDelete(ctx), store.Check(ctx))
}

// replace moves what stands in the home aside and the unpacked files there, the database last. If it fails, it moves
// everything back.
func (s *Set) replace(work string, o RestoreOptions, done *Restored) (err error) {
	names := slices.Concat([]string{personasDir}, keys(), []string{configName, databaseName})
	if o.DatabaseOnly {
		names = []string{databaseName}
	}
	if err := s.settle(); err != nil {
		return err
	}
	aside := s.Home.Aside(s.Now())
	var undo []func() error
	defer func() {
		if err != nil {
			for i := len(undo) - 1; i >= 0; i-- {
				err = errors.Join(err, undo[i]())
			}
			_ = os.Remove(aside) // if it is empty
		}
	}()
	for _, name := range names {
		from, to := filepath.Join(work, name), filepath.Join(string(s.Home), name)
		if _, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) {
			continue // the backup does not hold it
		}
		moved, err := moveAside(to, aside)
		for _, path := range moved {
			undo = append(undo, func() error { return moveBack(filepath.Join(aside, filepath.Base(path)), path) })
			done.Aside = aside
		}
		if err != nil {
			return err
		}
		if err := os.Rename(from, to); err != nil {
			return err
		}
		if len(moved) == 0 {
			undo = append(undo, func() error { return os.RemoveAll(to) })
		}
		done.Names = append(done.Names, name)
	}
	if err := s.noteAside(done.Aside, &undo); err != nil {
		return err
	}
	return sqlitecopy.SyncDir(string(s.Home))
}

// noteAside notes which home's ids the database in aside has, for later erasures.
func (s *Set) noteAside(aside string, undo *[]func() error) error {
	if aside == "" {
		return nil
	}
	id, err := s.homeID()
	if err != nil {
		return err
	}
	path := filepath.Join(aside, idName)
	*undo = append(*undo, func() error { return os.RemoveAll(path) })
	return plainfile.Write(path, []byte(id))
}

// settle writes the log of the database that stands in the home into it. A database that is damaged is moved with its log.
func (s *Set) settle() error {
	path := s.Home.Database()
	if _, err := os.Stat(path); err != nil {
		return nil //nolint:nilerr // there is none
	}
	if err := sqlitecopy.Settle(path); errors.Is(err, sqlitecopy.ErrInUse) {
		return fmt.Errorf("%w: wait until the command that uses %s has ended, or stop it", err, path)
	}
	return nil
}

// moveAside moves what stands at path into the directory aside, a database together with its log. It returns what it moved. A
// database stays in its place under its second name until the new one replaces it in one step, so that no crash leaves a home
// without a database, which the next start would take for a new home.
func moveAside(path, aside string) (moved []string, _ error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if info.IsDir() && os.Remove(path) == nil {
		return nil, nil // it was empty
	}
	if err := os.MkdirAll(aside, 0o700); err != nil {
		return nil, err
	}
	for _, log := range []string{path + "-wal", path + "-shm"} {
		if err := os.Rename(log, filepath.Join(aside, filepath.Base(log))); err == nil {
			moved = append(moved, log)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return moved, err
		}
	}
	to := filepath.Join(aside, filepath.Base(path))
	if info.IsDir() || os.Link(path, to) != nil {
		err = os.Rename(path, to)
	}
	if err == nil {
		moved = append(moved, path)
	}
	return moved, err
}

// moveBack moves what was moved aside back. If it is linked at both places, rename does nothing and the second name stays.
func moveBack(aside, path string) error {
	if err := os.Rename(aside, path); err != nil {
		return err
	}
	if err := os.Remove(aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
