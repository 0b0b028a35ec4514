package chatapi

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"familiar/channels"
)

const (
	prefix          = "/v1/"
	completionsPath = "/v1/chat/completions"
	// maxBody is the maximum length of a request in bytes: a long conversation with some pictures. A body longer than
	// heavyBody is long; maxHeavy of them are read at a time.
	maxBody, heavyBody, maxHeavy = 32 << 20, 1 << 20, 4
	// rawSuffix after a persona's key names its model without the persona. The header headerRemember with the value "false"
	// asks for the same.
	rawSuffix      = "-raw"
	headerRemember = "X-Familiar-Remember"
)

// handler answers programs.
type handler struct {
	*Channel
	callers channels.Callers
	since   time.Time
}

// Handler implements channels.Endpoint.
func (c *Channel) Handler(callers channels.Callers) channels.Mount {
	h := &handler{Channel: c, callers: callers, since: c.host.Now()}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", h.with(h.models))
	mux.HandleFunc("GET /v1/models/{model}", h.with(h.model))
	mux.HandleFunc("POST "+completionsPath, h.with(h.completions))
	mux.HandleFunc(prefix, h.with(func(w http.ResponseWriter, r *http.Request, _ channels.Caller) {
		(&apiError{
			status: http.StatusNotFound, kind: "invalid_request_error", code: "unknown_url",
			message: r.Method + " " + r.URL.Path + " does not exist: there are POST /v1/chat/completions and GET /v1/models",
		}).write(w)
	}))
	return channels.Mount{Prefix: prefix, MaxBody: maxBody, Handler: mux}
}

// with calls next for a program with a valid token.
func (h *handler) with(next func(http.ResponseWriter, *http.Request, channels.Caller)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") {
			token = ""
		}
		caller, err := h.callers.Authenticate(r.Context(), name, strings.TrimSpace(token))
		switch {
		case errors.Is(err, channels.ErrUnauthorized):
			(&apiError{
				status: http.StatusUnauthorized, kind: "invalid_request_error", code: "invalid_api_key", wantsAuthentication: true,
				message: "the API key is not valid: `familiar token create` makes one",
			}).write(w)
		case err != nil:
			h.log.Warn("check the token of a request", "channel", name, "error", err)
			(&apiError{
				status: http.StatusServiceUnavailable, kind: "server_error", retryAfter: errNotStored.retryAfter,
				message: "the API key could not be checked: try again",
			}).write(w)
		default:
			next(w, r, caller)
		}
	}
}

// modelBody is the JSON of a model.
type modelBody struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
	// Name is what some clients show.
	Name string `json:"name"`
}

// modelsOf returns the models that a caller may use.
func (h *handler) modelsOf(c channels.Caller) []modelBody {
	called := h.callers.PersonaName(c.Persona)
	if called == "" {
		return []modelBody{}
	}
	all := []modelBody{{c.Persona, "model", h.since.Unix(), "familiar", called}}
	if h.callers.Answer != nil {
		all = append(all, modelBody{c.Persona + rawSuffix, "model", h.since.Unix(), "familiar", called + " (without memory)"})
	}
	return all
}

func (h *handler) models(w http.ResponseWriter, _ *http.Request, c channels.Caller) {
	writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": h.modelsOf(c)})
}

func (h *handler) model(w http.ResponseWriter, r *http.Request, c channels.Caller) {
	for _, m := range h.modelsOf(c) {
		if m.ID == r.PathValue("model") {
			writeJSON(w, http.StatusOK, m)
			return
		}
	}
	unknownModel(r.PathValue("model")).write(w)
}

func unknownModel(model string) *apiError {
	const longest = 100
	if len(model) > longest {
		model = strings.ToValidUTF8(model[:longest], "") + "…"
	}
	return &apiError{
		status: http.StatusNotFound, kind: "invalid_request_error", code: "model_not_found", param: "model",
		message: "the model " + model + " does not exist, or this API key may not use it: GET /v1/models lists those it may",
	}
}

// completions answers a chat completion.
func (h *handler) completions(w http.ResponseWriter, r *http.Request, c channels.Caller) {
	q, bad := h.readBody(w, r)
	if bad == nil {
		bad = h.complete(w, r, c, q)
	}
	if bad != nil {
		h.log.Debug("refuse a request", "channel", name, "status", bad.status, "code", cmp.Or(bad.code, bad.param))
		bad.write(w)
	}
}

// readBody reads a request. Long ones are read a few at a time, so that many cost no more memory.
func (h *handler) readBody(w http.ResponseWriter, r *http.Request) (q request, _ *apiError) {
	tooLong := &apiError{
		status: http.StatusRequestEntityTooLarge, kind: "invalid_request_error", code: "request_too_large",
		message: "the request is longer than 32 MB: send fewer messages or smaller pictures",
	}
	if r.ContentLength > maxBody {
		return q, tooLong
	}
	if r.ContentLength > heavyBody || r.ContentLength < 0 {
		select {
		case h.heavy <- struct{}{}:
			defer func() { <-h.heavy }()
		default:
			return q, errBusy
		}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, long := errors.AsType[*http.MaxBytesError](err); long {
		return q, tooLong
	}
	if err != nil {
		return q, badRequest("", "the request could not be read to its end")
	}
	return parseRequest(body)
}

// complete answers a request, or returns the error to answer with.
func (h *handler) complete(w http.ResponseWriter, r *http.Request, c channels.Caller, q request) *apiError {
	key, raw := strings.CutSuffix(q.Model, rawSuffix)
	raw = raw || strings.EqualFold(r.Header.Get(headerRemember), "false")
	switch {
	case key != c.Persona || h.callers.PersonaName(key) == "", raw && h.callers.Answer == nil:
		return unknownModel(q.Model)
	case c.Refusal != "":
		return &apiError{status: http.StatusForbidden, kind: "permission_error", message: c.Refusal}
	case c.ReadOnly:
		return &apiError{status: http.StatusForbidden, kind: "permission_error", message: "this API key only reads: create one without --read-only"}
	case raw:
		return h.answerRaw(w, r, q, key)
	}
	who, bad := speakerOf(c, q.User, r.Header)
	if bad != nil {
		return bad
	}
	d, bad := h.draft(r, q, who)
	if bad != nil {
		return bad
	}
	return h.converse(w, r, q, d)
}

// maxFresh is how many messages of the user may stand after the last answer.
const maxFresh = 64

// draft finds what a request says that is new.
func (h *handler) draft(r *http.Request, q request, who speaker) (d draft, _ *apiError) {
	from, to := q.fresh()
	d = draft{speaker: who, retry: r.Header.Get("X-Stainless-Retry-Count") > "0"}
	now := h.host.Now()
	for i := from; i < to; i++ {
		if q.Messages[i].Role != user {
			continue
		}
		c, bad := q.read(i)
		if bad != nil {
			return d, bad
		}
		if strings.TrimSpace(c.text) == "" && len(c.parts) == 0 {
			continue
		}
		switch {
		case len(c.text) > maxText:
			return d, &apiError{
				status: http.StatusBadRequest, kind: "invalid_request_error", code: "string_above_max_length", param: "messages",
				message: "a message is longer than 256 kB",
			}
		case len(d.said) == maxFresh:
			return d, badRequest("messages", "more than 64 messages of the user follow the last answer: send the answers too")
		}
		m := channels.Message{
			Room: who.room, Author: who.author, Direct: who.direct, Text: c.text, At: now, For: strings.TrimSuffix(q.Model, rawSuffix), Complete: true, Admitted: true,
		}
		if !who.direct {
			m.RoomTitle = who.room.ID
		}
		if bad := h.attach(r.Context(), &m, c.parts); bad != nil {
			return d, bad
		}
		print, err := h.mailbox.digest(r.Context(), who.room.ID, m.For, who.author.Handle.ID, string(q.Messages[i].Content), q.before(i), strconv.Itoa(q.nth(i)))
		if err != nil {
			return d, h.failed(err)
		}
		d.said, d.prints = append(d.said, m), append(d.prints, print)
	}
	if len(d.said) == 0 {
		return d, badRequest("messages", "there is no message of the user to answer")
	}
	d.said[len(d.said)-1].Addressed = true
	return d, nil
}

// failed logs why something could not be stored or read, and returns the error to answer with.
func (h *handler) failed(err error) *apiError {
	if !errors.Is(err, context.Canceled) {
		h.log.Warn("answer a request", "channel", name, "error", err)
	}
	return errNotStored
}
