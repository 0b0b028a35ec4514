package discord

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// fetchTimeout bounds how long what is said waits for one attachment.
const fetchTimeout = 20 * time.Second

// fetch downloads the attachments of m, whose addresses expire, and says where they are by their ids. What cannot be
// fetched is only named. Where everything is heard what is not said to the persona may be answered to later, so it is
// fetched too.
func (h *hearer) fetch(ctx context.Context, m message, p place, self user) map[string]string {
	files := h.host.Files
	if len(m.Attachments) == 0 || (m.GuildID != "" && !h.hearsAll() && !m.speaksTo(self)) || !h.host.FetchesFiles(ctx, convert(m, p, self, nil)) {
		return nil
	}
	kept := make(map[string]string)
	for _, a := range m.Attachments {
		if files.MaxSize > 0 && a.Size > files.MaxSize {
			continue
		}
		path, err := h.download(ctx, a)
		if err != nil {
			h.log.Warn("fetch an attachment from Discord", "attachment", a.ID, "error", err)
			continue
		}
		kept[a.ID] = path
	}
	return kept
}

// download keeps one attachment and says where. It is named by its id, so that what comes again is there already.
func (h *hearer) download(ctx context.Context, a attachment) (string, error) {
	if !isID(a.ID) {
		return "", errors.New("its id is no number")
	}
	path := filepath.Join(h.host.Files.Dir, name+"-"+a.ID+extension(a.Filename))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.URL, nil)
	if err != nil {
		return "", withoutAddress(err)
	}
	resp, err := h.rest.http.Do(req)
	if err != nil {
		return "", withoutAddress(err)
	}
	defer resp.Body.Close() //nolint:errcheck // it was read, or its error is told
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("it was answered with %s", resp.Status)
	}
	return path, keepFile(path, resp.Body, h.host.Files.MaxSize)
}

// keepFile writes what from holds to path, unless it is more than limit bytes; 0 is no limit. A file that is there is whole.
func keepFile(path string, from io.Reader, limit int64) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(path), ".part-*") // readable by its owner alone
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
		return withoutAddress(err)
	}
	return os.Rename(part.Name(), path)
}

// extension is the end of a file's name when it is a plain one.
func extension(file string) string {
	ext := strings.ToLower(filepath.Ext(file))
	if len(ext) < 2 || len(ext) > 9 || strings.Trim(ext[1:], "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return ""
	}
	return ext
}
