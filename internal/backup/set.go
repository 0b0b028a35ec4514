package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"github.com/mattn/go-sqlite3"

	"familiar/config"
	"familiar/internal/plainfile"
	"familiar/memory"
)

// Set is the backups of one home.
type Set struct {
	Home config.Home
	// Dir is the directory of the archives, Home.Backups() when "". In any other directory, which several homes may share, those
	// of this home lie in one named by its id.
	Dir  string
	Keys Keys
	Now  func() time.Time
	// Open is the home's store if this process has it open, otherwise nil. Opening the file a second time would release the
	// locks that SQLite holds on it.
	Open *memory.Store
	// CopyMemory writes a memory on a server into a new file. It is nil for a memory in the home's own file.
	CopyMemory func(ctx context.Context, file string) error
	// NewID makes the id of a home that has none: random text.
	NewID func() string
}

// Backup is one file of a set.
type Backup struct {
	Path string
	// Made is when, by the file's name.
	Made time.Time
	// Schema is the version of the database's tables.
	Schema int
	Reason Reason
	// Encrypted reports that the file cannot be read without a key.
	Encrypted bool
	// Size is that of the file in bytes.
	Size int64
}

// suffix and encryptedSuffix end the names of archives.
const (
	suffix          = ".tar.zst"
	encryptedSuffix = suffix + ".age"
	partSuffix      = ".part"
)

// timeLayout formats the time in a backup's name, UTC. It sorts as text.
const timeLayout = "20060102T150405.000Z"

// namePattern matches the names of archives: familiar-20260102T150405.000Z-v9-scheduled.tar.zst.
var namePattern = regexp.MustCompile(`^familiar-(\d{8}T\d{6}\.\d{3}Z)-v(\d{1,6})-(asked|scheduled|upgrade)\.tar\.zst(\.age)?$`)

// copyPattern matches the copies of a database that earlier versions made next to it before an upgrade.
var copyPattern = regexp.MustCompile(`^familiar\.db\.backup-v(\d{1,6})-(\d{8}T\d{6}\.\d{3}Z)$`)

// name returns the file name of a backup.
func (b Backup) name() string {
	end := suffix
	if b.Encrypted {
		end = encryptedSuffix
	}
	return fmt.Sprintf("familiar-%s-v%d-%s%s", b.Made.UTC().Format(timeLayout), b.Schema, b.Reason, end)
}

// parseName reads what the name of a file says of a backup. ok is false if the file is none.
func parseName(name string) (b Backup, ok bool) {
	var at, version string
	if m := namePattern.FindStringSubmatch(name); m != nil {
		at, version, b.Reason, b.Encrypted = m[1], m[2], Reason(m[3]), m[4] != ""
	} else if m := copyPattern.FindStringSubmatch(name); m != nil {
		version, at, b.Reason = m[1], m[2], Upgrade
	} else {
		return b, false
	}
	made, err := time.Parse(timeLayout, at)
	if err != nil {
		return b, false
	}
	b.Made = made
	b.Schema, err = strconv.Atoi(version)
	return b, err == nil
}

// IsCopy reports that the file is a plain copy of a database.
func (b Backup) IsCopy() bool { return copyPattern.MatchString(filepath.Base(b.Path)) }

// dir returns the directory of the home's archives. Within withWork the home has an id.
func (s *Set) dir() string {
	if !s.sharesDir() {
		return s.Home.Backups()
	}
	id, _ := s.readID() // withWork and List report the error
	return filepath.Join(s.Dir, id)
}

// sharesDir reports whether other homes may keep their archives in the same directory.
func (s *Set) sharesDir() bool { return s.Dir != "" && filepath.Clean(s.Dir) != s.Home.Backups() }

// List returns the backups, the newest first, with the copies that earlier versions made next to the database.
func (s *Set) List() (all []Backup, _ error) {
	id, err := s.readID()
	if err != nil {
		return nil, err
	}
	dirs := []string{string(s.Home)}
	if id != "" || !s.sharesDir() { // a home without an id has made none, and those of others are not its own
		dirs = append(dirs, s.dir())
	}
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("list the backups in %s: %w", dir, err)
		}
		for _, e := range entries {
			b, ok := parseName(e.Name())
			if info, err := e.Info(); ok && err == nil && info.Mode().IsRegular() {
				b.Path, b.Size = filepath.Join(dir, e.Name()), info.Size()
				all = append(all, b)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Backup) int { return b.Made.Compare(a.Made) })
	return slices.CompactFunc(all, func(a, b Backup) bool { return a.Path == b.Path }), nil
}

// ErrNone reports that there is no backup.
var ErrNone = errors.New("there is no backup")

// Find returns the backup that name names: "" for the newest, a file name in the set, or the path of a file.
func (s *Set) Find(name string) (Backup, error) {
	all, err := s.List()
	if err != nil {
		return Backup{}, err
	}
	if name == "" {
		if len(all) == 0 {
			return Backup{}, fmt.Errorf("%w in %s: `familiar backup create` makes one", ErrNone, s.dir())
		}
		return all[0], nil
	}
	for _, b := range all {
		if filepath.Base(b.Path) == name {
			return b, nil
		}
	}
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return Backup{}, fmt.Errorf("%w named %s: `familiar backup list` shows those there are", ErrNone, name)
	}
	if err != nil {
		return Backup{}, fmt.Errorf("look for the backup: %w", err)
	}
	b, _ := parseName(filepath.Base(name))
	b.Path, b.Size, b.Encrypted = name, info.Size(), strings.HasSuffix(name, ".age")
	return b, nil
}

// open opens a backup for do.
func (s *Set) open(b Backup, do func(a *archiveReader) error) (err error) {
	f, err := plainfile.Open(b.Path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var r io.Reader = f
	if b.Encrypted {
		if r, err = s.Keys.decrypt(f); err != nil {
			return err
		}
	}
	a, err := openArchive(r, info.Size())
	if err != nil {
		return err
	}
	defer a.close()
	return do(a)
}

// Manifest reads the manifest of a backup, and nothing else of it.
func (s *Set) Manifest(b Backup) (m Manifest, err error) {
	err = s.open(b, func(a *archiveReader) error {
		m = a.Manifest
		return nil
	})
	return m, about(b, "read", err)
}

// about names what was done with which backup.
func about(b Backup, act string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s the backup %s: %w", act, b.Path, explain(filepath.Dir(b.Path), err))
}

// explain adds to an error of a full disk what to do.
func explain(dir string, err error) error {
	var e sqlite3.Error
	if errors.Is(err, syscall.ENOSPC) || errors.As(err, &e) && (e.Code == sqlite3.ErrFull || e.SystemErrno == syscall.ENOSPC) {
		return fmt.Errorf("the disk of %s is full, and nothing is left of the attempt: free some space and try again: %w", dir, err)
	}
	return err
}

// The names of temporary directories. Those that a killed process left are removed by the next that works on the set.
const workPrefix = ".work-"

// withWork calls do with an empty directory in the home, while no other process works on the set.
func (s *Set) withWork(ctx context.Context, do func(work string) error) (failed error) {
	base := s.Home.Backups()
	unlock, err := lockDir(ctx, base)
	if err != nil {
		return err
	}
	defer func() { failed = errors.Join(failed, unlock()) }()
	if _, err := s.homeID(); err != nil {
		return err
	}
	if dir := s.dir(); dir != base {
		unlock, err := lockDir(ctx, dir) // a copy of the home has the same id
		if err != nil {
			return err
		}
		defer func() { failed = errors.Join(failed, unlock()) }()
		if err := removeLeft(dir); err != nil {
			return err
		}
	}
	if err := removeLeft(base); err != nil {
		return err
	}
	work, err := os.MkdirTemp(base, workPrefix+"*") // created with mode 0700
	if err != nil {
		return explain(base, err)
	}
	defer func() { failed = errors.Join(failed, removeGently(work)) }()
	return do(work)
}

// lockDir creates a directory for backups and waits until no other process works in it.
func lockDir(ctx context.Context, dir string) (unlock func() error, _ error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the directory for backups: %w", err)
	}
	lock := flock.New(filepath.Join(dir, ".lock"), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockWait); err != nil {
		return nil, fmt.Errorf("wait for another process that works on the backups in %s: %w", dir, err)
	}
	return lock.Unlock, nil
}

// lockWait is how often to look whether another process is done.
const lockWait = 50 * time.Millisecond

// removeLeft removes what a killed process left in dir.
func removeLeft(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		_, unfinished := parseName(strings.TrimSuffix(e.Name(), partSuffix))
		if strings.HasPrefix(e.Name(), workPrefix) || unfinished && strings.HasSuffix(e.Name(), partSuffix) {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return fmt.Errorf("remove what a killed process left: %w", err)
			}
		}
	}
	return nil
}
