package transfer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"familiar/memory/internal/db"
)

// archiveFiles is the folder of an archive in which the files are that somebody sent.
const archiveFiles = "files"

// PersonFiles returns the files that a person sent and that are kept, for their archive, and how many were left out because all
// together would be larger than most bytes.
func (s *Store) PersonFiles(ctx context.Context, person, most int64) (files []File, leftOut int, err error) {
	var kept []string
	err = s.db.Read(ctx, fmt.Sprintf("list the files of person %d", person), func(tx *db.Tx) error {
		kept, err = db.Collect[string](tx.Query(`SELECT DISTINCT f.file FROM message_files f JOIN messages m ON m.id = f.message_id
			WHERE m.person_id = ? ORDER BY f.file`, person))(db.ScanText)
		return err
	})
	if err != nil || s.db.AttachmentsDir == "" {
		return nil, 0, err
	}
	for _, name := range kept {
		local, err := filepath.Localize(name)
		if err != nil {
			return nil, 0, fmt.Errorf("export the file %s: %w", name, err)
		}
		at := filepath.Join(s.db.AttachmentsDir, local)
		info, err := os.Lstat(at)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed by hand
		}
		if err == nil && !info.Mode().IsRegular() {
			err = errors.New("not a regular file")
		}
		if err != nil {
			return nil, 0, fmt.Errorf("export the file %s: %w", name, err)
		}
		if most -= info.Size(); most < 0 {
			leftOut, most = leftOut+1, most+info.Size()
			continue
		}
		content, err := os.ReadFile(at) //nolint:gosec // within the directory of attachments
		if err != nil {
			return nil, 0, fmt.Errorf("export the file %s: %w", name, err)
		}
		files = append(files, File{Name: path.Join(archiveFiles, name), Content: content})
	}
	return files, leftOut, nil
}
