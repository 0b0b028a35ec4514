package telegram

import (
	"context"
	"errors"
	"strconv"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"familiar/channels"
)

// SendVoice implements channels.VoiceSender. Somebody who accepts no voice messages makes it fail with a Permanent error.
func (t *Telegram) SendVoice(ctx context.Context, v channels.VoiceMessage) (channels.Receipt, error) {
	chat, err := chatID(v.Room)
	if err != nil {
		return channels.Receipt{}, err
	}
	if err := t.pace.wait(ctx, chat); err != nil {
		return channels.Receipt{}, sendError(chat, err)
	}
	params := tgbotapi.Params{
		"chat_id": strconv.FormatInt(chat, 10), "duration": strconv.Itoa(int((v.Length + time.Second - 1) / time.Second)),
	}
	params.AddNonEmpty("message_thread_id", v.Room.Thread)
	params.AddNonEmpty("reply_parameters", replyTo(v.ReplyTo))
	ctx, cancel := withGrace(ctx)
	defer cancel()
	var made struct {
		ID int `json:"message_id"`
	}
	file := tgbotapi.RequestFile{Name: "voice", Data: tgbotapi.FileBytes{Name: "voice.ogg", Bytes: v.Audio}}
	if err := t.api.upload(ctx, "sendVoice", params, []tgbotapi.RequestFile{file}, &made); err != nil {
		if f, ok := errors.AsType[*apiError](err); ok && f.retryAfter > 0 {
			t.pace.hold(chat, f.retryAfter)
		}
		return channels.Receipt{}, sendError(chat, err)
	}
	return channels.Receipt{ID: strconv.Itoa(made.ID)}, nil
}
