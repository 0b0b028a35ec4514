package discord

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"
)

const (
	// nonceWindow is how long Discord reliably remembers a nonce. It documents "a few minutes".
	nonceWindow = time.Minute
	// maxSearchPages bounds the search for an earlier attempt.
	maxSearchPages = 10
)

// post shows a chunk in channel once, however often it is called with the same key, and returns its message id. For
// minutes Discord itself recognizes the nonce; later the bot searches its own messages since the first attempt.
func (c *Channel) post(ctx context.Context, channel string, out chunk) (string, error) {
	return c.postAfter(ctx, channel, out.ReplyTo, out)
}

// postAfter is post with the id of a message known to be older.
func (c *Channel) postAfter(ctx context.Context, channel, older string, out chunk) (string, error) {
	a, earlier, err := c.attempts.begin(ctx, channel, nonceOf(out.Key), older)
	if err != nil {
		return "", err
	}
	if earlier && a.resolved {
		return a.Message, nil
	}
	id, err := c.deliver(ctx, channel, a, earlier, out.payload(out.ReplyTo))
	switch {
	case err == nil:
		c.attempts.succeeded(channel, a, id)
	case !earlier && notShown(err):
		if err := c.attempts.withdraw(ctx, channel, a); err != nil {
			c.log.Debug("withdraw an attempt's record", "error", err) // the chunk is then searched for and not found
		}
	}
	return id, err
}

// deliver creates the message of an attempt, or finds the one an earlier attempt created.
func (c *Channel) deliver(ctx context.Context, channel string, a attempt, earlier bool, p payload) (string, error) {
	if earlier && a.Message != "" { // its preview, or it was already confirmed
		err := c.edit(ctx, channel, a.Message, p)
		if refused, ok := errors.AsType[*apiError](err); !ok || refused.Code != codeUnknownMessage {
			return a.Message, err
		}
	}
	if earlier && c.host.Now().Sub(a.Began) > nonceWindow {
		if id, err := c.find(ctx, channel, a.After, func(m message) bool { return sameText(m.Content, p.Content) }); id != "" || err != nil {
			return id, err
		}
	}
	return c.create(ctx, channel, a.Nonce, p)
}

// create posts a message. If Discord knows the nonce, it returns the message created before, which may be a preview.
func (c *Channel) create(ctx context.Context, channel, nonce string, p payload) (string, error) {
	p.Nonce, p.Enforce = nonce, true
	var made message
	err := c.rest.do(ctx, createCall(channel, p), &made)
	if err != nil {
		return "", err
	}
	if !sameText(made.Content, p.Content) || p.Buttons != nil && len(made.Buttons) == 0 {
		return made.ID, c.edit(ctx, channel, made.ID, p)
	}
	return made.ID, nil
}

func createCall(channel string, p payload) call {
	return call{method: http.MethodPost, path: "/channels/" + channel + "/messages", body: p}
}

// edit replaces the text of one of the bot's messages.
func (c *Channel) edit(ctx context.Context, channel, id string, p payload) error {
	p.Nonce, p.Enforce, p.Answers = "", false, nil
	return c.rest.do(ctx, call{
		method: http.MethodPatch, path: "/channels/" + channel + "/messages/" + id, route: "/channels/" + channel + "/messages/id", body: p,
	}, nil)
}

// find returns the id of the bot's own message after a cursor that is the one, or "".
func (c *Channel) find(ctx context.Context, channel, after string, is func(message) bool) (string, error) {
	self, err := c.self(ctx)
	if err != nil {
		return "", err
	}
	for range maxSearchPages {
		var page []message
		if err := c.rest.do(ctx, historyCall(channel, after), &page); err != nil {
			return "", err
		}
		for _, m := range page {
			if m.Author.ID == self.ID && is(m) {
				return m.ID, nil
			}
			if newer(m.ID, after) {
				after = m.ID
			}
		}
		if len(page) < pageSize {
			break
		}
	}
	return "", nil
}

// sameText compares texts as Discord stores them, without surrounding white space.
func sameText(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }
