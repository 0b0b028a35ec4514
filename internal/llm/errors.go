package llm

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"
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
	// TooLong: the response is larger than any valid answer.
	TooLong Kind = "too long"
	// Bad: the provider rejects the request itself (other 4xx, redirects).
	Bad Kind = "bad"
	// Canceled: the caller cancelled.
	Canceled Kind = "canceled"
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

	embedder bool
	cause    error
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
	TooLong:     "the answer was larger than 1 MB and was not read; check the server at model.base_url",
	Bad: "the provider rejects the request; check model.model, model.base_url and model.max_tokens, " +
		"and with googleai model.api_key",
	Canceled: "the request was cancelled before the answer came",
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
	help := advice
	if e.embedder {
		help = embedderAdvice
	}
	fmt.Fprintf(&b, "ask %s: %s", e.Provider, help[e.Kind])
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

// Permanent reports that every prompt will fail like this until the operator acts.
func (e *Error) Permanent() bool { return e.Kind == Auth }

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
	case e.Status == 429:
		e.Kind = RateLimited
	case e.Status == 401 || e.Status == 403:
		e.Kind = Auth
		return e // providers often repeat part of the key here
	case e.Status >= 300 && e.Status < 500:
		e.Kind = Bad
	default:
		e.Kind = Server
	}
	if broken != nil {
		err = broken
	}
	if err != nil {
		e.Detail = detail(err.Error(), s.APIKey)
	}
	return e
}

// detailRunes is how much of a provider's message is kept.
const detailRunes = 300

// detail prepares a provider's message for a log: one line, short, without the key in any of its encodings.
func detail(text, key string) string {
	if key != "" {
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
