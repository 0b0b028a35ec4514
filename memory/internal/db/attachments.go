package db

import (
	"os"
	"path/filepath"
)

// removeOrphanedFiles removes the attachments that the last commit released.
func (s *DB) removeOrphanedFiles() {
	for _, file := range s.writer.OrphanedFiles {
		if owned, err := s.writer.FileInUse(file); err == nil && !owned {
			_ = os.Remove(s.attachmentPath(file)) // Prune retries what cannot be removed now
		}
	}
}

// attachmentPath returns the path of an attachment.
func (s *DB) attachmentPath(file string) string {
	return filepath.Join(s.AttachmentsDir, filepath.FromSlash(file))
}

// FileInUse reports whether an attachment belongs to a stored, pending or dead message.
func (c *Tx) FileInUse(file string) (yes bool, err error) {
	_, name := filepath.Split(filepath.FromSlash(file))
	err = c.QueryRow(`SELECT EXISTS (SELECT 1 FROM message_files WHERE file = ?1)
		OR EXISTS (SELECT 1 FROM inbox WHERE status = 'pending' AND instr(payload, ?2) > 0)
		OR EXISTS (SELECT 1 FROM inbox WHERE status = 'dead' AND instr(payload, ?2) > 0)`, file, name).Scan(&yes)
	return yes, err
}

// IgnoreNotExist returns err, or nil if err says that a file does not exist.
func IgnoreNotExist(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}
