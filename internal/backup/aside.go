package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"familiar/config"
	"familiar/internal/plainfile"
	"familiar/memory"
	"familiar/memory/erase"
)

// Aside is a database that a restore or a recovery moved aside.
type Aside struct {
	// Dir is the directory that holds it.
	Dir string
	// Moved is when, by the directory's name.
	Moved time.Time
}

// ListAside returns the databases that stand aside in a home, the oldest first.
func ListAside(home config.Home) (all []Aside, _ error) {
	entries, err := os.ReadDir(string(home))
	if err != nil {
		return nil, fmt.Errorf("look for what was moved aside: %w", err)
	}
	for _, e := range entries {
		at, ok := config.ParseAside(e.Name())
		if dir := filepath.Join(string(home), e.Name()); ok {
			if _, err := os.Lstat(filepath.Join(dir, databaseName)); err == nil {
				all = append(all, Aside{dir, at})
			}
		}
	}
	return all, nil
}

// EraseAside applies the erasures of people to the databases that stand aside in the home. It returns how many it changed, and
// those that still hold what was in them, since they are damaged or of an unknown home.
func (s *Set) EraseAside(ctx context.Context) (erased int, left []Aside, err error) {
	all, err := ListAside(s.Home)
	if err != nil || len(all) == 0 {
		return 0, nil, err
	}
	var failed []error
	err = s.withWork(ctx, func(string) error {
		for _, a := range all {
			did, err := s.eraseAside(ctx, a)
			switch {
			case errors.Is(err, memory.ErrCorrupt), errors.Is(err, errUnknownHome):
				left = append(left, a)
			case err != nil:
				failed = append(failed, fmt.Errorf("erase what people had erased from %s: %w", a.Dir, err))
			case did:
				erased++
			}
		}
		return nil
	})
	return erased, left, errors.Join(append(failed, err)...)
}

// errUnknownHome reports a database of which the home, and so the meaning of its ids, is not known.
var errUnknownHome = errors.New("the home of this database is not known")

func (s *Set) eraseAside(ctx context.Context, a Aside) (did bool, err error) {
	path := filepath.Join(a.Dir, databaseName)
	if sameFile(path, s.Home.Database()) {
		return false, nil // a restore was killed, and this is a second name of the home's database
	}
	id, err := plainfile.Read(filepath.Join(a.Dir, idName), 1<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return false, errUnknownHome
	}
	if err != nil {
		return false, err
	}
	if _, err := memory.Inspect(ctx, path); err != nil {
		return false, err
	}
	erased, _, err := s.erasuresFor(ctx, Backup{Path: path}, Manifest{Home: string(id)}) // the lists count where the home is damaged
	if err != nil {
		return false, err
	}
	known, err := s.erasedIn(ctx, path, time.Time{})
	if err != nil {
		return false, err
	}
	if !slices.ContainsFunc(erased, func(e erase.Erasure) bool { return e.Kind == erase.KindPerson && !knows(known, e) }) {
		return false, nil
	}
	_, err = s.bringUpToDate(ctx, a.Dir, erased)
	return err == nil, err
}

// knows reports whether an erasure is among known. Applied to another copy, it may name fewer ids.
func knows(known []erase.Erasure, e erase.Erasure) bool {
	return slices.ContainsFunc(known, func(k erase.Erasure) bool {
		return k.Kind == e.Kind && k.At.UnixMilli() == e.At.UnixMilli()
	})
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
