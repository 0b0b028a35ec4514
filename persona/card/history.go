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
)

// Change says what brought a version of a persona's file.
type Change string

// The changes.
const (
	Found    Change = "found"  // it was there
	Edited   Change = "edit"   // persona edit
	Set      Change = "set"    // persona set
	Imported Change = "import" // persona import
	Reloaded Change = "reload" // a change of the file that a serving process noticed
	Reverted Change = "revert" // persona revert
)

// Version is a version of a persona's file that was kept.
type Version struct {
	// Number counts the versions of a persona from 1.
	Number int
	// At is when it was kept, to the second.
	At     time.Time
	Change Change

	file string
}

// maxVersions is how many versions of a persona are kept, the newest ones.
const maxVersions = 50

// versionTime is the format of times in the names of versions.
const versionTime = "20060102T150405Z"

// historyDir is where the versions of a persona are kept, below the directory of the personas.
func historyDir(dir, key string) string { return filepath.Join(dir, "history", key) }

// Keep adds the text of a persona's file to its history, unless the newest version there is the same. dir is the directory of
// the personas.
func Keep(dir, key string, text []byte, from Change, at time.Time) error {
	all, err := Versions(dir, key)
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
	name := fmt.Sprintf("%06d-%s-%s%s", number, at.UTC().Format(versionTime), from, cardExt)
	if err := writeVersion(historyDir(dir, key), name, text); err != nil {
		return fmt.Errorf("keep a version of the persona %s: %w", key, err)
	}
	for _, old := range all[:max(0, len(all)+1-maxVersions)] {
		if err := os.Remove(old.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("drop the oldest version of the persona %s: %w", key, err)
		}
	}
	return nil
}

// writeVersion writes a file that is whole or missing.
func writeVersion(dir, name string, text []byte) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// Versions returns the kept versions of a persona, oldest first.
func Versions(dir, key string) (all []Version, _ error) {
	if !ValidKey(key) {
		return nil, noCard(dir, key)
	}
	files, err := os.ReadDir(historyDir(dir, key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the versions of the persona %s: %w", key, err)
	}
	for _, f := range files {
		if v, ok := parseVersion(f.Name()); ok {
			v.file = filepath.Join(historyDir(dir, key), f.Name())
			all = append(all, v)
		}
	}
	slices.SortStableFunc(all, func(a, b Version) int { return a.Number - b.Number })
	return all, nil
}

// parseVersion reads the name of a version's file.
func parseVersion(name string) (v Version, ok bool) {
	name, ok = strings.CutSuffix(name, cardExt)
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
	text, err := plainfile.Read(v.file, maxCard)
	if err != nil {
		return nil, fmt.Errorf("read version %d of a persona: %w", v.Number, err)
	}
	return text, nil
}
