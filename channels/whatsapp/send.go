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
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"

	"familiar/channels"
)

// ackTimeout is how long the network may take to acknowledge a message.
const ackTimeout = 30 * time.Second

// Send implements channels.Channel. The message id derives from the key, so a message sent twice is shown once.
func (c *Channel) Send(ctx context.Context, out channels.Outgoing) (channels.Receipt, error) {
	to, ok := chatOf(out.Room.ID)
	if !ok {
		return channels.Receipt{}, refused("WhatsApp has no such chat")
	}
	l, err := c.currentConnection(ctx)
	if err != nil {
		return channels.Receipt{}, err
	}
	if err := c.allow(ctx, out); err != nil {
		return channels.Receipt{}, err
	}
	if !c.simulateTyping(ctx, out.Text) {
		return channels.Receipt{}, ctx.Err()
	}
	return l.send(ctx, to, out)
}

func (l *connection) send(ctx context.Context, to types.JID, out channels.Outgoing) (channels.Receipt, error) {
	if err := l.reachable(ctx, to); err != nil {
		return channels.Receipt{}, err
	}
	return l.sendAs(ctx, to, out, func(about *waE2E.ContextInfo) *waE2E.Message { return textMessage(format(out.Text), about) })
}

// sendAs sends what compose makes of a reply's context, nil for none.
func (l *connection) sendAs(
	ctx context.Context, to types.JID, out channels.Outgoing, compose func(about *waE2E.ContextInfo) *waE2E.Message,
) (channels.Receipt, error) {
	id := messageID(out.Key)
	if err := l.records.putSent(ctx, messageRef{out.Room.ID, id}, out.Key); err != nil {
		return channels.Receipt{}, &channels.SendError{Kind: channels.Temporary, Err: err}
	}
	about := parseReplyData(out.ReplyData)
	if out.ReplyData == "" {
		about.Expiration = l.records.chat(ctx, out.Room.ID).Expiration
	}
	_, err := l.client.SendMessage(ctx, to, compose(contextFor(out.ReplyTo, about)), whatsmeow.SendRequestExtra{ID: id, Timeout: ackTimeout})
	if err != nil {
		return channels.Receipt{}, sendError(err)
	}
	l.touch()
	l.typingEnded(out.Room)
	return channels.Receipt{ID: id}, nil
}

// reachable checks that the account exists: the SDK would also send to a missing one.
func (l *connection) reachable(ctx context.Context, to types.JID) error {
	if to.Server == types.GroupServer {
		return nil
	}
	devices, err := l.client.GetUserDevices(ctx, []types.JID{to})
	if err != nil {
		return sendError(err)
	}
	if len(devices) == 0 {
		return refused("this account is not on WhatsApp")
	}
	return nil
}

// messageID returns the id of the message for the chunk with that key, in the form web clients use.
func messageID(key string) types.MessageID {
	sum := sha256.Sum256([]byte(key))
	return whatsmeow.WebMessageIDPrefix + strings.ToUpper(hex.EncodeToString(sum[:9]))
}

func refused(why string) error {
	return &channels.SendError{Kind: channels.Permanent, Err: errors.New(why)}
}

// sendError returns what an SDK error means for the chunk.
func sendError(err error) error {
	e := &channels.SendError{Kind: channels.Temporary, Err: redacted(err)}
	var cut *whatsmeow.DisconnectedError
	switch {
	case errors.Is(err, whatsmeow.ErrMessageTimedOut), errors.As(err, &cut),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		e.Kind = channels.Ambiguous
	case errors.Is(err, whatsmeow.ErrGroupNotFound), errors.Is(err, whatsmeow.ErrNotInGroup), errors.Is(err, whatsmeow.ErrUnknownServer):
		e.Kind = channels.Permanent
	case errors.Is(err, whatsmeow.ErrServerReturnedError):
		e.Kind, e.RetryAfter = sendKind(err)
	case errors.Is(err, whatsmeow.ErrIQRateOverLimit):
		e.Kind, e.RetryAfter = channels.RateLimited, rateLimitPause
	}
	return e
}

// rateLimitPause is the wait if WhatsApp reports a rate limit without a time.
const rateLimitPause = time.Minute

// sendKind returns the meaning of the error code in the network's response; the SDK reports the code only in its error
// text.
func sendKind(err error) (channels.SendKind, time.Duration) {
	words := strings.Fields(err.Error())
	switch code, _ := strconv.Atoi(words[len(words)-1]); code {
	case 429:
		return channels.RateLimited, rateLimitPause
	case 401, 403, 404, 406, 410, 463: // not allowed, not found, or a stranger who must write first
		return channels.Permanent, 0
	}
	return channels.Temporary, 0
}

// React implements channels.Reactor. In a group it needs to know the message's author.
func (c *Channel) React(ctx context.Context, room channels.Room, of, emoji string) error {
	chat, ok := chatOf(room.ID)
	if !ok {
		return refused("WhatsApp has no such chat")
	}
	l, err := c.currentConnection(ctx)
	if err != nil {
		return err
	}
	author, ok := l.authorOf(ctx, chat, messageRef{room.ID, of})
	if !ok {
		return refused("the author of the message is no longer known")
	}
	if _, err := l.client.SendMessage(ctx, chat, l.client.BuildReaction(chat, author, of, emoji)); err != nil {
		return sendError(err)
	}
	return nil
}
