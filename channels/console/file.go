package console

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"familiar/channels"
)

// SendFile implements channels.FileSender: it writes a new file that only its owner can read into Options.Files, and returns its
// path. A name that is taken gets a number.
func (c *Console) SendFile(_ context.Context, room channels.Room, f channels.OutgoingFile) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.checkRoom(room); err != nil {
		return "", err
	}
	name := filepath.Base(f.Name)
	ext := filepath.Ext(name)
	for n := 1; ; n++ {
		path := filepath.Join(c.files, name)
		if n > 1 {
			path = filepath.Join(c.files, fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext))
		}
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err == nil {
			_, err = file.Write(f.Content)
			err = errors.Join(err, file.Close())
		}
		if err != nil {
			return "", &channels.SendError{Kind: channels.Permanent, Err: fmt.Errorf("write the file: %w", err)}
		}
		return path, nil
	}
}
