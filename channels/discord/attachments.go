package discord

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// fetchTimeout is how long a message waits for one attachment.
const fetchTimeout = 20 * time.Second

// fetch downloads the attachments of m, whose URLs expire, and returns their paths by attachment id. Attachments that
// cannot be downloaded are only named. If the bot reads all messages, it also downloads attachments of messages not
// addressed to it, because a later reply may concern them.
func (h *receiver) fetch(ctx context.Context, m message, p chat, self user) map[string]string {
	files := h.host.Files
	if len(m.Attachments) == 0 || (m.GuildID != "" && !h.readsContent() && !m.addresses(self)) || !h.host.FetchesFiles(ctx, convert(m, p, self, nil)) {
		return nil
	}
	kept := make(map[string]string)
	for _, a := range m.Attachments {
		if files.MaxSize > 0 && a.Size > files.MaxSize {
			continue
		}
		path, err := h.download(ctx, a)
		if err != nil {
			h.log.Warn("download an attachment from Discord", "attachment", a.ID, "error", err)
			continue
		}
		kept[a.ID] = path
	}
	return kept
}

// download stores one attachment and returns its path. The file is named by the attachment id, so that a redelivered
// message finds it.
func (h *receiver) download(ctx context.Context, a attachment) (string, error) {
	if !isID(a.ID) {
		return "", errors.New("its id is not a number")
	}
	path := filepath.Join(h.host.Files.Dir, name+"-"+a.ID+extension(a.Filename))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	body, err := h.rest.open(ctx, a.URL)
	if err != nil {
		return "", err
	}
	defer body.Close() //nolint:errcheck // it was read, or its error is returned
	return path, keepFile(path, body, h.host.Files.MaxSize)
}

// keepFile writes the contents of from to path, unless they exceed limit bytes; 0 is no limit. An existing file is
// always complete.
func keepFile(path string, from io.Reader, limit int64) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(path), ".part-*") // readable only by its owner
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) //nolint:errcheck // after the renaming it is gone
	if limit > 0 {
		from = io.LimitReader(from, limit+1)
	}
	n, err := io.Copy(part, from)
	if err == nil && limit > 0 && n > limit {
		err = fmt.Errorf("it is larger than %d bytes", limit)
	}
	if closed := part.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return withoutURL(err)
	}
	return os.Rename(part.Name(), path)
}

// extension returns the file's extension if it consists of plain characters.
func extension(file string) string {
	ext := strings.ToLower(filepath.Ext(file))
	if len(ext) < 2 || len(ext) > 9 || strings.Trim(ext[1:], "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return ""
	}
	return ext
}
