package discord

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"familiar/channels"
)

const (
	// nonceWindow is for how long Discord surely knows a nonce. It promises "a few minutes".
	nonceWindow = time.Minute
	// pagesBack bounds how far an earlier attempt is looked for.
	pagesBack = 10
)

// say shows a chunk in channel once, however often it is called with the same key, and returns its id. Within minutes
// Discord itself knows the nonce; later the persona's own messages since the first attempt are looked through.
func (c *Channel) say(ctx context.Context, channel string, out channels.Outgoing) (string, error) {
	return c.sayAfter(ctx, channel, out.ReplyTo, out)
}

// sayAfter is say where it is known what is surely older.
func (c *Channel) sayAfter(ctx context.Context, channel, older string, out channels.Outgoing) (string, error) {
	a, earlier, err := c.attempts.begin(ctx, channel, nonceOf(out.Key), older)
	if err != nil {
		return "", err
	}
	if earlier && a.settled {
		return a.Message, nil
	}
	id, err := c.show(ctx, channel, a, earlier, write(body(out.Text), out.ReplyTo))
	switch {
	case err == nil:
		c.attempts.settle(channel, a, id)
	case !earlier && surelyNotShown(err):
		if err := c.attempts.withdraw(ctx, channel, a); err != nil {
			c.log.Debug("withdraw a note", "error", err) // then the chunk is looked for, and not found
		}
	}
	return id, err
}

// show makes the message of an attempt, or finds what an earlier one made.
func (c *Channel) show(ctx context.Context, channel string, a attempt, earlier bool, p payload) (string, error) {
	if earlier && a.Message != "" { // its preview, or it was confirmed already
		err := c.edit(ctx, channel, a.Message, p)
		if refused, ok := errors.AsType[*apiError](err); !ok || refused.Code != codeUnknownMessage {
			return a.Message, err
		}
	}
	if earlier && c.host.Now().Sub(a.Began) > nonceWindow {
		if id, err := c.find(ctx, channel, a.After, p.Content); id != "" || err != nil {
			return id, err
		}
	}
	return c.create(ctx, channel, a.Nonce, p)
}

// create posts a message. When Discord knows the nonce it answers with the message made before, which may be a preview.
func (c *Channel) create(ctx context.Context, channel, nonce string, p payload) (string, error) {
	p.Nonce, p.Enforce = nonce, true
	var made message
	err := c.rest.do(ctx, createCall(channel, p), &made)
	if err != nil {
		return "", err
	}
	if !sameText(made.Content, p.Content) {
		return made.ID, c.edit(ctx, channel, made.ID, p)
	}
	return made.ID, nil
}

func createCall(channel string, p payload) call {
	return call{method: http.MethodPost, path: "/channels/" + channel + "/messages", body: p}
}

// edit gives a message of the persona's another text.
func (c *Channel) edit(ctx context.Context, channel, id string, p payload) error {
	p.Nonce, p.Enforce, p.Answers = "", false, nil
	return c.rest.do(ctx, call{
		method: http.MethodPatch, path: "/channels/" + channel + "/messages/" + id, route: "/channels/" + channel + "/messages/id", body: p,
	}, nil)
}

// find is the persona's own message with that text after a cursor, "" when there is none.
func (c *Channel) find(ctx context.Context, channel, after, text string) (string, error) {
	self, err := c.self(ctx)
	if err != nil {
		return "", err
	}
	for range pagesBack {
		var page []message
		if err := c.rest.do(ctx, historyCall(channel, after), &page); err != nil {
			return "", err
		}
		for _, m := range page {
			if m.Author.ID == self.ID && sameText(m.Content, text) {
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

// sameText compares texts as Discord keeps them, without white space around them.
func sameText(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }
