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

// The files that channels keep of what came with messages stand below Options.Files. message_files says whose each is; one
// that nobody's is any more goes as soon as that is committed, and what a crash leaves behind, Prune finds.

// fetchGrace is how old a file must be to be nobody's: a channel fetches it before it hands the message over.
const fetchGrace = time.Hour

// attached are the files of m that are the store's to remove, as message_files names them: those below its directory, and
// so none where it has no directory.
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

// keepFiles notes that the files of m belong to a message.
func LinkFiles(tx *db.Tx, message int64, m channels.Message) error {
	for _, file := range AttachmentFiles(tx, m) {
		if _, err := tx.Exec(`INSERT INTO message_files (message_id, file) VALUES (?, ?) ON CONFLICT DO NOTHING`, message, file); err != nil {
			return err
		}
	}
	return nil
}

// dropFiles lets go of the files of messages.
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

// sweep removes the files that are nobody's as of now, and returns how many.
func (s *Store) RemoveOrphanedFiles(ctx context.Context, now time.Time) (swept int, err error) {
	old, err := s.filesOlderThan(now.Add(-fetchGrace))
	if err != nil || len(old) == 0 {
		return 0, err
	}
	err = s.db.Write(ctx, "look for files that are nobody's", func(tx *db.Tx) error {
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

// filesOlderThan are the files below the store's directory that were last written before a moment.
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
