package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"familiar/internal/plainfile"
	"familiar/internal/sqlitecopy"
	"familiar/memory"
	"familiar/memory/erase"
)

// maxFile is the largest file beside the databases that a backup takes, in bytes.
const maxFile = 64 << 20

// Create makes a backup of the home as it is now, also while the home is served. It fails and leaves nothing if the database
// is damaged: a backup of damage would push out the good ones.
func (s *Set) Create(ctx context.Context, why Reason) (b Backup, m Manifest, err error) {
	err = s.withWork(ctx, func(work string) error {
		names, err := s.collect(ctx, work)
		if err != nil {
			return err
		}
		home, err := s.homeID()
		if err != nil {
			return err
		}
		erased, err := s.noteCopy(ctx, work, home)
		if err != nil {
			return err
		}
		b, m, err = s.pack(ctx, work, names, Manifest{Made: s.Now(), Reason: why, Home: home, Erased: latest(erased)})
		return err
	})
	if err != nil {
		return b, m, fmt.Errorf("back up %s: %w", s.Home, explain(s.dir(), err))
	}
	return b, m, nil
}

// noteCopy adds what was erased in the copied database to the list of erasures, and returns it. The copy is read, since the
// home's database may be damaged or in use by an upgrade, and since somebody may have been erased there after the copy.
func (s *Set) noteCopy(ctx context.Context, work, home string) ([]erase.Erasure, error) {
	erased, err := s.erasedIn(ctx, filepath.Join(work, databaseName), time.Time{})
	if err != nil {
		return nil, err
	}
	return erased, s.note(home, erased)
}

// pack writes the files under work to a new archive. of says when and why it is made, and of which home.
func (s *Set) pack(ctx context.Context, work string, names []string, of Manifest) (b Backup, m Manifest, err error) {
	m = of
	m.Format, m.Made, m.Erased, m.Members = formatVersion, of.Made.UTC(), of.Erased.UTC(), nil
	held, err := memory.Inspect(ctx, filepath.Join(work, databaseName))
	if err != nil {
		return b, m, fmt.Errorf("check the copy of the database: %w", err)
	}
	m.Schema, m.Rows = held.Schema, held.Rows
	for _, name := range names {
		member := Member{Name: name, Credentials: isCredential(name)}
		if member.Size, member.SHA256, err = hashFile(filepath.Join(work, filepath.FromSlash(name))); err != nil {
			return b, m, err
		}
		m.Credentials = m.Credentials || member.Credentials
		m.Members = append(m.Members, member)
	}
	b = Backup{Made: m.Made, Schema: m.Schema, Reason: m.Reason, Encrypted: s.Keys.encrypts()}
	b.Path = filepath.Join(s.dir(), b.name())
	b.Size, err = s.writeFile(ctx, b.Path, m, work)
	return b, m, err
}

// writeFile writes an archive. It gets its name only when it is complete and on disk.
func (s *Set) writeFile(ctx context.Context, path string, m Manifest, work string) (size int64, err error) {
	f, err := os.OpenFile(path+partSuffix, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) //nolint:gosec // the operator's directory
	if err != nil {
		return 0, err
	}
	out := &gentleWriter{ctx: ctx, f: f}
	sealed, err := s.Keys.encrypt(out)
	if err == nil {
		err = errors.Join(writeArchive(sealed, m, work), sealed.Close())
	}
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(path+partSuffix, path)
	}
	if err != nil {
		return 0, errors.Join(err, os.Remove(path+partSuffix))
	}
	return out.written, sqlitecopy.SyncDir(filepath.Dir(path))
}

// syncEvery is after how many bytes an archive that is written is synced, for the reason of sqlitecopy.Pace.SyncPages.
const syncEvery = 4 << 20

// gentleWriter writes to a file without holding up the disk for others.
type gentleWriter struct {
	ctx               context.Context
	f                 *os.File
	written, unsynced int64
}

func (w *gentleWriter) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.f.Write(p)
	w.written += int64(n)
	if w.unsynced += int64(n); err == nil && w.unsynced >= syncEvery {
		w.unsynced = 0
		err = w.f.Sync()
	}
	return n, err
}

// collect copies everything that belongs into a backup under work, and returns the names, the database first.
func (s *Set) collect(ctx context.Context, work string) (names []string, _ error) {
	beside := append([]string{configName, personasDir}, keys()...)
	if s.CopyMemory != nil {
		if err := s.CopyMemory(ctx, filepath.Join(work, databaseName)); err != nil {
			return nil, err
		}
		names = append(names, databaseName)
	} else {
		if _, err := os.Stat(s.Home.Database()); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w: there is no database in %s yet", memory.ErrNotFound, s.Home)
		}
		beside = append([]string{databaseName}, beside...)
	}
	for _, name := range beside {
		found, err := s.collectBelow(ctx, work, name)
		if err != nil {
			return nil, fmt.Errorf("copy %s: %w", name, err)
		}
		names = append(names, found...)
	}
	return names, nil
}

// collectBelow copies a file or all files of a directory. What a link leads to belongs into a backup if it is a file.
func (s *Set) collectBelow(ctx context.Context, work, name string) (names []string, _ error) {
	root, err := filepath.EvalSymlinks(filepath.Join(string(s.Home), name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was removed meanwhile
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.Join(name, rel)
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(work, rel), 0o700)
		}
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || isBeside(rel) {
			return nil //nolint:nilerr // a link that leads nowhere has nothing to copy
		}
		if err := copyMember(ctx, path, filepath.Join(work, rel)); err != nil {
			return err
		}
		names = append(names, filepath.ToSlash(rel))
		return nil
	})
	return names, err
}

// isBeside reports whether a file belongs to a running process or is part of a database that is copied as a whole. Opening it
// would release the locks that SQLite holds in this process.
func isBeside(name string) bool {
	for _, end := range []string{"-wal", "-shm", "-journal", ".lock"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// copyMember copies a file; a database as it is at one moment.
func copyMember(ctx context.Context, from, to string) error {
	if strings.HasSuffix(from, ".db") {
		return sqlitecopy.Copy(ctx, from, to, sqlitecopy.Gentle)
	}
	data, err := plainfile.Read(from, maxFile)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // in our own directory
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// discard reads a member to its end.
func discard(_ Member, r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}

// Verify reads a whole backup and compares it with its manifest.
func (s *Set) Verify(b Backup) (m Manifest, err error) {
	if b.IsCopy() {
		return m, nil
	}
	err = s.open(b, func(a *archiveReader) error {
		m = a.Manifest
		return a.eachMember(discard)
	})
	return m, about(b, "verify", err)
}
