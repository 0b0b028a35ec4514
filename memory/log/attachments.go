package log

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"familiar/channels"
	"familiar/memory/internal/db"
)

// Channels keep attachments below Options.AttachmentsDir, and message_files maps them to messages. A file without a
// message is removed after the commit that released it. Prune finds files that a crash left behind.

// fetchGrace is the minimum age of a file that may be removed as orphaned, because a channel fetches it before handing
// over the message.
const fetchGrace = time.Hour

// AttachmentFiles returns those files of m that the store may remove, relative to its attachments directory with
// slashes, as message_files names them. It returns none if the store has no such directory.
func AttachmentFiles(tx *db.Tx, m channels.Message) (files []string) {
	for _, a := range m.Attachments {
		if tx.AttachmentsDir == "" || a.Path == "" {
			continue
		}
		path, err := filepath.Abs(a.Path)
		if err != nil {
			continue
		}
		if file, err := filepath.Rel(tx.AttachmentsDir, path); err == nil && filepath.IsLocal(file) {
			files = append(files, filepath.ToSlash(file))
		}
	}
	return files
}

// LinkFiles records that the attachments of m belong to a stored message.
func LinkFiles(tx *db.Tx, message int64, m channels.Message) error {
	for _, file := range AttachmentFiles(tx, m) {
		if _, err := tx.Exec(`INSERT INTO message_files (message_id, file) VALUES (?, ?) ON CONFLICT DO NOTHING`, message, file); err != nil {
			return err
		}
	}
	return nil
}

// UnlinkFiles releases the attachments of messages.
func UnlinkFiles(tx *db.Tx, messages []int64) error {
	in, args := db.Placeholders(messages)
	files, err := db.Collect[string](tx.Query(`SELECT DISTINCT file FROM message_files WHERE message_id IN `+in, args...))(db.ScanText)
	if err != nil || len(files) == 0 {
		return err
	}
	tx.OrphanedFiles = append(tx.OrphanedFiles, files...)
	_, err = tx.Exec(`DELETE FROM message_files WHERE message_id IN `+in, args...)
	return err
}

// RemoveOrphanedFiles removes attachments that are orphaned as of now and returns their number.
func (s *Store) RemoveOrphanedFiles(ctx context.Context, now time.Time) (swept int, err error) {
	old, err := s.filesOlderThan(now.Add(-fetchGrace))
	if err != nil || len(old) == 0 {
		return 0, err
	}
	err = s.db.Write(ctx, "find orphaned attachments", func(tx *db.Tx) error {
		var loose []string
		for _, file := range old {
			owned, err := tx.FileInUse(file)
			if err != nil {
				return err
			}
			if !owned {
				loose = append(loose, file)
			}
		}
		tx.OrphanedFiles = append(tx.OrphanedFiles, loose...)
		swept = len(loose)
		return nil
	})
	return swept, err
}

// filesOlderThan returns the files in the attachments directory that were last written before a time.
func (s *Store) filesOlderThan(moment time.Time) (files []string, err error) {
	dir := s.db.AttachmentsDir
	if dir == "" {
		return nil, nil
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return db.IgnoreNotExist(err)
		}
		info, err := d.Info()
		if err == nil && info.ModTime().Before(moment) {
			files = append(files, filepath.ToSlash(strings.TrimPrefix(path, dir+string(filepath.Separator))))
		}
		return db.IgnoreNotExist(err)
	})
	return files, err
}
