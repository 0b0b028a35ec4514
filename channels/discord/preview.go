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
	// previewEvery is how often a preview is shown, as Discord takes five edits in five seconds and the answer needs one.
	previewEvery = 1500 * time.Millisecond
	// typingEvery is how often the indicator is shown: it lasts ten seconds.
	typingEvery = 8 * time.Second
)

// Preview shows the text so far in a message that Send edits when it comes with that key. It is dropped when the last
// was shown a moment ago, while it is not known what became of something said before in the room, and while a command
// waits there, whose answer may be for who asked alone.
func (c *Channel) Preview(ctx context.Context, room channels.Room, key, soFar string) error {
	channel, nonce := target(room), nonceOf(key)
	if c.questions.waitIn(channel) {
		return nil
	}
	last, err := c.attempts.last(ctx, channel)
	if err != nil {
		return err
	}
	mine := last.Nonce == nonce
	if strings.TrimSpace(soFar) == "" || (last.Nonce != "" && !last.settled && !mine) || !c.previews.pass(channel) {
		return nil
	}
	p := write(cut(format(soFar)), "")
	if mine && last.Message != "" {
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

// withdrawWithin is for how long it is tried to take a preview back.
const withdrawWithin = 10 * time.Second

// CancelPreview takes back the preview under key, unless Discord never said that it is shown.
func (c *Channel) CancelPreview(ctx context.Context, room channels.Room, key string) error {
	channel := target(room)
	last, err := c.attempts.last(ctx, channel)
	if err != nil || last.Nonce != nonceOf(key) || last.Message == "" || last.settled {
		return err
	}
	soon, cancel := context.WithTimeout(ctx, withdrawWithin)
	defer cancel()
	err = c.rest.patiently(soon, call{
		method: http.MethodDelete, path: "/channels/" + channel + "/messages/" + last.Message, route: "/channels/" + channel + "/messages/id",
	}, nil)
	if refused, ok := errors.AsType[*apiError](err); err != nil && (!ok || refused.Code != codeUnknownMessage) {
		return fmt.Errorf("take back a preview on Discord: %w", err)
	}
	return c.attempts.withdraw(ctx, channel, last)
}

// cut is text as far as one message holds it.
func cut(text string) string {
	used := 0
	for i, r := range text {
		if used += utf16.RuneLen(r); used >= textLimit {
			return text[:i] + "…"
		}
	}
	return text
}

// Typing shows that the persona writes, for about ten seconds. Discord has no word for taking it back.
func (c *Channel) Typing(ctx context.Context, room channels.Room, on bool) error {
	channel := target(room)
	if !on || !c.typing.pass(channel) {
		return nil
	}
	return c.rest.do(ctx, call{method: http.MethodPost, path: "/channels/" + channel + "/typing"}, nil)
}
