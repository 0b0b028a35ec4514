package whatsapp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/types"

	"familiar/channels"
)

// answering is how long the network may take to acknowledge a message.
const answering = 30 * time.Second

// Send implements channels.Channel. The id of the message follows from the key: what is sent twice is shown once.
func (c *Channel) Send(ctx context.Context, out channels.Outgoing) (channels.Receipt, error) {
	to, ok := chatOf(out.Room.ID)
	if !ok {
		return channels.Receipt{}, refused("there is no such chat in WhatsApp")
	}
	l, err := c.online(ctx)
	if err != nil {
		return channels.Receipt{}, err
	}
	if err := c.allow(ctx, out); err != nil {
		return channels.Receipt{}, err
	}
	if !c.hesitate(ctx, out.Text) {
		return channels.Receipt{}, ctx.Err()
	}
	return l.send(ctx, to, out)
}

func (l *line) send(ctx context.Context, to types.JID, out channels.Outgoing) (channels.Receipt, error) {
	if err := l.reachable(ctx, to); err != nil {
		return channels.Receipt{}, err
	}
	id := messageID(out.Key)
	if err := l.notes.sending(ctx, said{out.Room.ID, id}, out.Key); err != nil {
		return channels.Receipt{}, &channels.SendError{Kind: channels.Temporary, Err: err}
	}
	about := parseVia(out.ReplyData)
	if out.ReplyData == "" {
		about.Fades = l.notes.chat(ctx, out.Room.ID).Fades
	}
	message := compose(format(out.Text), out.ReplyTo, about)
	_, err := l.client.SendMessage(ctx, to, message, whatsmeow.SendRequestExtra{ID: id, Timeout: answering})
	if err != nil {
		return channels.Receipt{}, failure(err)
	}
	l.stir()
	l.notTyping(out.Room)
	return channels.Receipt{ID: id}, nil
}

// reachable makes sure that somebody is there: the SDK sends to nobody as gladly.
func (l *line) reachable(ctx context.Context, to types.JID) error {
	if to.Server == types.GroupServer {
		return nil
	}
	devices, err := l.client.GetUserDevices(ctx, []types.JID{to})
	if err != nil {
		return failure(err)
	}
	if len(devices) == 0 {
		return refused("this account is not on WhatsApp")
	}
	return nil
}

// messageID is the id of the message that carries the chunk with that key, in the form web clients use.
func messageID(key string) types.MessageID {
	sum := sha256.Sum256([]byte(key))
	return whatsmeow.WebMessageIDPrefix + strings.ToUpper(hex.EncodeToString(sum[:9]))
}

func refused(why string) error {
	return &channels.SendError{Kind: channels.Permanent, Err: errors.New(why)}
}

// failure is what an error of the SDK means for what was sent.
func failure(err error) error {
	e := &channels.SendError{Kind: channels.Temporary, Err: redacted(err)}
	var cut *whatsmeow.DisconnectedError
	switch {
	case errors.Is(err, whatsmeow.ErrMessageTimedOut), errors.As(err, &cut),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		e.Kind = channels.Ambiguous
	case errors.Is(err, whatsmeow.ErrGroupNotFound), errors.Is(err, whatsmeow.ErrNotInGroup), errors.Is(err, whatsmeow.ErrUnknownServer):
		e.Kind = channels.Permanent
	case errors.Is(err, whatsmeow.ErrServerReturnedError):
		e.Kind, e.RetryAfter = verdict(err)
	case errors.Is(err, whatsmeow.ErrIQRateOverLimit):
		e.Kind, e.RetryAfter = channels.RateLimited, overLimit
	}
	return e
}

// overLimit is how long to wait when WhatsApp says that it is too much without saying for how long.
const overLimit = time.Minute

// verdict is what the code means that the network answered a message with; the SDK has it in its words only.
func verdict(err error) (channels.SendKind, time.Duration) {
	words := strings.Fields(err.Error())
	switch code, _ := strconv.Atoi(words[len(words)-1]); code {
	case 429:
		return channels.RateLimited, overLimit
	case 401, 403, 404, 406, 410, 463: // not allowed, not there, or a stranger who must write first
		return channels.Permanent, 0
	}
	return channels.Temporary, 0
}

// React implements channels.Reactor. In a group it needs to know whose message that was.
func (c *Channel) React(ctx context.Context, room channels.Room, of, emoji string) error {
	chat, ok := chatOf(room.ID)
	if !ok {
		return refused("there is no such chat in WhatsApp")
	}
	l, err := c.online(ctx)
	if err != nil {
		return err
	}
	author, ok := l.authorOf(ctx, chat, said{room.ID, of})
	if !ok {
		return refused("it is not known any more who said that")
	}
	if _, err := l.client.SendMessage(ctx, chat, l.client.BuildReaction(chat, author, of, emoji)); err != nil {
		return failure(err)
	}
	return nil
}
