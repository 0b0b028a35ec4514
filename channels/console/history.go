package console

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxHistory is how many entries a history keeps, as shells do.
const maxHistory = 1000

// maxEntry is the longest entry in bytes worth a place in the file: what is longer was pasted.
const maxEntry = 8 << 10

// history is what was entered before, oldest first, kept in a file that only its owner can read.
type history struct {
	path    string
	redact  func(entry string) string
	entries []string
}

// openHistory reads the history kept at path, empty when there is no file yet. With path "" it lives in memory only.
// Entries are kept as redact leaves them, those in the file, too: what an earlier sitting kept raw is taken out. With an
// error it can still be used.
func openHistory(path string, redact func(string) string) (*history, error) {
	h := &history{path: path, redact: redact}
	if redact == nil {
		h.redact = func(entry string) string { return entry }
	}
	if path == "" {
		return h, nil
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return h, fmt.Errorf("read history: %w", err)
	}
	defer func() { _ = file.Close() }() // only read
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 2*maxEntry+1)
	raw := false
	for lines.Scan() {
		entry := harmless(unescape.Replace(lines.Text()))
		kept := h.redact(entry)
		raw = raw || kept != entry
		h.entries = append(h.entries, kept)
	}
	if err := lines.Err(); err != nil {
		return h, fmt.Errorf("read history %s (remove the file to start anew): %w", path, err)
	}
	h.entries = newest(h.entries)
	if raw {
		if err := h.rewrite(); err != nil {
			return h, fmt.Errorf("take secrets out of the history %s (remove the file to start anew): %w", path, err)
		}
	}
	return h, nil
}

// An entry is one line of the file.
var (
	escape   = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n")
)

func newest(entries []string) []string { return entries[max(0, len(entries)-maxHistory):] }

// add keeps an entry, unless it is blank or the same as the last one. The entry is offered in this process even
// when an error says that it could not be written.
func (h *history) add(entry string) error {
	entry = h.redact(entry)
	if last, ok := h.back(1); strings.TrimSpace(entry) == "" || ok && last == entry {
		return nil
	}
	full := len(h.entries) == maxHistory
	h.entries = newest(append(h.entries, entry))
	if h.path == "" || len(entry) > maxEntry {
		return nil
	}
	write := h.append
	if full {
		write = h.rewrite
	}
	if err := write(); err != nil {
		return fmt.Errorf("write history: %w", err)
	}
	return nil
}

// back is the entry n before the present, 1 for the last one.
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

// rewrite replaces the file as a whole, so that a crash leaves the old one or the new one.
func (h *history) rewrite() error {
	file, err := os.CreateTemp(filepath.Dir(h.path), filepath.Base(h.path)+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }() // gone already once it was renamed
	var all strings.Builder
	for _, entry := range h.entries {
		if len(entry) <= maxEntry {
			all.WriteString(escape.Replace(entry) + "\n")
		}
	}
	_, err = file.WriteString(all.String())
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), h.path)
}
