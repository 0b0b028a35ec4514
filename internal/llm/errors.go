package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"familiar/prompts/answer"
)

// Kind classifies a failed request.
type Kind string

// The kinds.
const (
	// RateLimited: the provider accepts no more requests for now (429).
	RateLimited Kind = "rate limited"
	// Server: the provider failed (5xx), could not be reached, or sent an unreadable response.
	Server Kind = "server"
	// Auth: the provider rejects the key (401, 403; Google returns 400, which is Bad).
	Auth Kind = "auth"
	// Timeout: no answer, or no further piece of it, in time.
	Timeout Kind = "timeout"
	// Empty: the answer contains no text.
	Empty Kind = "empty"
	// Filtered: the provider withheld the whole answer.
	Filtered Kind = "filtered"
	// TooLong: the response is larger than any valid answer.
	TooLong Kind = "too long"
	// Bad: the provider rejects the request itself (other 4xx, redirects).
	Bad Kind = "bad"
	// ContextTooLong: the prompt and the answer do not fit into the model's context window.
	ContextTooLong Kind = "context too long"
	// Open: nothing was sent, since the provider failed too often in a row and is left alone for a while.
	Open Kind = "open"
	// Canceled: the caller cancelled.
	Canceled Kind = "canceled"
)

// Reason says more about some kinds, where other advice helps.
type Reason string

// The reasons.
const (
	// NoSuchModel (Bad): the provider has no model of that name, or the key may not use it.
	NoSuchModel Reason = "no such model"
	// WebPage (Server, Bad): a web page came in place of an answer.
	WebPage Reason = "web page"
	// OtherFormat (Server): the response is not in the provider's format.
	OtherFormat Reason = "other format"
	// NoCredit (Bad, RateLimited, Auth): nothing is left of what the account has paid.
	NoCredit Reason = "no credit"
	// OnlyThought (Empty): the model thought until its tokens were used up.
	OnlyThought Reason = "only thought"
)

// Error is why a model gave no answer. Its text is for the operator and contains no key.
type Error struct {
	Kind     Kind
	Provider string
	// Status is the HTTP status, 0 if there was no response.
	Status int
	// RetryAfter is how long the provider asked to wait, 0 if it did not.
	RetryAfter time.Duration
	// Detail is the provider's message, on one line, shortened, with keys removed.
	Detail string
	// Reason is why, "" if the kind says it all.
	Reason Reason
	// Limit is the size of the context window in tokens, of ContextTooLong, 0 if the provider did not name it.
	Limit int
	// Last is the failure after which the provider was left alone, of Open.
	Last *Error

	embedder bool
	// adapted reports that the next request to this model will have another form, which may succeed.
	adapted bool
	cause   error
}

var (
	errSlow = errors.New("no answer in time")
	errIdle = errors.New("the stream stopped sending")
)

// advice describes what happened and what to do, by kind.
var advice = map[Kind]string{
	RateLimited: "the provider accepts no more requests for now; wait, or raise the account's limits",
	Server:      "the provider is unreachable or failing; check model.base_url and the provider's status page",
	Auth:        "the provider rejects the API key; check model.api_key and its permissions",
	Timeout:     "no answer in time; raise model.timeout or choose a faster model",
	Empty:       "the answer was empty; if this repeats, raise model.max_tokens or choose another model",
	Filtered:    "the provider's content filter withheld the answer; if this repeats, choose another model",
	TooLong:     "the answer was larger than 1 MB and was not read; check the server at model.base_url",
	Bad: "the provider rejects the request; check model.model, model.base_url and model.max_tokens, " +
		"and with googleai model.api_key",
	ContextTooLong: "the prompt is longer than the model's context window; set model.context_tokens to its size",
	Open:           "it failed several times in a row and is not asked for a while",
	Canceled:       "the request was cancelled before the answer came",
}

// reasonAdvice replaces advice where the reason is known.
var reasonAdvice = map[Reason]string{
	NoSuchModel: "the provider has no such model, or the key may not use it; check model.model",
	WebPage:     "a web page came in place of an answer; check model.base_url (most servers want /v1 at its end) and proxies",
	OtherFormat: "the response is not in this provider's format; check model.provider and model.base_url",
	NoCredit:    "nothing is left of the account's credit; pay in, or set another model in model.fallbacks",
	OnlyThought: "the model only thought and used up its tokens; raise model.max_tokens, or set model.effort to low",
}

// embedderAdvice is the same for requests for vectors.
var embedderAdvice = map[Kind]string{
	RateLimited: "the provider accepts no more requests for now; pending texts are retried later",
	Server:      "the provider is unreachable, failing, or sends no vectors; check embedder.base_url and the provider's status page",
	Auth:        "the provider rejects the API key; check embedder.api_key and its permissions",
	Timeout:     "no vectors in time; raise embedder.timeout (embedder.query_timeout for queries) or choose a faster model",
	TooLong:     "the response was larger than 32 MB and was not read; check the server at embedder.base_url",
	Bad:         "the provider rejects the request; check embedder.model and embedder.base_url, and with googleai embedder.api_key",
	Canceled:    "the request was cancelled before the vectors came",
}

// Error returns the provider, the cause and the advice.
func (e *Error) Error() string {
	var b strings.Builder
	help := advice[e.Kind]
	switch {
	case e.embedder:
		help = embedderAdvice[e.Kind]
	case e.Reason != "":
		help = reasonAdvice[e.Reason]
	}
	fmt.Fprintf(&b, "ask %s: %s", e.Provider, help)
	if e.Kind == Open {
		fmt.Fprintf(&b, " (%s more); the last time, ", e.RetryAfter.Round(time.Second))
		b.WriteString(strings.TrimPrefix(e.Last.Error(), "ask "+e.Provider+": "))
		return b.String()
	}
	if e.Status != 0 {
		fmt.Fprintf(&b, " (status %d)", e.Status)
	}
	if e.RetryAfter > 0 {
		fmt.Fprintf(&b, " (it asked to wait %s)", e.RetryAfter.Round(time.Second))
	}
	if e.Detail != "" {
		b.WriteString(": " + e.Detail)
	}
	return b.String()
}

// Unwrap returns context.Canceled for Canceled, context.DeadlineExceeded for Timeout, otherwise nil: the underlying
// errors may contain URLs with keys.
func (e *Error) Unwrap() error { return e.cause }

// Is makes an answer without text answer.ErrEmpty, and a withheld one answer.ErrFiltered.
func (e *Error) Is(target error) bool {
	return e.Kind == Empty && target == answer.ErrEmpty || e.Kind == Filtered && target == answer.ErrFiltered
}

// Permanent reports that every prompt will fail like this for now: until the operator acts, or the provider recovers.
func (e *Error) Permanent() bool {
	return e.Kind == Auth || e.Kind == Open || e.Reason == NoSuchModel || e.Reason == NoCredit
}

// ContextLimit reports whether the prompt was too long, and the size of the context window in tokens, 0 if unknown.
func (e *Error) ContextLimit() (limit int, tooLong bool) {
	return e.Limit, e.Kind == ContextTooLong
}

// BrokeOff reports that an answer of which pieces came broke off, and another may not.
func (e *Error) BrokeOff() bool { return e.Kind == Server || e.Kind == Timeout }

// classify converts a failure to an Error. ctx is the attempt's context, or between attempts the caller's.
func (s Settings) classify(ctx context.Context, w *watch, err error) *Error {
	e := &Error{Provider: s.Provider, embedder: s.embedder}
	broken := w.failure()
	cause := context.Cause(ctx)
	e.Status, e.RetryAfter = w.response()
	switch {
	case errors.Is(broken, errTooLong):
		e.Kind = TooLong
		return e
	case errors.Is(cause, errIdle), errors.Is(cause, errSlow), errors.Is(cause, context.DeadlineExceeded):
		e.Kind, e.cause = Timeout, context.DeadlineExceeded
		return e
	case cause != nil:
		e.Kind, e.cause = Canceled, context.Canceled
		return e
	}
	if broken != nil {
		err = broken
	}
	e.refused(w.refusal(), isPage(w.opening()))
	if e.Kind == Auth {
		return e // providers often repeat part of the key here
	}
	if said := w.refusal().text; said != "" {
		e.Detail = detail(said, s.secrets()...)
	} else if err != nil {
		e.Detail = detail(err.Error(), s.secrets()...)
	}
	return e
}

// refused sets what the status and the body say.
func (e *Error) refused(r refusal, page bool) {
	if e.Status == http.StatusOK && r.status != 0 {
		e.Status = r.status // some servers send an error as an answer
	}
	switch {
	case e.Status == http.StatusTooManyRequests:
		e.Kind = RateLimited
	case e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden:
		e.Kind = Auth
		if r.unpaid() {
			e.Reason = NoCredit
		}
		return
	case (r.overContext() || e.Status == http.StatusRequestEntityTooLarge) && !e.embedder:
		e.Kind, e.Limit = ContextTooLong, r.limit()
	case e.Status >= 300 && e.Status < 500:
		e.Kind = Bad
		if r.modelMissing() {
			e.Reason = NoSuchModel
		}
	default:
		e.Kind = Server
	}
	if e.Status == http.StatusPaymentRequired || e.Status >= 300 && e.Status < 500 && r.unpaid() {
		e.Reason = NoCredit
	}
	if page && e.Kind != RateLimited && e.Status < 500 {
		e.Reason = WebPage
	}
}

// detailRunes is how much of a provider's message is kept.
const detailRunes = 300

// detail prepares a provider's message for a log: one line, short, without the keys in any of their encodings.
func detail(text string, keys ...string) string {
	for _, key := range keys {
		if key == "" {
			continue
		}
		for _, form := range []string{key, url.QueryEscape(key), url.PathEscape(key)} {
			text = strings.ReplaceAll(text, form, "[key]")
		}
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > detailRunes {
		return string(runes[:detailRunes]) + "…"
	}
	return text
}
