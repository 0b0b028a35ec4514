package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"familiar/channels"
)

// maxNotice is how long what is told to somebody who pressed a button may be, in characters.
const maxNotice = 200

// Ask implements channels.Asker with an inline keyboard.
func (t *Telegram) Ask(ctx context.Context, q channels.Question) (channels.Receipt, error) {
	button := func(label string, yes bool) tgbotapi.InlineKeyboardButton {
		return tgbotapi.NewInlineKeyboardButtonData(label, channels.Press{Question: q.ID, Yes: yes}.Data())
	}
	buttons, err := json.Marshal(tgbotapi.NewInlineKeyboardMarkup(tgbotapi.NewInlineKeyboardRow(button(q.Yes, true), button(q.No, false))))
	if err != nil {
		return channels.Receipt{}, fmt.Errorf("encode the buttons of a question: %w", err)
	}
	return t.sendChunk(ctx, q.Outgoing, string(buttons))
}

// EndQuestion implements channels.Asker.
func (t *Telegram) EndQuestion(ctx context.Context, room channels.Room, of string) error {
	chat, err := chatID(room)
	if err != nil {
		return err
	}
	_, err = t.pacedCall(ctx, "editMessageReplyMarkup", chat, tgbotapi.Params{"chat_id": room.ID, "message_id": of})
	if f, ok := errors.AsType[*apiError](err); ok && f.code == http.StatusBadRequest && f.hasPhrase("message to edit not found", "message can't be edited", "message is not modified") {
		return nil
	}
	if err != nil {
		return sendError(chat, err)
	}
	return nil
}

// convertPress converts a pressed button of a question. It returns false for anything else. Telegram reports no time for the
// press, only for the message with the button, so the time of receipt is used.
func convertPress(c *callback, received time.Time) (incoming, bool) {
	press, ok := channels.ParsePress(c.Data)
	if !ok || c.Message == nil || c.Message.Chat == nil {
		return incoming{}, false
	}
	return incoming{Message: channels.Message{
		ID: "press~" + c.ID, Room: roomOf(c.Message), Author: userAuthor(c.From), Direct: c.Message.Chat.IsPrivate(),
		RoomTitle: c.Message.Chat.Title, Press: press, ReplyTo: strconv.Itoa(c.Message.MessageID), Addressed: true, Complete: true,
		At: received.UTC(),
	}}, true
}

// answerPress confirms a pressed button, with a notice that only the person who pressed it sees, "" for none. Until then their app
// shows a progress indicator.
func (p *poller) answerPress(ctx context.Context, id, notice string) {
	ctx, cancel := context.WithTimeout(ctx, responseTimeout)
	defer cancel()
	params := tgbotapi.Params{"callback_query_id": id}
	if notice != "" {
		params["text"], params["show_alert"] = channels.Shorten(notice, maxNotice), "true"
	}
	if err := p.api.call(ctx, "answerCallbackQuery", params, nil); err != nil {
		p.log.Debug("confirm a pressed button", "error", err)
	}
}
