package db

import (
	"os"
	"path/filepath"
)

// removeLoose removes the files that what was just committed has let go of.
func (s *DB) removeLoose() {
	for _, file := range s.writer.Loose {
		if owned, err := s.writer.Owned(file); err == nil && !owned {
			_ = os.Remove(s.attachment(file)) // what cannot be removed now, Prune tries again
		}
	}
}

// attachment is where a file stands.
func (s *DB) attachment(file string) string {
	return filepath.Join(s.Files, filepath.FromSlash(file))
}

// owned says that a message, or one that waits or was given up, came with the file.
func (c *Tx) Owned(file string) (yes bool, err error) {
	_, name := filepath.Split(filepath.FromSlash(file))
	err = c.QueryRow(`SELECT EXISTS (SELECT 1 FROM message_files WHERE file = ?1)
		OR EXISTS (SELECT 1 FROM inbox WHERE status = 'pending' AND instr(payload, ?2) > 0)
		OR EXISTS (SELECT 1 FROM inbox WHERE status = 'dead' AND instr(payload, ?2) > 0)`, file, name).Scan(&yes)
	return yes, err
}

// ignoreGone is err, nil where it says that a file is no longer there.
func IgnoreGone(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}
