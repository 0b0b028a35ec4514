package db

import (
	"os"
	"path/filepath"
)

// removeOrphanedFiles removes the files that what was just committed has let go of.
func (s *DB) removeOrphanedFiles() {
	for _, file := range s.writer.OrphanedFiles {
		if owned, err := s.writer.FileInUse(file); err == nil && !owned {
			_ = os.Remove(s.attachmentPath(file)) // what cannot be removed now, Prune tries again
		}
	}
}

// attachmentPath is where a file stands.
func (s *DB) attachmentPath(file string) string {
	return filepath.Join(s.AttachmentsDir, filepath.FromSlash(file))
}

// owned says that a message, or one that waits or was given up, came with the file.
func (c *Tx) FileInUse(file string) (yes bool, err error) {
	_, name := filepath.Split(filepath.FromSlash(file))
	err = c.QueryRow(`SELECT EXISTS (SELECT 1 FROM message_files WHERE file = ?1)
		OR EXISTS (SELECT 1 FROM inbox WHERE status = 'pending' AND instr(payload, ?2) > 0)
		OR EXISTS (SELECT 1 FROM inbox WHERE status = 'dead' AND instr(payload, ?2) > 0)`, file, name).Scan(&yes)
	return yes, err
}

// ignoreGone is err, nil where it says that a file is no longer there.
func IgnoreNotExist(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}
