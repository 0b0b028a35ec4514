package telegram

import (
	"context"
	"fmt"
	"io"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"familiar/channels"
)

// isPicture lets the attachment that was added last be fetched as a picture.
func (h *incoming) isPicture() {
	last := len(h.Attachments) - 1
	h.Attachments[last].Ref = h.files[last]
}

// FetchPicture implements channels.PictureFetcher.
func (t *Telegram) FetchPicture(ctx context.Context, a channels.Attachment, limit int64) ([]byte, error) {
	var file tgbotapi.File
	if err := t.api.call(ctx, "getFile", tgbotapi.Params{"file_id": a.Ref}, &file); err != nil {
		return nil, fmt.Errorf("fetch a picture: %w", err)
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
		return nil, t.api.redact(fmt.Errorf("fetch a picture: %w", err))
	case int64(len(data)) > limit:
		return nil, errTooLarge
	}
	return data, nil
}
