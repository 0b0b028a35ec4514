package telegram

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

// fetchTimeout bounds the downloads for one message: later messages wait for them.
const fetchTimeout = 30 * time.Second

// fetch downloads the files of h if files are stored. A failed download does not hold up the message.
func (t *Telegram) fetch(ctx context.Context, h *incoming) {
	if !slices.ContainsFunc(h.files, func(id string) bool { return id != "" }) || !t.host.FetchesFiles(ctx, h.Message) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	for i, id := range h.files {
		a := &h.Attachments[i]
		if id == "" || a.Size > t.host.Files.MaxSize {
			continue
		}
		kept, err := t.fetchFile(ctx, id)
		if err != nil {
			t.log.Warn("download an attachment", "room", h.Room, "kind", a.Kind, "error", err)
			continue
		}
		a.Path = kept
	}
}

var errTooLarge = errors.New("the file is larger than allowed")

// fetchFile downloads a file and returns its path.
func (t *Telegram) fetchFile(ctx context.Context, id string) (string, error) {
	var file tgbotapi.File
	if err := t.api.call(ctx, "getFile", tgbotapi.Params{"file_id": id}, &file); err != nil {
		return "", err
	}
	if int64(file.FileSize) > t.host.Files.MaxSize {
		return "", errTooLarge
	}
	kept := filepath.Join(t.host.Files.Dir, fileName(file))
	if _, err := os.Stat(kept); err == nil { // a redelivered message
		return kept, nil
	}
	body, err := t.api.download(ctx, file.FilePath)
	if err != nil {
		return "", err
	}
	defer body.Close() //nolint:errcheck // it was only read
	return kept, saveFile(kept, io.LimitReader(body, t.host.Files.MaxSize+1), t.host.Files.MaxSize)
}

// fileName returns Telegram's unique name of file with its extension. It cannot leave a directory.
func fileName(file tgbotapi.File) string {
	keepSafe := func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return -1
	}
	name := channelName + "-" + strings.Map(keepSafe, file.FileUniqueID)
	if end := strings.Map(keepSafe, path.Ext(file.FilePath)); end != "" {
		name += "." + end
	}
	return name
}

// saveFile writes a file completely or not at all, and none larger than limit.
func saveFile(name string, from io.Reader, limit int64) error {
	part, err := os.CreateTemp(filepath.Dir(name), ".part-*")
	if err != nil {
		return fmt.Errorf("store an attachment: %w", err)
	}
	defer os.Remove(part.Name()) //nolint:errcheck // gone once it has its name
	size, err := io.Copy(part, from)
	if err = errors.Join(err, part.Close()); err != nil {
		return fmt.Errorf("store an attachment: %w", err)
	}
	if size > limit {
		return errTooLarge
	}
	if err := os.Rename(part.Name(), name); err != nil {
		return fmt.Errorf("store an attachment: %w", err)
	}
	return nil
}

// download opens a file named by getFile.
func (a *api) download(ctx context.Context, filePath string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.endpoint+"/file/bot"+a.token+"/"+filePath, http.NoBody)
	if err != nil {
		return nil, a.redact(err)
	}
	resp, err := a.client().Do(req)
	if err != nil {
		return nil, a.redact(err)
	}
	if resp.StatusCode != http.StatusOK {
		_ = resp.Body.Close()
		return nil, fmt.Errorf("download a file: %s", resp.Status)
	}
	return resp.Body, nil
}
