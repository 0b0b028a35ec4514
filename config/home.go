package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Home is the directory that holds everything of an installation.
type Home string

const (
	dirMode  os.FileMode = 0o700
	fileMode os.FileMode = 0o600
)

// File returns the path of the configuration.
func (h Home) File() string { return filepath.Join(string(h), "familiar.yaml") }

// Personas returns the directory of the operator's personas, one YAML file each.
func (h Home) Personas() string { return filepath.Join(string(h), "personas") }

// Database returns the path of the SQLite file.
func (h Home) Database() string { return filepath.Join(string(h), "familiar.db") }

// History returns the file with the input history of the console.
func (h Home) History() string { return filepath.Join(string(h), "history") }

// Log returns the log file of a verb that uses the terminal for a conversation.
func (h Home) Log() string { return filepath.Join(string(h), "familiar.log") }

// Attachments returns the directory of the files that were received over a channel.
func (h Home) Attachments(channel string) string {
	return filepath.Join(string(h), "attachments", channel)
}

// Lock returns the file that the serving process locks.
func (h Home) Lock() string { return filepath.Join(string(h), "familiar.lock") }

// SessionLock returns the lock file of the process that reads session files.
func (h Home) SessionLock() string { return filepath.Join(string(h), "familiar.sessions.lock") }

// Socket returns the socket through which the serving process is asked for its status.
func (h Home) Socket() string { return filepath.Join(string(h), "familiar.sock") }

// Backups returns the directory of the backups.
func (h Home) Backups() string { return filepath.Join(string(h), "backups") }

// Aside returns the directory to which a restore at that time moves what stood in the home.
func (h Home) Aside(at time.Time) string {
	return filepath.Join(string(h), at.UTC().Format(asideLayout))
}

// asideLayout formats the name of a directory for what a restore moves aside.
const asideLayout = "familiar.replaced-20060102T150405.000Z"

// ParseAside returns when what lies in a directory of that name was moved aside. ok is false if it is none of Home.Aside.
func ParseAside(name string) (at time.Time, ok bool) {
	at, err := time.Parse(asideLayout, name)
	return at, err == nil
}

// DryRun returns the directory for the copy of the database that a dry run works on.
func (h Home) DryRun() string { return filepath.Join(string(h), "dry-run") }

// Create creates the home and its personas directory, readable only by their owner, and checks that files can be
// created there.
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

// WriteNew writes a new file that only its owner can read. It fails with fs.ErrExist if the file exists, and leaves
// nothing behind if it fails.
func WriteNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return fmt.Errorf("write a new file: %w", err)
	}
	return fill(f, data)
}

// Write replaces a file atomically. Only its owner can read it.
func Write(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // created with fileMode
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

// fill writes data to f, syncs and closes it. If that fails, it removes f.
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
