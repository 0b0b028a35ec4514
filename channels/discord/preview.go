package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf16"

	"familiar/channels"
)

const (
	// previewInterval is the minimum time between preview edits: Discord allows five edits in five seconds, and the
	// reply needs one.
	previewInterval = 1500 * time.Millisecond
	// typingInterval is how often the indicator is sent: it lasts ten seconds.
	typingInterval = 8 * time.Second
)

// Preview shows the text so far in a message that Send edits later under the same key. The preview is skipped if the
// last one was a moment ago, while the outcome of an earlier message in the room is unknown, and while a command is
// pending there, whose reply may be private.
func (c *Channel) Preview(ctx context.Context, room channels.Room, key, soFar string) error {
	channel, nonce := target(room), nonceOf(key)
	if c.pendingCommands.pendingIn(channel) {
		return nil
	}
	last, err := c.attempts.last(ctx, channel)
	if err != nil {
		return err
	}
	current := last.Nonce == nonce
	if strings.TrimSpace(soFar) == "" || (last.Nonce != "" && !last.resolved && !current) || !c.previews.allow(channel) {
		return nil
	}
	p := newPayload(cut(format(soFar)), "")
	if current && last.Message != "" {
		return c.edit(ctx, channel, last.Message, p)
	}
	a, _, err := c.attempts.begin(ctx, channel, nonce, "")
	if err != nil {
		return err
	}
	id, err := c.create(ctx, channel, nonce, p)
	if id == "" {
		return err
	}
	a.Message = id
	return c.attempts.put(ctx, channel, a)
}

// cancelTimeout is how long removing a preview may take.
const cancelTimeout = 10 * time.Second

// CancelPreview removes the preview under key, unless Discord never confirmed that it is shown.
func (c *Channel) CancelPreview(ctx context.Context, room channels.Room, key string) error {
	channel := target(room)
	last, err := c.attempts.last(ctx, channel)
	if err != nil || last.Nonce != nonceOf(key) || last.Message == "" || last.resolved {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, cancelTimeout)
	defer cancel()
	err = c.rest.doRetrying(limited, call{
		method: http.MethodDelete, path: "/channels/" + channel + "/messages/" + last.Message, route: "/channels/" + channel + "/messages/id",
	}, nil)
	if refused, ok := errors.AsType[*apiError](err); err != nil && (!ok || refused.Code != codeUnknownMessage) {
		return fmt.Errorf("remove a preview on Discord: %w", err)
	}
	return c.attempts.withdraw(ctx, channel, last)
}

// cut shortens text to one message.
func cut(text string) string {
	used := 0
	for i, r := range text {
		if used += utf16.RuneLen(r); used >= textLimit {
			return text[:i] + "…"
		}
	}
	return text
}

// Typing shows the typing indicator for about ten seconds. Discord cannot hide it earlier.
func (c *Channel) Typing(ctx context.Context, room channels.Room, on bool) error {
	channel := target(room)
	if !on || !c.typing.allow(channel) {
		return nil
	}
	return c.rest.do(ctx, call{method: http.MethodPost, path: "/channels/" + channel + "/typing"}, nil)
}
