package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

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
	if err := json.Unmarshal([]byte(out.ReplyData), &v); err != nil {
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
	return c.sayAfter(ctx, v.Channel, v.ID, out)
}

// isFirst says that the first answer of v is for the chunk with that nonce, and makes it so when it is for none.
func (c *Channel) isFirst(ctx context.Context, v via, nonce string) (bool, error) {
	taken, err := c.host.Store.Get(ctx, answers+v.ID)
	if err == nil {
		return taken == nonce, nil
	}
	if !errors.Is(err, channels.ErrNotFound) {
		return false, fmt.Errorf("look up the answer of a Discord command: %w", err)
	}
	if err := c.host.Store.Put(ctx, answers+v.ID, nonce); err != nil {
		return false, fmt.Errorf("note the answer of a Discord command: %w", err)
	}
	return true, nil
}

// fillIn puts a chunk where the persona shows that it thinks.
func (c *Channel) fillIn(ctx context.Context, v via, out channels.Outgoing) (string, error) {
	a, earlier, err := c.attempts.begin(ctx, v.line(), nonceOf(out.Key), "")
	if err != nil {
		return "", err
	}
	c.questions.told(ctx, v.ID)
	var made message
	err = c.rest.do(ctx, v.call(http.MethodPatch, "/messages/@original", write(body(out.Text), "")), &made)
	if err != nil {
		return c.unanswered(ctx, v, out, a, earlier, err)
	}
	c.questions.take(v.ID)
	c.attempts.settle(v.line(), a, made.ID)
	return made.ID, nil
}

// unanswered takes in that an attempt to answer v ended with err, and answers late where it cannot be answered any more.
func (c *Channel) unanswered(ctx context.Context, v via, out channels.Outgoing, a attempt, earlier bool, err error) (string, error) {
	if !earlier && surelyNotShown(err) {
		if err := c.attempts.withdraw(ctx, v.line(), a); err != nil {
			c.log.Debug("withdraw a note", "error", err)
		}
	}
	if gone(err) {
		return c.answerLate(ctx, v, out)
	}
	return "", err
}

// whisper shows one more chunk to who asked. Such a message has no nonce and cannot be looked up: an attempt that may
// have succeeded is not repeated.
func (c *Channel) whisper(ctx context.Context, v via, out channels.Outgoing) (string, error) {
	a, earlier, err := c.attempts.begin(ctx, v.line(), nonceOf(out.Key), "")
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
	if err != nil {
		return c.unanswered(ctx, v, out, a, earlier, err)
	}
	c.attempts.settle(v.line(), a, made.ID)
	return made.ID, nil
}

// answerLate answers in a message what cannot be answered as a command any more, unless that was shown in time.
func (c *Channel) answerLate(ctx context.Context, v via, out channels.Outgoing) (string, error) {
	if id, err := c.inTime(ctx, v, out); id != "" || err != nil {
		return id, err
	}
	if !v.Discreet || v.Direct {
		return c.sayAfter(ctx, v.Channel, v.ID, out)
	}
	var dm wireChannel
	open := call{
		method: http.MethodPost, path: "/users/@me/channels", route: "/users/@me/channels/" + v.User,
		body: map[string]string{"recipient_id": v.User},
	}
	if err := c.rest.do(ctx, open, &dm); err != nil {
		return "", err
	}
	return c.sayAfter(ctx, dm.ID, v.ID, out)
}

// inTime is what was shown of out as the answer of v, "" for nothing. Of a private answer whose fate is unknown nobody can
// tell by now: it is not repeated.
func (c *Channel) inTime(ctx context.Context, v via, out channels.Outgoing) (string, error) {
	a, err := c.attempts.last(ctx, v.line())
	switch {
	case err != nil || a.Nonce != nonceOf(out.Key):
		return "", err
	case a.settled:
		return a.Message, nil
	case v.Discreet:
		return "", errUnsettled
	}
	return c.find(ctx, v.Channel, v.ID, body(out.Text))
}

// line is the line of attempts at answering v as a command, beside those of the channels: not all of it is in a channel's
// history.
func (v via) line() string { return commandLine + v.ID }

// commandLine begins the lines of attempts of commands; what follows is the command's id.
const commandLine = "command "

// answersKept is how long it is known what was tried as the answer of a command. An answer is tried for a day or so, and
// after that as soon as the process starts.
const answersKept = 7 * 24 * time.Hour

// forgetAnswers drops what is kept of commands that were answered long ago.
func (c *Channel) forgetAnswers(ctx context.Context) error {
	for _, prefix := range []string{answers, attempted + commandLine} {
		keys, err := c.host.Store.Keys(ctx, prefix)
		if err != nil {
			return fmt.Errorf("look through the answers of Discord commands: %w", err)
		}
		for _, key := range keys {
			if c.host.Now().Sub(madeAt(key[len(prefix):])) <= answersKept {
				continue
			}
			if err := c.host.Store.Delete(ctx, key); err != nil {
				return fmt.Errorf("forget the answer of a Discord command: %w", err)
			}
			c.attempts.forget(strings.TrimPrefix(key, attempted))
		}
	}
	return nil
}
