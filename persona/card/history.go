package card

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"familiar/internal/plainfile"
	"familiar/persona/lore"
)

// Change says what brought a version of a persona's file.
type Change string

// The changes.
const (
	Found    Change = "found"   // it was there
	Edited   Change = "edit"    // persona edit
	Set      Change = "set"     // persona set
	Imported Change = "import"  // persona import
	Reloaded Change = "reload"  // a change of the file that a serving process noticed
	Reverted Change = "revert"  // persona revert
	Restored Change = "restore" // checkpoint restore
	Paged    Change = "page"    // a page of the dashboard
)

// Version is a version of a persona's file that was kept.
type Version struct {
	// Number counts the versions of a persona from 1.
	Number int
	// At is when it was kept, to the second.
	At     time.Time
	Change Change

	archive archive
	file    string
	size    int64
}

// archive is where the versions of one file are kept.
type archive struct {
	// of names the file in errors.
	of       string
	dir, ext string
	// most is how many versions are kept, the newest ones, and mostBytes how much they may hold together.
	most      int
	mostBytes int64
	// longest is the maximum size of the file in bytes.
	longest int64
}

// versionTime is the format of times in the names of versions.
const versionTime = "20060102T150405Z"

// historyDir is where the versions of a persona are kept, below the directory of the personas.
func historyDir(dir, key string) string { return filepath.Join(dir, "history", key) }

func cardArchive(dir, key string) archive {
	return archive{"the persona " + key, historyDir(dir, key), cardExt, 50, 50 * maxCard, maxCard}
}

func loreArchive(dir, key string) archive {
	return archive{"the lorebook of " + key, filepath.Join(historyDir(dir, key), "lore"), ".json", 50, 64 << 20, lore.MaxFile}
}

// Keep adds the text of a persona's file to its history, unless the newest version there is the same. dir is the directory of
// the personas.
func Keep(dir, key string, text []byte, from Change, at time.Time) error {
	return cardArchive(dir, key).keep(text, from, at)
}

// KeepLore is Keep for the text of a persona's lorebook.
func KeepLore(dir, key string, text []byte, from Change, at time.Time) error {
	return loreArchive(dir, key).keep(text, from, at)
}

func (a archive) keep(text []byte, from Change, at time.Time) error {
	all, err := a.versions()
	if err != nil {
		return err
	}
	number := 1
	if len(all) > 0 {
		last := all[len(all)-1]
		before, err := last.Text()
		if err != nil || bytes.Equal(before, text) {
			return err
		}
		number = last.Number + 1
	}
	name := fmt.Sprintf("%06d-%s-%s%s", number, at.UTC().Format(versionTime), from, a.ext)
	if err := os.MkdirAll(a.dir, 0o700); err != nil {
		return fmt.Errorf("keep a version of %s: %w", a.of, err)
	}
	if err := plainfile.Write(filepath.Join(a.dir, name), text); err != nil {
		return fmt.Errorf("keep a version of %s: %w", a.of, err)
	}
	return a.drop(all, int64(len(text)))
}

// drop removes the oldest of all versions before one of size bytes, so that what is kept stays within its bounds.
func (a archive) drop(all []Version, size int64) error {
	room := a.mostBytes - size
	for i, v := range slices.Backward(all) {
		if room -= v.size; room >= 0 && len(all)-i < a.most {
			continue
		}
		if err := os.Remove(v.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("drop the oldest version of %s: %w", a.of, err)
		}
	}
	return nil
}

// Versions returns the kept versions of a persona, oldest first.
func Versions(dir, key string) ([]Version, error) {
	if !ValidKey(key) {
		return nil, noCard(dir, key)
	}
	return cardArchive(dir, key).versions()
}

// LoreVersions returns the kept versions of a persona's lorebook, oldest first. One without text is of a time when it had none.
func LoreVersions(dir, key string) ([]Version, error) {
	if !ValidKey(key) {
		return nil, noCard(dir, key)
	}
	return loreArchive(dir, key).versions()
}

func (a archive) versions() (all []Version, _ error) {
	files, err := os.ReadDir(a.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the versions of %s: %w", a.of, err)
	}
	for _, f := range files {
		v, ok := parseVersion(f.Name(), a.ext)
		info, err := f.Info()
		if !ok || err != nil { // one that is gone by now
			continue
		}
		v.file, v.size, v.archive = filepath.Join(a.dir, f.Name()), info.Size(), a
		all = append(all, v)
	}
	slices.SortStableFunc(all, func(a, b Version) int { return a.Number - b.Number })
	return all, nil
}

// parseVersion reads the name of a version's file.
func parseVersion(name, ext string) (v Version, ok bool) {
	name, ok = strings.CutSuffix(name, ext)
	parts := strings.Split(name, "-")
	if !ok || len(parts) != 3 {
		return v, false
	}
	number, err := strconv.Atoi(parts[0])
	at, timeErr := time.Parse(versionTime, parts[1])
	return Version{Number: number, At: at, Change: Change(parts[2])}, err == nil && timeErr == nil && number > 0
}

// FindVersion returns the version with that number.
func FindVersion(dir, key string, number int) (Version, error) {
	all, err := Versions(dir, key)
	for _, v := range all {
		if v.Number == number {
			return v, err
		}
	}
	if err == nil {
		err = fmt.Errorf("%w: no version %d of %s is kept; `familiar persona history %s` lists them", ErrNoCard, number, key, key)
	}
	return Version{}, err
}

// Text returns the version's text.
func (v Version) Text() ([]byte, error) {
	text, err := plainfile.Read(v.file, v.archive.longest)
	if err != nil {
		return nil, fmt.Errorf("read version %d of %s: %w", v.Number, v.archive.of, err)
	}
	return text, nil
}
