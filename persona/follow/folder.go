package follow

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Folder is a directory whose session files are read when they change.
type Folder struct {
	Reader *Reader
	Source Source
	// Dir is the directory, with everything below it. Pattern is what names must match; with a slash in it, the paths below Dir.
	Dir, Pattern string
	// Report is told of each file that was read or could not be.
	Report func(path string, r Result, err error)

	seed maphash.Seed
	// known are the files as they were last seen, by the hash of their path: a folder may have a million.
	known map[uint64]stamp
	// found are those of the scan under way.
	found map[uint64]stamp
}

// stamp is what shows that a file changed.
type stamp struct {
	size, modified int64
	// again is when the file is to be read even if it did not change, 0 for never.
	again int64
}

// retry is how long a file that could not be read is left alone, unless it changes.
const retry = time.Minute

// Scan reads every file that changed since the scan before. It fails if the directory cannot be read or the store fails; files and
// folders below that cannot be read are reported.
func (f *Folder) Scan(ctx context.Context) error {
	if f.known == nil {
		f.seed, f.known = maphash.MakeSeed(), map[uint64]stamp{}
	}
	if info, err := os.Stat(f.Dir); err != nil {
		return &FileError{fmt.Errorf("read the followed directory: %w", err)}
	} else if !info.IsDir() {
		return &FileError{fmt.Errorf("%s is not a directory any more", f.Dir)}
	}
	f.found = make(map[uint64]stamp, len(f.known))
	err := filepath.WalkDir(f.Dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
			return nil // it went while the directory was read
		case err != nil:
			return f.unreadable(name, err)
		case !d.Type().IsRegular() || !f.matches(name): // a link may lead anywhere
			return nil
		}
		return f.visit(ctx, name, d)
	})
	if err == nil {
		f.known = f.found
	}
	f.found = nil
	return errors.Join(err, f.Reader.flush(ctx))
}

// unreadable reports a folder that cannot be read, once.
func (f *Folder) unreadable(name string, err error) error {
	key := f.key(name)
	if f.found[key] = (stamp{}); f.known[key] == f.found[key] {
		if _, told := f.known[key]; told {
			return fs.SkipDir
		}
	}
	f.Report(name, Result{}, &FileError{err})
	return fs.SkipDir
}

// matches reports whether a file is one to be read.
func (f *Folder) matches(name string) bool {
	below := filepath.Base(name)
	if strings.Contains(f.Pattern, "/") {
		rel, err := filepath.Rel(f.Dir, name)
		if err != nil {
			return false
		}
		below = filepath.ToSlash(rel)
	}
	ok, err := path.Match(f.Pattern, below)
	return ok && err == nil
}

func (f *Folder) key(name string) uint64 { return maphash.String(f.seed, name) }

// visit reads a file if it changed.
func (f *Folder) visit(ctx context.Context, name string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil {
		return nil //nolint:nilerr // it went while the directory was read
	}
	key, now := f.key(name), f.Reader.Now()
	is := stamp{size: info.Size(), modified: info.ModTime().UnixNano()}
	before, known := f.known[key]
	if known && before.size == is.size && before.modified == is.modified && (before.again == 0 || now.UnixNano() < before.again) {
		f.found[key] = before
		return nil
	}
	done, err := f.Reader.locked(ctx, f.Source, name, now.Sub(info.ModTime()) >= settled)
	var problem *FileError
	switch {
	case err != nil && !errors.As(err, &problem):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		is.again = now.Add(retry).UnixNano()
	case done.Pending && now.Sub(info.ModTime()) < settled:
		is.again = info.ModTime().Add(settled).UnixNano()
	}
	f.found[key] = is
	f.known[key] = is // also if the scan does not come to its end
	f.Report(name, done, err)
	return nil
}
