package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Home is the one directory that holds everything of an installation.
type Home string

const (
	dirMode  os.FileMode = 0o700
	fileMode os.FileMode = 0o600
)

// File is the configuration.
func (h Home) File() string { return filepath.Join(string(h), "familiar.yaml") }

// Personas is the directory of the operator's personas, one YAML file each.
func (h Home) Personas() string { return filepath.Join(string(h), "personas") }

// Database is the SQLite file with everything remembered.
func (h Home) Database() string { return filepath.Join(string(h), "familiar.db") }

// History is what was typed at the console.
func (h Home) History() string { return filepath.Join(string(h), "history") }

// Log is where a verb logs whose terminal belongs to somebody who is talking.
func (h Home) Log() string { return filepath.Join(string(h), "familiar.log") }

// Attachments is the directory of the files that came over a channel.
func (h Home) Attachments(channel string) string {
	return filepath.Join(string(h), "attachments", channel)
}

// Lock is held by the process that serves.
func (h Home) Lock() string { return filepath.Join(string(h), "familiar.lock") }

// DryRun is the directory of a copy of the database, while a job is tried out on it.
func (h Home) DryRun() string { return filepath.Join(string(h), "dry-run") }

// Create makes the home and its personas directory, readable by their owner alone, and makes sure that files can be
// made there.
func (h Home) Create() error {
	if err := os.MkdirAll(h.Personas(), dirMode); err != nil {
		return fmt.Errorf("create the home directory: %w: choose another with --home DIR", err)
	}
	probe, err := os.CreateTemp(string(h), ".writable-*")
	if err != nil {
		return fmt.Errorf("write in the home directory %s: %w: change its permissions or choose another with --home DIR",
			string(h), err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// WriteNew writes a file that must not exist yet, readable by its owner alone. It fails with fs.ErrExist when there
// is one, and leaves nothing behind when it fails.
func WriteNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return fmt.Errorf("write a new file: %w", err)
	}
	return fill(f, data)
}

// Write writes a file readable by its owner alone, whole or not at all, replacing the one there.
func Write(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // made with fileMode
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := fill(f, data); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("write %s: %w", path, errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}

// fill writes data to f durably and closes it; on failure f is removed.
func fill(f *os.File, data []byte) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", f.Name(), errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}
