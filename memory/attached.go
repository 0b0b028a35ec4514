package memory

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"familiar/channels"
)

// The files that channels keep of what came with messages stand below Options.Files. message_files says whose each is; one
// that nobody's is any more goes as soon as that is committed, and what a crash leaves behind, Prune finds.

// fetching is how old a file must be to be nobody's: a channel fetches it before it hands the message over.
const fetching = time.Hour

// attached are the files of m that are the store's to remove, as message_files names them: those below its directory, and
// so none where it has no directory.
func (c *conn) attached(m channels.Message) (files []string) {
	for _, a := range m.Attachments {
		if c.files == "" || a.Path == "" {
			continue
		}
		path, err := filepath.Abs(a.Path)
		if err != nil {
			continue
		}
		if file, err := filepath.Rel(c.files, path); err == nil && filepath.IsLocal(file) {
			files = append(files, filepath.ToSlash(file))
		}
	}
	return files
}

// keepFiles notes that the files of m belong to a message.
func (c *conn) keepFiles(message int64, m channels.Message) error {
	for _, file := range c.attached(m) {
		if _, err := c.exec(`INSERT INTO message_files (message_id, file) VALUES (?, ?) ON CONFLICT DO NOTHING`, message, file); err != nil {
			return err
		}
	}
	return nil
}

// dropFiles lets go of the files of messages.
func (c *conn) dropFiles(messages []int64) error {
	in, args := list(messages)
	files, err := collect[string](c.rows(`SELECT DISTINCT file FROM message_files WHERE message_id IN `+in, args...))(scanText)
	if err != nil || len(files) == 0 {
		return err
	}
	c.loose = append(c.loose, files...)
	_, err = c.exec(`DELETE FROM message_files WHERE message_id IN `+in, args...)
	return err
}

// removeLoose removes the files that what was just committed has let go of.
func (s *Store) removeLoose() {
	for _, file := range s.writer.loose {
		if owned, err := s.writer.owned(file); err == nil && !owned {
			_ = os.Remove(s.attachment(file)) // what cannot be removed now, Prune tries again
		}
	}
}

// attachment is where a file stands.
func (s *Store) attachment(file string) string {
	return filepath.Join(s.files, filepath.FromSlash(file))
}

// owned says that a message, or one that waits or was given up, came with the file.
func (c *conn) owned(file string) (yes bool, err error) {
	_, name := filepath.Split(filepath.FromSlash(file))
	err = c.row(`SELECT EXISTS (SELECT 1 FROM message_files WHERE file = ?1)
		OR EXISTS (SELECT 1 FROM inbox WHERE status = 'pending' AND instr(payload, ?2) > 0)
		OR EXISTS (SELECT 1 FROM inbox WHERE status = 'dead' AND instr(payload, ?2) > 0)`, file, name).Scan(&yes)
	return yes, err
}

// sweep removes the files that are nobody's as of now, and returns how many.
func (s *Store) sweep(ctx context.Context, now time.Time) (swept int, err error) {
	old, err := s.filesBefore(now.Add(-fetching))
	if err != nil || len(old) == 0 {
		return 0, err
	}
	err = s.write(ctx, "look for files that are nobody's", func(tx *conn) error {
		var loose []string
		for _, file := range old {
			owned, err := tx.owned(file)
			if err != nil {
				return err
			}
			if !owned {
				loose = append(loose, file)
			}
		}
		tx.loose = append(tx.loose, loose...)
		swept = len(loose)
		return nil
	})
	return swept, err
}

// filesBefore are the files below the store's directory that were last written before a moment.
func (s *Store) filesBefore(moment time.Time) (files []string, err error) {
	dir := s.files
	if dir == "" {
		return nil, nil
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return ignoreGone(err)
		}
		info, err := d.Info()
		if err == nil && info.ModTime().Before(moment) {
			files = append(files, filepath.ToSlash(strings.TrimPrefix(path, dir+string(filepath.Separator))))
		}
		return ignoreGone(err)
	})
	return files, err
}

// ignoreGone is err, nil where it says that a file is no longer there.
func ignoreGone(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}
