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
)

const (
	// groupSign begins the ids of chats of several people.
	groupSign = "-"
	// lengthLimit is the longest text the network takes, in UTF-16 units, markup apart.
	lengthLimit = 4096
	// sendGrace is how long a request on its way may go on when its context ends: cut off, nobody knew whether the text
	// was shown.
	sendGrace = 3 * time.Second
)

// Send says one chunk: as the end of its preview where there is one, else as a new message.
func (t *Telegram) Send(ctx context.Context, out channels.Outgoing) (channels.Receipt, error) {
	chat, err := chatID(out.Room)
	if err != nil {
		return channels.Receipt{}, err
	}
	text, entities := layout(out.Text)
	id, err := t.settle(ctx, chat, out.Key, text, entities)
	if errors.Is(err, errNoPreview) {
		params := tgbotapi.Params{}
		params.AddNonEmpty("message_thread_id", out.Room.Thread)
		params.AddNonEmpty("reply_parameters", replyTo(out.ReplyTo))
		id, err = t.say(ctx, "sendMessage", chat, params, text, entities)
	}
	if err != nil {
		return channels.Receipt{}, sendError(chat, err)
	}
	return channels.Receipt{ID: strconv.Itoa(id)}, nil
}

// chatID is the network's number for the chat of room.
func chatID(room channels.Room) (int64, error) {
	id, err := strconv.ParseInt(room.ID, 10, 64)
	if err != nil {
		return 0, &channels.SendError{Kind: channels.Permanent, Err: fmt.Errorf("%q is no chat of Telegram", room.ID)}
	}
	return id, nil
}

// layout is Markdown as it is sent; as it is written where the layout makes it too long.
func layout(md string) (string, []tgbotapi.MessageEntity) {
	text, entities := format(md)
	if len(utf16.Encode([]rune(text))) > lengthLimit {
		return md, nil
	}
	return text, entities
}

// replyTo names the message answered. The answer is shown even when that message is gone.
func replyTo(id string) string {
	number, err := strconv.Atoi(id)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(`{"message_id":%d,"allow_sending_without_reply":true}`, number)
}

// say sends or edits text in chat and returns the message's id. Markup that the network does not understand is left out.
func (t *Telegram) say(
	ctx context.Context, method string, chat int64, params tgbotapi.Params, text string, entities []tgbotapi.MessageEntity,
) (int, error) {
	params["chat_id"], params["text"] = strconv.FormatInt(chat, 10), text
	if len(entities) > 0 {
		list, err := json.Marshal(entities)
		if err != nil {
			return 0, fmt.Errorf("write the markup of a message: %w", err)
		}
		params["entities"] = string(list)
	}
	id, err := t.request(ctx, method, chat, params)
	if f, ok := errors.AsType[*fault](err); ok && f.code == http.StatusBadRequest && len(entities) > 0 && f.says("entit") {
		t.log.Warn("send without markup, which Telegram does not understand", "error", err)
		delete(params, "entities")
		return t.request(ctx, method, chat, params)
	}
	return id, err
}

// request waits for its turn and asks once.
func (t *Telegram) request(ctx context.Context, method string, chat int64, params tgbotapi.Params) (int, error) {
	if err := t.pace.wait(ctx, chat); err != nil {
		return 0, err
	}
	ctx, cancel := graceful(ctx)
	defer cancel()
	var made struct {
		ID int `json:"message_id"`
	}
	err := t.ask(ctx, method, chat, params, &made)
	return made.ID, err
}

// ask calls the network about chat and keeps the chat quiet if it wants that.
func (t *Telegram) ask(ctx context.Context, method string, chat int64, params tgbotapi.Params, result any) error {
	err := t.api.call(ctx, method, params, result)
	if f, ok := errors.AsType[*fault](err); ok && f.retryAfter > 0 {
		t.pace.hold(chat, f.retryAfter)
	}
	return err
}

// graceful is a context for one request: it ends some time after ctx does, and when no answer comes.
func graceful(ctx context.Context) (context.Context, context.CancelFunc) {
	whole, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerFor)
	stop := context.AfterFunc(ctx, func() {
		sleep(whole, sendGrace)
		cancel()
	})
	return whole, func() { stop(); cancel() }
}

// sendError says what err means for the chunk.
func sendError(chat int64, err error) error {
	f, ok := errors.AsType[*fault](err)
	if !ok {
		return err // of the pace or the context
	}
	e := &channels.SendError{Kind: channels.Permanent, Err: f}
	switch {
	case f.movedTo != 0:
		e.Kind, e.NewRoomID = channels.Moved, strconv.FormatInt(f.movedTo, 10)
	case f.code == http.StatusTooManyRequests:
		e.Kind, e.RetryAfter = channels.RateLimited, f.retryAfter
	case f.lost:
		e.Kind = channels.Ambiguous
	case f.code == http.StatusForbidden && chat > 0: // a person: blocked, gone, or never wrote to the bot
		e.Kind = channels.Blocked
	case f.code == http.StatusForbidden, f.code == http.StatusBadRequest:
	default: // not reached, or a token that Run reports about
		e.Kind = channels.Temporary
	}
	return e
}

// Typing shows the indicator, which the network takes away after 5 seconds or with the next message. It cannot be taken
// away sooner.
func (t *Telegram) Typing(ctx context.Context, room channels.Room, on bool) error {
	chat, err := chatID(room)
	if err != nil || !on || t.pace.held(chat) {
		return err
	}
	params := tgbotapi.Params{"chat_id": room.ID, "action": "typing"}
	params.AddNonEmpty("message_thread_id", room.Thread)
	ctx, cancel := context.WithTimeout(ctx, answerFor)
	defer cancel()
	return t.ask(ctx, "sendChatAction", chat, params, nil)
}

// React puts emoji to the message with the id of, or takes it away. Telegram takes only emoji of a list of its own.
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
		return fmt.Errorf("write a reaction: %w", err)
	}
	params := tgbotapi.Params{"chat_id": room.ID, "message_id": of, "reaction": string(reactions)}
	ctx, cancel := context.WithTimeout(ctx, answerFor)
	defer cancel()
	if err := t.ask(ctx, "setMessageReaction", chat, params, nil); err != nil {
		return sendError(chat, err)
	}
	return nil
}
