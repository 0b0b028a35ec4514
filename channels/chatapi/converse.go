package chatapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"familiar/channels"
)

const (
	// answerTimeout is how long a request waits for its answer. Asked again, the program gets it.
	answerTimeout = 10 * time.Minute
	// keepAlive is how often a stream that says nothing shows that it is alive.
	keepAlive = 10 * time.Second
)

// converse hands over what is new in a request and answers with the persona's reply.
func (h *handler) converse(w http.ResponseWriter, r *http.Request, q request, d draft) *apiError {
	if _, ok := h.running(); !ok {
		return errNotStored
	}
	if !h.host.Allows(r.Context(), d.said[len(d.said)-1]) {
		return &apiError{
			status: http.StatusForbidden, kind: "permission_error", code: "not_admitted",
			message: "the persona does not listen here: see direct, adult and groups of channels.chatapi in familiar.yaml; a person who paused it ends that with /pause off",
		}
	}
	leave, bad := h.desk.enter(r.Context(), d.speaker.room)
	if bad != nil {
		return bad
	}
	defer leave()
	p, err := h.mailbox.plan(r.Context(), d)
	if err != nil {
		return h.failed(err)
	}
	a, err := h.newAnswer(r.Context(), w, q, p)
	if err != nil {
		return h.failed(err)
	}
	if !p.exchange.Done {
		waiting, end := h.desk.await(p, d.speaker.room)
		defer end()
		if bad := h.say(r.Context(), p); bad != nil {
			return bad
		}
		if bad := h.await(r.Context(), a, waiting, p); bad != nil {
			return a.fail(bad)
		}
	} else if err := h.stored(r.Context(), a, p.exchange); err != nil {
		return h.failed(err)
	}
	a.end()
	if r.Context().Err() != nil {
		return nil // the program did not wait for the answer: it gets the same when it asks again
	}
	if err := h.mailbox.take(r.Context(), p.roomKey, p.exchange.ID, p.unread); err != nil {
		h.log.Warn("note that an answer was received", "channel", name, "error", err)
	}
	return nil
}

// say hands over the messages of a plan.
func (h *handler) say(ctx context.Context, p plan) *apiError {
	for _, m := range p.hand {
		// A program that disconnects now is not told whether the message was stored, so it will be.
		if err := h.hand(context.WithoutCancel(ctx), m); err != nil {
			h.log.Warn("store a message", "room", m.Room, "error", err)
			return errNotStored
		}
	}
	return nil
}

// stored sends an answer that exists.
func (h *handler) stored(ctx context.Context, a *answer, e exchange) error {
	if e.Key == "" {
		a.finish("")
		return nil
	}
	texts, err := h.mailbox.texts(ctx, []string{e.Key})
	if err == nil {
		a.finish(strings.Join(texts, ""))
	}
	return err
}

// await sends the answer that a request waits for, as it is written if the program wants a stream.
func (h *handler) await(ctx context.Context, a *answer, w *waiter, p plan) *apiError {
	a.begin()
	if e, err := h.mailbox.look(ctx, p.roomKey, w.id); err != nil { // it may have been answered before the wait began
		return h.failed(err)
	} else if e.Done {
		if err := h.stored(ctx, a, e); err != nil {
			return h.failed(err)
		}
		return nil
	}
	ended, _ := h.running()
	late := time.NewTimer(answerTimeout)
	defer late.Stop()
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	for {
		select {
		case <-w.changed:
			soFar, text, done := h.desk.state(w)
			if done {
				a.finish(text)
				return nil
			}
			if !h.opts.WholeReplies {
				a.show(soFar)
			}
		case <-alive.C:
			a.keepAlive()
		case <-late.C:
			return errLate
		case <-ended:
			return errStopping
		case <-ctx.Done():
			return errStopping
		}
	}
}

// answerRaw asks the persona's model without the persona.
func (h *handler) answerRaw(w http.ResponseWriter, r *http.Request, q request, persona string) *apiError {
	var rules []string
	var talk []channels.TalkLine
	for i, m := range q.Messages {
		c, bad := q.read(i)
		switch {
		case bad != nil:
			return bad
		case strings.TrimSpace(c.text) == "":
		case m.Role == system || m.Role == developer:
			rules = append(rules, c.text)
		case m.Role == user || m.Role == assistant:
			talk = append(talk, channels.TalkLine{Own: m.Role == assistant, Text: c.text})
		}
	}
	if len(talk) == 0 || talk[len(talk)-1].Own {
		return badRequest("messages", "there is no message of the user to answer")
	}
	text, err := h.callers.Answer(r.Context(), persona, strings.Join(rules, "\n\n"), talk, max(q.MaxTokens, q.MaxCompletionTokens, 0))
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			h.log.Warn("ask the model for a program", "channel", name, "error", err)
		}
		return &apiError{
			status: http.StatusServiceUnavailable, kind: "server_error", code: "model_unavailable", retryAfter: errLate.retryAfter,
			message: "the model did not answer: its provider failed, or a limit of limits in familiar.yaml is reached",
		}
	}
	a := h.answerAs(w, q, "raw-"+strconv.FormatInt(h.host.Now().UnixNano(), 36))
	a.finish(text)
	a.end()
	return nil
}
