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

// LoreKey returns the file with the private key that signs lore. No backup holds it.
func (h Home) LoreKey() string { return filepath.Join(string(h), "lore.key") }

// Socket returns the socket through which the serving process is asked for its status.
func (h Home) Socket() string { return filepath.Join(string(h), "familiar.sock") }

// Backups returns the directory of the backups.
func (h Home) Backups() string { return filepath.Join(string(h), "backups") }

// Reports returns the directory of what familiar-lab measured, which the dashboard lists.
func (h Home) Reports() string { return filepath.Join(string(h), "reports") }

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

// Trials returns the directory of the talks with personas that are being edited. Nothing in it is kept.
func (h Home) Trials() string { return filepath.Join(string(h), "trials") }

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
