package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"familiar/channels"
)

// replyWindow is how long a command can be answered: 15 minutes, minus the time a reply may take in transit.
const replyWindow = 15*time.Minute - restTimeout

// commandReply is the data needed to answer a command. It passes through the store as text; its JSON keys must not
// change.
type commandReply struct {
	ID    string `json:"id"`
	App   string `json:"app"`
	Token string `json:"token"`
	// User asked, in Channel; Direct reports that nobody else reads that channel.
	User     string `json:"user"`
	Channel  string `json:"channel"`
	Direct   bool   `json:"direct,omitempty"`
	Discreet bool   `json:"discreet,omitempty"`
}

// pendingCommand is a received command without a reply.
type pendingCommand struct {
	reply commandReply
	// deferred is closed once Discord was notified that a reply will follow, or could not be notified.
	deferred chan struct{}
}

// pendingCommands holds the commands waiting for a reply, by id, and those that will get none.
type pendingCommands struct {
	now        func() time.Time
	mu         sync.Mutex
	waiting    map[string]*pendingCommand
	unanswered chan *pendingCommand
}

// maxUnanswered is how many commands wait for the removal of their "thinking" indicator; for any more it expires by
// itself.
const maxUnanswered = 64

func newPendingCommands(now func() time.Time) *pendingCommands {
	return &pendingCommands{now: now, waiting: make(map[string]*pendingCommand), unanswered: make(chan *pendingCommand, maxUnanswered)}
}

func (qs *pendingCommands) add(v commandReply) *pendingCommand {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	for id := range qs.waiting {
		if qs.now().Sub(madeAt(id)) > replyWindow {
			delete(qs.waiting, id)
		}
	}
	q := &pendingCommand{reply: v, deferred: make(chan struct{})}
	qs.waiting[v.ID] = q
	return q
}

func (qs *pendingCommands) take(id string) (*pendingCommand, bool) {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	q, ok := qs.waiting[id]
	delete(qs.waiting, id)
	return q, ok
}

// pendingIn reports whether a command in channel waits for its reply.
func (qs *pendingCommands) pendingIn(channel string) bool {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	for id, q := range qs.waiting {
		if q.reply.Channel == channel && qs.now().Sub(madeAt(id)) <= replyWindow {
			return true
		}
	}
	return false
}

// waitDeferred waits until Discord was notified that a reply to the command will follow.
func (qs *pendingCommands) waitDeferred(ctx context.Context, id string) {
	qs.mu.Lock()
	q, ok := qs.waiting[id]
	qs.mu.Unlock()
	if ok {
		q.wait(ctx)
	}
}

func (q *pendingCommand) wait(ctx context.Context) {
	select {
	case <-q.deferred:
	case <-ctx.Done():
	}
}

// onCommand handles a command, what is typed of one, or a pressed button. Once a command it is stored, it tells Discord that a reply will follow, which Discord must know
// within three seconds.
func (h *receiver) onCommand(ctx context.Context, e event) {
	decode(h, e, func(i interaction) {
		switch i.Type {
		case interactionTyping:
			h.suggest(ctx, i)
			return
		case interactionPress:
			h.onPress(ctx, i)
			return
		case interactionCommand:
		default:
			return
		}
		limited, cancel := context.WithTimeout(ctx, replyWindow)
		defer cancel()
		p, err := h.lookupChat(limited, i.ChannelID, i.GuildID, h.rest.doRetrying)
		if err != nil { // Discord tells the user that the command failed
			if !contextDone(ctx) {
				h.log.Warn("check a command", "interaction", i.ID, "error", err)
			}
			return
		}
		msg, v := convertCommand(i, p, h.commands.named(i.Data.Name))
		q := h.pendingCommands.add(v)
		defer close(q.deferred)
		if h.untilDone(ctx, "store a command", func() error { return h.accept(ctx, msg) }) {
			h.deferAnswer(ctx, v)
		}
	})
}

// convertCommand returns a command as if it had been typed, and the data needed to reply.
func convertCommand(i interaction, p chat, k channels.Command) (channels.Message, commandReply) {
	author := i.by()
	v := commandReply{
		ID: i.ID, App: i.AppID, Token: i.Token, User: author.Handle.ID, Channel: p.ID, Direct: p.direct(), Discreet: k.PrivateReply,
	}
	return channels.Message{
		ID: i.ID, Room: p.room(), Author: author, Direct: p.direct(), Server: p.Guild, RoomTitle: p.Title, Text: typed(i, k),
		At: madeAt(i.ID), Addressed: true, ReplyData: v.text(), PrivateReply: k.PrivateReply,
	}, v
}

// typed returns a command as it would be typed: its name and the values of its options in the order of their definition, since
// they arrive in the order in which they were filled in.
func typed(i interaction, k channels.Command) string {
	place := func(o option) int {
		return slices.IndexFunc(k.Options, func(known channels.Option) bool { return known.Name == o.Name })
	}
	words := []string{"/" + i.Data.Name}
	for _, o := range slices.SortedStableFunc(slices.Values(i.Data.Options), func(a, b option) int { return place(a) - place(b) }) {
		words = append(words, strings.TrimSpace(optionText(o.Value)))
	}
	return strings.Join(words, " ")
}

// optionText returns the value of a command option as text.
func optionText(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

func (v commandReply) text() string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and booleans always encode
	}
	return string(text)
}

// callbackTimeout is how long telling Discord what becomes of an interaction may take.
const callbackTimeout = 3 * time.Second

// deferAnswer shows the "thinking" indicator. If that fails, the reply is sent as a message.
func (h *receiver) deferAnswer(ctx context.Context, v commandReply) {
	data := map[string]any{}
	if v.Discreet {
		data["flags"] = flagEphemeral
	}
	h.callback(ctx, v.ID, v.Token, callbackDeferred, data)
}

// callback tells Discord what becomes of an interaction: a reply that will follow, a message, a change of the message with the button
// that was pressed, or nothing.
func (h *receiver) callback(ctx context.Context, id, token string, kind int, data any) {
	ctx, cancel := context.WithTimeout(ctx, callbackTimeout)
	defer cancel()
	err := h.rest.doRetrying(ctx, callbackCall(id, token, kind, data), nil)
	if refused, ok := errors.AsType[*apiError](err); ok && refused.Code == codeAlreadyAnswered {
		err = nil
	}
	if err != nil {
		h.log.Warn("tell Discord what becomes of a command or a pressed button", "interaction", id, "error", err)
	}
}

func callbackCall(id, token string, kind int, data any) call {
	body := map[string]any{"type": kind}
	if data != nil {
		body["data"] = data
	}
	return call{
		method: http.MethodPost, path: fmt.Sprintf("/interactions/%s/%s/callback", id, token), route: "/interactions/" + id, body: body, anonymous: true,
	}
}

// NoReply removes the "thinking" indicator of the command with that id. It returns at once.
func (c *Channel) NoReply(id string) {
	q, ok := c.pendingCommands.take(id)
	if !ok {
		return
	}
	select {
	case c.pendingCommands.unanswered <- q:
	default:
	}
}

// removeUnanswered removes the indicators of the commands passed to NoReply until ctx ends.
func (c *Channel) removeUnanswered(ctx context.Context) {
	for {
		select {
		case q := <-c.pendingCommands.unanswered:
			q.wait(ctx)
			if err := c.rest.do(ctx, q.reply.call(http.MethodDelete, "/messages/@original", nil), nil); err != nil {
				c.log.Debug("remove the thinking indicator of a command", "interaction", q.reply.ID, "error", err)
			}
		case <-ctx.Done():
			return
		}
	}
}

// call returns a request about the command's reply.
func (v commandReply) call(method, rest string, body any) call {
	return call{
		method: method, path: fmt.Sprintf("/webhooks/%s/%s%s", v.App, v.Token, rest), route: "/webhooks/" + v.ID + rest, body: body, anonymous: true,
	}
}
