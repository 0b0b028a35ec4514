package telegram

import (
	"context"
	"strconv"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"familiar/channels"
)

// SendFile implements channels.FileSender.
func (t *Telegram) SendFile(ctx context.Context, room channels.Room, f channels.OutgoingFile) (string, error) {
	chat, err := chatID(room)
	if err != nil {
		return "", err
	}
	if err := t.pace.wait(ctx, chat); err != nil {
		return "", sendError(chat, err)
	}
	params := tgbotapi.Params{"chat_id": strconv.FormatInt(chat, 10)}
	params.AddNonEmpty("message_thread_id", room.Thread)
	params.AddNonEmpty("caption", f.Caption)
	ctx, cancel := withGrace(ctx)
	defer cancel()
	document := tgbotapi.RequestFile{Name: "document", Data: tgbotapi.FileBytes{Name: f.Name, Bytes: f.Content}}
	if err := t.api.upload(ctx, "sendDocument", params, []tgbotapi.RequestFile{document}, nil); err != nil {
		return "", sendError(chat, err)
	}
	return "", nil
}
