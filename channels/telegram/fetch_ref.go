package telegram

import (
	"context"
	"fmt"
	"io"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"familiar/channels"
)

// isPicture lets the attachment that was added last be fetched as a picture.
func (h *incoming) isPicture() {
	last := len(h.Attachments) - 1
	h.Attachments[last].Ref = h.files[last]
}

// isRecording lets the attachment that was added last be fetched as a recording, which is so many seconds long.
func (h *incoming) isRecording(m *message, s channels.Speech, seconds int) {
	h.isPicture()
	a := &h.Attachments[len(h.Attachments)-1]
	if a.Speech, a.Length = s, time.Duration(max(0, seconds))*time.Second; m.isForwarded() {
		a.Speech = channels.PassedOn
	}
}

// isForwarded reports whether the author only passes m on.
func (m *message) isForwarded() bool {
	return !m.Automatic && (m.ForwardDate != 0 || m.Origin != nil)
}

// FetchFile implements channels.FileFetcher.
func (t *Telegram) FetchFile(ctx context.Context, a channels.Attachment, limit int64) ([]byte, error) {
	var file tgbotapi.File
	if err := t.api.call(ctx, "getFile", tgbotapi.Params{"file_id": a.Ref}, &file); err != nil {
		return nil, fmt.Errorf("fetch a file: %w", err)
	}
	if int64(file.FileSize) > limit {
		return nil, errTooLarge
	}
	body, err := t.api.download(ctx, file.FilePath)
	if err != nil {
		return nil, err
	}
	defer body.Close() //nolint:errcheck // it was only read
	data, err := io.ReadAll(io.LimitReader(body, limit+1))
	switch {
	case err != nil:
		return nil, t.api.redact(fmt.Errorf("fetch a file: %w", err))
	case int64(len(data)) > limit:
		return nil, errTooLarge
	}
	return data, nil
}
