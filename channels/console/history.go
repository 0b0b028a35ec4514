package console

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxHistory is the maximum number of entries, as in shells.
const maxHistory = 1000

// maxEntry is the longest entry in bytes that is stored: longer ones were pasted.
const maxEntry = 8 << 10

// history holds the entered lines, oldest first, in a file readable only by its owner. What is said to a command ("/forget my
// shift") is stored nowhere else, so nothing could tell when to forget it: it stays in this process and is never written.
type history struct {
	path    string
	redact  func(entry string) string
	entries []string
	// asks reports that an entry asks in plain words for what a command does, nil if none does.
	asks func(entry string) bool
	// remembered tells which entries are still stored as messages, nil if that is unknown.
	remembered func(entries []string) (kept map[string]bool, err error)
	// commanded reports that a command was entered since the history was opened.
	commanded bool
}

// openHistory reads the history at path, which may not exist yet. If path is "", the history stays in memory. Entries
// are redacted, including those already in the file, and words said to commands are removed, so that what an earlier version
// stored goes. The history is usable even if an error is returned.
func openHistory(path string, redact func(string) string, asks func(string) bool) (*history, error) {
	h := &history{path: path, redact: redact, asks: asks}
	if redact == nil {
		h.redact = func(entry string) string { return entry }
	}
	if path == "" {
		return h, nil
	}
	raw, err := readEntries(path)
	if err != nil {
		return h, fmt.Errorf("read history %s (remove the file to start over): %w", path, err)
	}
	for _, entry := range raw {
		if h.written(entry) {
			h.entries = append(h.entries, h.redact(entry))
		}
	}
	h.entries = newest(h.entries)
	if !slices.Equal(h.entries, newest(raw)) {
		if err := writeEntries(path, h.entries); err != nil {
			return h, fmt.Errorf("remove secrets from the history %s (remove the file to start over): %w", path, err)
		}
	}
	return h, nil
}

// readEntries returns the entries of the file at path, none if there is no file.
func readEntries(path string) (entries []string, err error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // only read
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 2*maxEntry+1)
	for lines.Scan() {
		entries = append(entries, sanitize(unescape.Replace(lines.Text())))
	}
	return entries, lines.Err()
}

// Escape sequences: an entry is one line of the file.
var (
	escape   = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n")
)

func newest(entries []string) []string { return entries[max(0, len(entries)-maxHistory):] }

// add appends an entry, unless it is blank or equals the last one. If writing fails, the entry is still available in
// this process.
func (h *history) add(entry string) error {
	entry = h.redact(entry)
	if last, ok := h.back(1); strings.TrimSpace(entry) == "" || ok && last == entry {
		return nil
	}
	h.commanded = h.commanded || h.commands(entry)
	full := len(h.entries) == maxHistory
	h.entries = newest(append(h.entries, entry))
	if h.path == "" || !h.written(entry) {
		return nil
	}
	write := h.append
	if full {
		write = func() error {
			return h.rewrite(func(entries []string) []string { return newest(append(entries, entry)) })
		}
	}
	if err := write(); err != nil {
		return fmt.Errorf("write history: %w", err)
	}
	return nil
}

// ForgetHistory removes from the history at path the lines that are no longer stored as messages, as Options.Remembered
// tells. With commands, it removes the commands too.
func ForgetHistory(path string, commands bool, remembered func(lines []string) (kept map[string]bool, err error)) error {
	h, err := openHistory(path, nil, nil)
	if err != nil {
		return err
	}
	h.remembered = remembered
	if commands && slices.ContainsFunc(h.entries, isCommand) {
		h.entries = slices.DeleteFunc(h.entries, isCommand)
		if err := writeEntries(path, h.entries); err != nil {
			return fmt.Errorf("remove the commands from the history %s (remove the file to start over): %w", path, err)
		}
	}
	return h.forget(len(h.entries))
}

// isCommand reports whether an entry is a command, which is stored nowhere else.
func isCommand(entry string) bool { return strings.HasPrefix(entry, "/") }

// commands reports whether an entry asks for a command, by its name or in plain words.
func (h *history) commands(entry string) bool {
	return isCommand(entry) || h.asks != nil && h.asks(entry)
}

// written reports whether an entry belongs in the file: of commands, only those without further words.
func (h *history) written(entry string) bool {
	if len(entry) > maxEntry {
		return false
	}
	return !h.commands(entry) || isCommand(entry) && len(strings.Fields(entry)) == 1
}

// forgetBeforeCommand removes forgotten entries after the answer to a command, which may have been to forget. Those after
// the last command may not be stored yet.
func (h *history) forgetBeforeCommand() error {
	if !h.commanded {
		return nil
	}
	end := len(h.entries)
	for end > 0 && !h.commands(h.entries[end-1]) {
		end--
	}
	return h.forget(end)
}

// forget removes those of the first n entries that are no longer stored as messages, also from the file.
func (h *history) forget(n int) error {
	said := slices.DeleteFunc(slices.Clone(h.entries[:n]), h.commands)
	if h.remembered == nil || len(said) == 0 {
		return nil
	}
	kept, err := h.remembered(said)
	if err != nil {
		return fmt.Errorf("find the forgotten lines of the history: %w", err)
	}
	forgotten := map[string]bool{}
	for _, entry := range said {
		forgotten[entry] = !kept[entry]
	}
	left := slices.DeleteFunc(slices.Clone(h.entries[:n]), func(entry string) bool { return forgotten[entry] })
	if len(left) == n {
		return nil
	}
	h.entries = append(left, h.entries[n:]...)
	if h.path == "" {
		return nil
	}
	err = h.rewrite(func(entries []string) []string {
		return slices.DeleteFunc(entries, func(entry string) bool { return forgotten[entry] })
	})
	if err != nil {
		return fmt.Errorf("remove forgotten lines from the history %s (remove the file to start over): %w", h.path, err)
	}
	return nil
}

// back returns the entry n steps back, 1 for the last one.
func (h *history) back(n int) (string, bool) {
	if n < 1 || n > len(h.entries) {
		return "", false
	}
	return h.entries[len(h.entries)-n], true
}

func (h *history) append() error {
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(h.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	last, _ := h.back(1)
	_, err = file.WriteString(escape.Replace(last) + "\n")
	return errors.Join(err, file.Chmod(0o600), file.Close())
}

// rewrite changes what the file holds now: another process may have removed lines that this one still offers, and they must not
// come back.
func (h *history) rewrite(change func(entries []string) []string) error {
	entries, err := readEntries(h.path)
	if err != nil {
		return err
	}
	return writeEntries(h.path, change(entries))
}

// writeEntries replaces the whole file atomically, so that a crash leaves the old or the new version.
func writeEntries(path string, entries []string) error {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }() // no longer exists after the rename
	var all strings.Builder
	for _, entry := range entries {
		all.WriteString(escape.Replace(entry) + "\n")
	}
	_, err = file.WriteString(all.String())
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
