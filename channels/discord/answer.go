package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"familiar/channels"
)

// answers begins the shelf's keys of commands; what follows is the command's id, what is kept the nonce of the chunk
// that its first answer is for.
const answers = "answer/"

// answer says a chunk as the answer of a command. The first chunk fills in what shows that the persona thinks, which can
// be done again; what follows a public one are messages like any other, and what follows a private one is shown to who
// asked. A command that cannot be answered any more is answered in a message: of a private one to who asked.
func (c *Channel) answer(ctx context.Context, out channels.Outgoing) (string, error) {
	var v via
	if err := json.Unmarshal([]byte(out.Via), &v); err != nil {
		return "", &channels.SendError{Kind: channels.Permanent, Err: errors.New("what is needed to answer the command was kept wrongly")}
	}
	out.ReplyTo = "" // a command is no message
	if c.host.Now().Sub(madeAt(v.ID)) > answerable {
		return c.answerLate(ctx, v, out)
	}
	first, err := c.isFirst(ctx, v, nonceOf(out.Key))
	switch {
	case err != nil:
		return "", err
	case first:
		return c.fillIn(ctx, v, out)
	case v.Discreet:
		return c.whisper(ctx, v, out)
	}
	return c.say(ctx, v.Channel, out)
}

// isFirst says that the first answer of v is for the chunk with that nonce, and makes it so when it is for none.
func (c *Channel) isFirst(ctx context.Context, v via, nonce string) (bool, error) {
	taken, err := c.host.Shelf.Get(ctx, answers+v.ID)
	if err == nil {
		return taken == nonce, nil
	}
	if !errors.Is(err, channels.ErrNotKept) {
		return false, fmt.Errorf("look up the answer of a Discord command: %w", err)
	}
	if err := c.host.Shelf.Put(ctx, answers+v.ID, nonce); err != nil {
		return false, fmt.Errorf("note the answer of a Discord command: %w", err)
	}
	return true, nil
}

// fillIn puts a chunk where the persona shows that it thinks.
func (c *Channel) fillIn(ctx context.Context, v via, out channels.Outgoing) (string, error) {
	c.questions.told(ctx, v.ID)
	var made message
	err := c.rest.do(ctx, v.call(http.MethodPatch, "/messages/@original", write(body(out.Text), "")), &made)
	if gone(err) {
		return c.answerLate(ctx, v, out)
	}
	if err == nil {
		c.questions.take(v.ID)
	}
	return made.ID, err
}

// whisper shows one more chunk to who asked. Such a message has no nonce and cannot be looked up: an attempt that may
// have succeeded is not repeated.
func (c *Channel) whisper(ctx context.Context, v via, out channels.Outgoing) (string, error) {
	key := "command " + v.ID // its own line of attempts: it is in no channel's history
	a, earlier, err := c.attempts.begin(ctx, key, nonceOf(out.Key), "")
	if err != nil {
		return "", err
	}
	if earlier && a.settled {
		return a.Message, nil
	}
	if earlier {
		return "", errUnsettled
	}
	p := write(body(out.Text), "")
	p.Flags = flagEphemeral
	var made message
	err = c.rest.do(ctx, v.call(http.MethodPost, "?wait=true", p), &made)
	if err == nil {
		c.attempts.settle(key, a, made.ID)
		return made.ID, nil
	}
	if surelyNotShown(err) {
		if err := c.attempts.withdraw(ctx, key, a); err != nil {
			c.log.Debug("withdraw a note", "error", err)
		}
	}
	if gone(err) {
		return c.answerLate(ctx, v, out)
	}
	return "", err
}

// answerLate answers in a message what cannot be answered as a command any more.
func (c *Channel) answerLate(ctx context.Context, v via, out channels.Outgoing) (string, error) {
	if !v.Discreet || v.Direct {
		return c.say(ctx, v.Channel, out)
	}
	var dm wireChannel
	open := call{
		method: http.MethodPost, path: "/users/@me/channels", route: "/users/@me/channels/" + v.User,
		body: map[string]string{"recipient_id": v.User},
	}
	if err := c.rest.do(ctx, open, &dm); err != nil {
		return "", err
	}
	return c.say(ctx, dm.ID, out)
}

// forgetAnswers drops what is kept of commands that cannot be answered any more.
func (c *Channel) forgetAnswers(ctx context.Context) error {
	for _, prefix := range []string{answers, attempted + "command "} {
		keys, err := c.host.Shelf.Keys(ctx, prefix)
		if err != nil {
			return fmt.Errorf("look through the answers of Discord commands: %w", err)
		}
		for _, key := range keys {
			if c.host.Now().Sub(madeAt(key[len(prefix):])) <= answerable {
				continue
			}
			if err := c.host.Shelf.Delete(ctx, key); err != nil {
				return fmt.Errorf("forget the answer of a Discord command: %w", err)
			}
		}
	}
	return nil
}
