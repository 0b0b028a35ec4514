package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// LooseFile is a file or directory of a home that others on the machine can read or change.
type LooseFile struct {
	Path string
	// Mode is what others and the owner may do with it, Wanted what they should.
	Mode, Wanted os.FileMode
}

// Restrict takes from others what they may do with the file.
func (l LooseFile) Restrict() error {
	if err := os.Chmod(l.Path, l.Wanted); err != nil {
		return fmt.Errorf("restrict %s to its owner: %w", l.Path, err)
	}
	return nil
}

// ownFiles are the names of what familiar keeps in a home. What a channel keeps there has the channel's name. Anything else
// in the directory is not familiar's.
var ownFiles = []string{"familiar", "history", "personas", "attachments", "backups", "dry-run", "lore"}

// LooseFiles returns what others can read or change of a home: of the directory itself and of everything that familiar and
// the named channels keep in it. Links are not followed. Directories come before what they contain.
func (h Home) LooseFiles(channels ...string) (loose []LooseFile, _ error) {
	note := func(path string, info fs.FileInfo) {
		if l, ok := looseFile(path, info.Mode()); ok {
			loose = append(loose, l)
		}
	}
	info, err := os.Stat(string(h))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look at the home directory: %w", err)
	}
	note(string(h), info)
	entries, err := os.ReadDir(string(h))
	if err != nil {
		return nil, fmt.Errorf("list the home directory: %w", err)
	}
	for _, e := range entries {
		if own, _, _ := strings.Cut(e.Name(), "."); !slices.Contains(ownFiles, own) && !slices.Contains(channels, own) {
			continue
		}
		err := filepath.WalkDir(filepath.Join(string(h), e.Name()), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return ignoreMissing(err)
			}
			info, err := d.Info()
			if err == nil {
				note(path, info)
			}
			return ignoreMissing(err)
		})
		if err != nil {
			return nil, fmt.Errorf("look at the files of the home: %w", err)
		}
	}
	return loose, nil
}

// looseFile returns what is loose about a file or directory. Links and other special files have no mode of their own.
func looseFile(path string, mode fs.FileMode) (LooseFile, bool) {
	allowed := fileMode
	if mode.IsDir() {
		allowed = dirMode
	}
	if !mode.IsDir() && !mode.IsRegular() || mode.Perm()&^allowed == 0 {
		return LooseFile{}, false
	}
	return LooseFile{Path: path, Mode: mode.Perm(), Wanted: mode.Perm() & allowed}, true
}

// ignoreMissing ignores that a file was removed while it was looked at.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// LooseSecret returns what is loose about the file of a secret. ok is false if it is not in a file, or the file is private.
func LooseSecret(s Secret) (l LooseFile, ok bool) {
	path := s.File()
	if path == "" {
		return LooseFile{}, false
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return LooseFile{}, false // resolving it says what is wrong
	}
	return looseFile(path, info.Mode())
}
