package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
	"unicode/utf16"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"familiar/channels"
	"familiar/internal/sleep"
)

const (
	// groupPrefix starts the ids of group chats.
	groupPrefix = "-"
	// maxLength is the network's text limit in UTF-16 units, without markup.
	maxLength = 4096
	// sendGrace is how long a request may continue after its context ends: if it were cut off, its outcome would be
	// unknown.
	sendGrace = 3 * time.Second
)

// Send sends one chunk: as the final text of its preview if there is one, otherwise as a new message.
func (t *Telegram) Send(ctx context.Context, out channels.Outgoing) (channels.Receipt, error) {
	return t.sendChunk(ctx, out, "")
}

// sendChunk is Send with buttons below the chunk, "" for none.
func (t *Telegram) sendChunk(ctx context.Context, out channels.Outgoing, buttons string) (channels.Receipt, error) {
	chat, err := chatID(out.Room)
	if err != nil {
		return channels.Receipt{}, err
	}
	text, entities := formatChunk(out.Text)
	id, err := t.finishPreview(ctx, chat, out.Key, text, entities, buttons)
	if errors.Is(err, errNoPreview) {
		params := tgbotapi.Params{}
		params.AddNonEmpty("reply_markup", buttons)
		params.AddNonEmpty("message_thread_id", out.Room.Thread)
		params.AddNonEmpty("reply_parameters", replyTo(out.ReplyTo))
		id, err = t.write(ctx, "sendMessage", chat, params, text, entities)
	}
	if err != nil {
		return channels.Receipt{}, sendError(chat, err)
	}
	return channels.Receipt{ID: strconv.Itoa(id)}, nil
}

// chatID returns Telegram's chat id of room.
func chatID(room channels.Room) (int64, error) {
	id, err := strconv.ParseInt(room.ID, 10, 64)
	if err != nil {
		return 0, &channels.SendError{Kind: channels.Permanent, Err: fmt.Errorf("%q is not a Telegram chat", room.ID)}
	}
	return id, nil
}

// formatChunk formats Markdown, or returns it as plain text if the result would be too long.
func formatChunk(md string) (string, []tgbotapi.MessageEntity) {
	text, entities := format(md)
	if len(utf16.Encode([]rune(text))) > maxLength {
		return md, nil
	}
	return text, entities
}

// replyTo identifies the message being answered. The reply is shown even if that message is gone.
func replyTo(id string) string {
	number, err := strconv.Atoi(id)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(`{"message_id":%d,"allow_sending_without_reply":true}`, number)
}

// write sends or edits text in chat and returns the message id. If the network rejects the entities, they are omitted.
func (t *Telegram) write(
	ctx context.Context, method string, chat int64, params tgbotapi.Params, text string, entities []tgbotapi.MessageEntity,
) (int, error) {
	params["chat_id"], params["text"] = strconv.FormatInt(chat, 10), text
	if len(entities) > 0 {
		list, err := json.Marshal(entities)
		if err != nil {
			return 0, fmt.Errorf("encode the entities of a message: %w", err)
		}
		params["entities"] = string(list)
	}
	id, err := t.pacedCall(ctx, method, chat, params)
	if f, ok := errors.AsType[*apiError](err); ok && f.code == http.StatusBadRequest && len(entities) > 0 && f.hasPhrase("entit") {
		t.log.Warn("resend without entities, which Telegram rejected", "error", err)
		delete(params, "entities")
		return t.pacedCall(ctx, method, chat, params)
	}
	return id, err
}

// pacedCall waits for its turn and calls once.
func (t *Telegram) pacedCall(ctx context.Context, method string, chat int64, params tgbotapi.Params) (int, error) {
	if err := t.pace.wait(ctx, chat); err != nil {
		return 0, err
	}
	ctx, cancel := withGrace(ctx)
	defer cancel()
	var made struct {
		ID int `json:"message_id"`
	}
	err := t.callChat(ctx, method, chat, params, &made)
	return made.ID, err
}

// callChat calls the network about chat, and blocks the chat if the network asks for it.
func (t *Telegram) callChat(ctx context.Context, method string, chat int64, params tgbotapi.Params, result any) error {
	err := t.api.call(ctx, method, params, result)
	if f, ok := errors.AsType[*apiError](err); ok && f.retryAfter > 0 {
		t.pace.hold(chat, f.retryAfter)
	}
	return err
}

// withGrace returns a context for one request. It ends some time after ctx does, or when the response timeout is over.
func withGrace(ctx context.Context) (context.Context, context.CancelFunc) {
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), responseTimeout)
	stop := context.AfterFunc(ctx, func() {
		sleep.For(limited, sendGrace)
		cancel()
	})
	return limited, func() { stop(); cancel() }
}

// sendError returns what err means for the chunk.
func sendError(chat int64, err error) error {
	f, ok := errors.AsType[*apiError](err)
	if !ok {
		return err // an error of the pacer or the context
	}
	e := &channels.SendError{Kind: channels.Permanent, Err: f}
	switch {
	case f.movedTo != 0:
		e.Kind, e.NewRoomID = channels.Moved, strconv.FormatInt(f.movedTo, 10)
	case f.code == http.StatusTooManyRequests:
		e.Kind, e.RetryAfter = channels.RateLimited, f.retryAfter
	case f.outcomeUnknown:
		e.Kind = channels.Ambiguous
	case f.code == http.StatusForbidden && chat > 0: // a person who blocked the bot, deleted the account, or never wrote to the bot
		e.Kind = channels.Blocked
	case f.code == http.StatusForbidden, f.code == http.StatusBadRequest:
	default: // unreachable, or a rejected token, which Run reports
		e.Kind = channels.Temporary
	}
	return e
}

// Typing shows the typing indicator. The network hides it after 5 seconds or with the next message; it cannot be hidden
// sooner.
func (t *Telegram) Typing(ctx context.Context, room channels.Room, on bool) error {
	chat, err := chatID(room)
	if err != nil || !on || t.pace.held(chat) {
		return err
	}
	params := tgbotapi.Params{"chat_id": room.ID, "action": "typing"}
	params.AddNonEmpty("message_thread_id", room.Thread)
	ctx, cancel := context.WithTimeout(ctx, responseTimeout)
	defer cancel()
	return t.callChat(ctx, "sendChatAction", chat, params, nil)
}

// React sets or removes an emoji on the message with the id of. Telegram accepts only emoji from its own list.
func (t *Telegram) React(ctx context.Context, room channels.Room, of, emojis string) error {
	chat, err := chatID(room)
	if err != nil {
		return err
	}
	list := []emoji{}
	if emojis != "" {
		list = append(list, emoji{Type: "emoji", Emoji: emojis})
	}
	reactions, err := json.Marshal(list)
	if err != nil {
		return fmt.Errorf("encode a reaction: %w", err)
	}
	params := tgbotapi.Params{"chat_id": room.ID, "message_id": of, "reaction": string(reactions)}
	ctx, cancel := context.WithTimeout(ctx, responseTimeout)
	defer cancel()
	if err := t.callChat(ctx, "setMessageReaction", chat, params, nil); err != nil {
		return sendError(chat, err)
	}
	return nil
}
