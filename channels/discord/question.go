package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"familiar/channels"
)

// answerable is for how long a command can be answered: 15 minutes, less what an answer may take on its way.
const answerable = 15*time.Minute - restTimeout

// via is what is needed to answer a command. It travels through the store as text.
type via struct {
	ID    string `json:"id"`
	App   string `json:"app"`
	Token string `json:"token"`
	// User asked, in Channel; Direct says that nobody else reads that.
	User     string `json:"user"`
	Channel  string `json:"channel"`
	Direct   bool   `json:"direct,omitempty"`
	Discreet bool   `json:"discreet,omitempty"`
}

// question is a command that was heard and not answered.
type question struct {
	via via
	// told is closed once Discord was told that an answer will come, or could not be told.
	told chan struct{}
}

// questions are the commands that wait for an answer, by their ids, and those that will get none.
type questions struct {
	now     func() time.Time
	mu      sync.Mutex
	waiting map[string]*question
	moot    chan *question
}

// mootAtMost is how many commands wait to be taken back; of any more the sign that the persona thinks ends by itself.
const mootAtMost = 64

func newQuestions(now func() time.Time) *questions {
	return &questions{now: now, waiting: make(map[string]*question), moot: make(chan *question, mootAtMost)}
}

func (qs *questions) add(v via) *question {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	for id := range qs.waiting {
		if qs.now().Sub(madeAt(id)) > answerable {
			delete(qs.waiting, id)
		}
	}
	q := &question{via: v, told: make(chan struct{})}
	qs.waiting[v.ID] = q
	return q
}

func (qs *questions) take(id string) (*question, bool) {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	q, ok := qs.waiting[id]
	delete(qs.waiting, id)
	return q, ok
}

// waitIn says that a command waits for its answer in channel.
func (qs *questions) waitIn(channel string) bool {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	for id, q := range qs.waiting {
		if q.via.Channel == channel && qs.now().Sub(madeAt(id)) <= answerable {
			return true
		}
	}
	return false
}

// told waits until Discord was told that an answer to the command will come.
func (qs *questions) told(ctx context.Context, id string) {
	qs.mu.Lock()
	q, ok := qs.waiting[id]
	qs.mu.Unlock()
	if ok {
		q.wait(ctx)
	}
}

func (q *question) wait(ctx context.Context) {
	select {
	case <-q.told:
	case <-ctx.Done():
	}
}

// asked hears a command and, once it is kept, tells Discord that an answer will come, which it wants to know within
// three seconds.
func (h *hearer) asked(ctx context.Context, e event) {
	decode(h, e, func(i interaction) {
		if i.Type != interactionCommand {
			return
		}
		soon, cancel := context.WithTimeout(ctx, answerable)
		defer cancel()
		p, err := h.place(soon, i.ChannelID, i.GuildID, h.rest.patiently)
		if err != nil { // Discord tells who asked that nobody answered
			if !over(ctx) {
				h.log.Warn("hear a command", "interaction", i.ID, "error", err)
			}
			return
		}
		heard, v := convertCommand(i, p, h.commands.discreet(i.Data.Name))
		q := h.questions.add(v)
		defer close(q.told)
		if h.insist(ctx, "keep a command", func() error { return h.accept(ctx, heard) }) {
			h.deferAnswer(ctx, v)
		}
	})
}

// convertCommand is a command as if it had been typed, and what is needed to answer it.
func convertCommand(i interaction, p place, discreet bool) (channels.Message, via) {
	words := []string{"/" + i.Data.Name}
	for _, o := range i.Data.Options {
		words = append(words, optionText(o.Value))
	}
	author := channels.Author{}
	switch {
	case i.Member != nil && i.Member.User != nil:
		author = i.Member.author(*i.Member.User)
	case i.User != nil:
		author = (*member)(nil).author(*i.User)
	}
	v := via{
		ID: i.ID, App: i.AppID, Token: i.Token, User: author.Handle.ID, Channel: p.ID, Direct: p.direct(), Discreet: discreet,
	}
	return channels.Message{
		ID: i.ID, Room: p.room(), Author: author, Direct: p.direct(), RoomTitle: p.Title, Text: strings.Join(words, " "),
		At: madeAt(i.ID), Addressed: true, ReplyData: v.text(), PrivateReply: discreet,
	}, v
}

// optionText is what somebody put into a command's field.
func optionText(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

func (v via) text() string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and truths have a form in JSON
	}
	return string(text)
}

// deferWithin is for how long it is tried to tell Discord that an answer will come.
const deferWithin = 3 * time.Second

// deferAnswer shows that the persona thinks. When that fails the answer is said as a message.
func (h *hearer) deferAnswer(ctx context.Context, v via) {
	ctx, cancel := context.WithTimeout(ctx, deferWithin)
	defer cancel()
	data := map[string]any{}
	if v.Discreet {
		data["flags"] = flagEphemeral
	}
	err := h.rest.patiently(ctx, call{
		method: http.MethodPost, path: fmt.Sprintf("/interactions/%s/%s/callback", v.ID, v.Token), route: "/interactions/" + v.ID,
		body: map[string]any{"type": callbackDeferred, "data": data}, anonymous: true,
	}, nil)
	if refused, ok := errors.AsType[*apiError](err); ok && refused.Code == codeAlreadyAnswered {
		err = nil
	}
	if err != nil {
		h.log.Warn("tell Discord that an answer will come", "interaction", v.ID, "error", err)
	}
}

// NoReply takes back that the persona thinks about the command with that id. It returns at once.
func (c *Channel) NoReply(id string) {
	q, ok := c.questions.take(id)
	if !ok {
		return
	}
	select {
	case c.questions.moot <- q:
	default:
	}
}

// settleQuestions takes back what Settle names until ctx ends.
func (c *Channel) settleQuestions(ctx context.Context) {
	for {
		select {
		case q := <-c.questions.moot:
			q.wait(ctx)
			if err := c.rest.do(ctx, q.via.call(http.MethodDelete, "/messages/@original", nil), nil); err != nil {
				c.log.Debug("take back that an answer will come", "interaction", q.via.ID, "error", err)
			}
		case <-ctx.Done():
			return
		}
	}
}

// call is a request about the answer of the command.
func (v via) call(method, rest string, body any) call {
	return call{
		method: method, path: fmt.Sprintf("/webhooks/%s/%s%s", v.App, v.Token, rest), route: "/webhooks/" + v.ID + rest, body: body, anonymous: true,
	}
}
