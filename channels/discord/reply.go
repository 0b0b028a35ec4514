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

// firstReplyPrefix starts the state store keys of commands, followed by the command's id. The value is the nonce of the
// chunk that is the first reply.
const firstReplyPrefix = "answer/"

// reply sends a chunk as the reply to a command. The first chunk replaces the "thinking" indicator, which can be
// repeated safely. Later chunks of a public reply are ordinary messages; those of a private reply are ephemeral. A
// command whose reply window has passed is answered with a message: for a private command, a direct message.
func (c *Channel) reply(ctx context.Context, out chunk) (string, error) {
	var v commandReply
	if err := json.Unmarshal([]byte(out.ReplyData), &v); err != nil {
		return "", &channels.SendError{Kind: channels.Permanent, Err: errors.New("parse the stored data for a command's reply: it is malformed")}
	}
	out.ReplyTo = "" // a command is not a message
	if c.host.Now().Sub(madeAt(v.ID)) > replyWindow {
		return c.replyAsMessage(ctx, v, out)
	}
	first, err := c.claimFirst(ctx, v, nonceOf(out.Key))
	switch {
	case err != nil:
		return "", err
	case first:
		return c.editDeferred(ctx, v, out)
	case v.Discreet:
		return c.sendEphemeral(ctx, v, out)
	}
	return c.postAfter(ctx, v.Channel, v.ID, out)
}

// claimFirst reports whether the chunk with that nonce is the first reply to v. If there is none yet, it becomes the
// first.
func (c *Channel) claimFirst(ctx context.Context, v commandReply, nonce string) (bool, error) {
	first, err := c.host.Store.Get(ctx, firstReplyPrefix+v.ID)
	if err == nil {
		return first == nonce, nil
	}
	if !errors.Is(err, channels.ErrNotFound) {
		return false, fmt.Errorf("look up the reply to a Discord command: %w", err)
	}
	if err := c.host.Store.Put(ctx, firstReplyPrefix+v.ID, nonce); err != nil {
		return false, fmt.Errorf("record the reply to a Discord command: %w", err)
	}
	return true, nil
}

// editDeferred replaces the "thinking" indicator with a chunk.
func (c *Channel) editDeferred(ctx context.Context, v commandReply, out chunk) (string, error) {
	a, earlier, err := c.attempts.begin(ctx, v.attemptKey(), nonceOf(out.Key), "")
	if err != nil {
		return "", err
	}
	c.pendingCommands.waitDeferred(ctx, v.ID)
	var made message
	err = c.rest.do(ctx, v.call(http.MethodPatch, "/messages/@original", out.payload("")), &made)
	if err != nil {
		return c.replyFailed(ctx, v, out, a, earlier, err)
	}
	c.pendingCommands.take(v.ID)
	c.attempts.succeeded(v.attemptKey(), a, made.ID)
	return made.ID, nil
}

// replyFailed handles the error err of a reply to v. If the command can no longer be answered, it replies with a
// message.
func (c *Channel) replyFailed(ctx context.Context, v commandReply, out chunk, a attempt, earlier bool, err error) (string, error) {
	if !earlier && notShown(err) {
		if err := c.attempts.withdraw(ctx, v.attemptKey(), a); err != nil {
			c.log.Debug("withdraw an attempt's record", "error", err)
		}
	}
	if isGone(err) {
		return c.replyAsMessage(ctx, v, out)
	}
	return "", err
}

// sendEphemeral shows one more chunk to the person who asked. Such a message has no nonce and cannot be looked up, so
// an attempt that may have succeeded is not repeated.
func (c *Channel) sendEphemeral(ctx context.Context, v commandReply, out chunk) (string, error) {
	a, earlier, err := c.attempts.begin(ctx, v.attemptKey(), nonceOf(out.Key), "")
	if err != nil {
		return "", err
	}
	if earlier && a.resolved {
		return a.Message, nil
	}
	if earlier {
		return "", errOutcomeUnknown
	}
	p := out.payload("")
	p.Flags = flagEphemeral
	var made message
	err = c.rest.do(ctx, v.call(http.MethodPost, "?wait=true", p), &made)
	if err != nil {
		return c.replyFailed(ctx, v, out, a, earlier, err)
	}
	c.attempts.succeeded(v.attemptKey(), a, made.ID)
	return made.ID, nil
}

// replyAsMessage sends a message in place of a reply whose window has passed, unless the reply was shown in time.
func (c *Channel) replyAsMessage(ctx context.Context, v commandReply, out chunk) (string, error) {
	if id, err := c.shownReply(ctx, v, out); id != "" || err != nil {
		return id, err
	}
	if !v.Discreet || v.Direct {
		return c.postAfter(ctx, v.Channel, v.ID, out)
	}
	var dm wireChannel
	open := call{
		method: http.MethodPost, path: "/users/@me/channels", route: "/users/@me/channels/" + v.User,
		body: map[string]string{"recipient_id": v.User},
	}
	if err := c.rest.do(ctx, open, &dm); err != nil {
		return "", err
	}
	return c.postAfter(ctx, dm.ID, v.ID, out)
}

// shownReply returns the id of the message that shows out as a reply to v, or "" if there is none. If the outcome of a
// private reply is unknown, it can no longer be determined, and the reply is not repeated.
func (c *Channel) shownReply(ctx context.Context, v commandReply, out chunk) (string, error) {
	a, err := c.attempts.last(ctx, v.attemptKey())
	switch {
	case err != nil || a.Nonce != nonceOf(out.Key):
		return "", err
	case a.resolved:
		return a.Message, nil
	case v.Discreet:
		return "", errOutcomeUnknown
	}
	return c.find(ctx, v.Channel, v.ID, func(m message) bool { return sameText(m.Content, formatBody(out.Text)) })
}

// attemptKey is the key of attempts to answer v as a command. They are kept apart from those of channels: a channel's
// history does not contain all of them.
func (v commandReply) attemptKey() string { return commandPrefix + v.ID }

// commandPrefix starts the attempt keys of commands, followed by the command's id.
const commandPrefix = "command "

// repliesKept is how long attempts to reply to a command are stored. A reply is retried for about a day, and again
// whenever the process starts.
const repliesKept = 7 * 24 * time.Hour

// pruneReplies deletes the records of commands answered long ago.
func (c *Channel) pruneReplies(ctx context.Context) error {
	for _, prefix := range []string{firstReplyPrefix, attemptPrefix + commandPrefix} {
		keys, err := c.host.Store.Keys(ctx, prefix)
		if err != nil {
			return fmt.Errorf("list the replies to Discord commands: %w", err)
		}
		for _, key := range keys {
			if c.host.Now().Sub(madeAt(key[len(prefix):])) <= repliesKept {
				continue
			}
			if err := c.host.Store.Delete(ctx, key); err != nil {
				return fmt.Errorf("delete the record of a reply to a Discord command: %w", err)
			}
			c.attempts.forget(strings.TrimPrefix(key, attemptPrefix))
		}
	}
	return nil
}
