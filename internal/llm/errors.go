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

// Kind is what went wrong with a request.
type Kind string

// The kinds.
const (
	// RateLimited: the provider takes no more requests for now (429).
	RateLimited Kind = "rate limited"
	// Server: the provider failed (5xx), could not be reached, or what it sent cannot be read.
	Server Kind = "server"
	// Auth: the provider does not accept the key (401, 403; Google says 400, which is Bad).
	Auth Kind = "auth"
	// Timeout: no answer, or no further piece of it, in time.
	Timeout Kind = "timeout"
	// Empty: the answer holds no text.
	Empty Kind = "empty"
	// TooLong: the response is larger than any answer.
	TooLong Kind = "too long"
	// Bad: the provider refuses the request as it is (other 4xx, redirects).
	Bad Kind = "bad"
	// Canceled: the caller gave up.
	Canceled Kind = "canceled"
)

// Error is why a model gave no answer. Its text is for the operator; no key is in it.
type Error struct {
	Kind     Kind
	Provider string
	// Status is the HTTP status, 0 when there was no response.
	Status int
	// RetryAfter is how long the provider asked to wait, 0 when it did not.
	RetryAfter time.Duration
	// Detail is the provider's own word on it, on one line, shortened, keys replaced.
	Detail string

	embeds bool
	cause  error
}

var (
	errSlow = errors.New("no answer in time")
	errIdle = errors.New("the stream fell silent")
)

// advice says what happened and what to do about it, by kind.
var advice = map[Kind]string{
	RateLimited: "the provider takes no more requests for now; wait, or raise the account's limits",
	Server:      "the provider is out of reach or failing; check model.base_url and the provider's status page",
	Auth:        "the provider does not accept the API key; check model.api_key and what the key may do",
	Timeout:     "no answer in time; raise model.timeout or choose a faster model",
	Empty:       "the answer was empty; if that repeats, raise model.max_tokens or choose another model",
	TooLong:     "the answer was larger than 1 MB and was not read; check what answers at model.base_url",
	Bad: "the provider refuses the request; check model.model, model.base_url and model.max_tokens, " +
		"and with googleai model.api_key",
	Canceled: "the request was given up before the answer came",
}

// embedderAdvice is the same where vectors were asked for.
var embedderAdvice = map[Kind]string{
	RateLimited: "the provider takes no more requests for now; what waits is tried again later",
	Server:      "the provider is out of reach, failing, or sends no vectors; check embedder.base_url and the provider's status page",
	Auth:        "the provider does not accept the API key; check embedder.api_key and what the key may do",
	Timeout:     "no vectors in time; raise embedder.timeout (embedder.query_timeout for what is asked) or choose a faster model",
	TooLong:     "the response was larger than 32 MB and was not read; check what answers at embedder.base_url",
	Bad:         "the provider refuses the request; check embedder.model and embedder.base_url, and with googleai embedder.api_key",
	Canceled:    "the request was given up before the vectors came",
}

// Error says who failed, how, and what to do.
func (e *Error) Error() string {
	var b strings.Builder
	help := advice
	if e.embeds {
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

// Unwrap is context.Canceled for Canceled, context.DeadlineExceeded for Timeout, nil otherwise: the causes beneath may
// carry addresses with keys in them.
func (e *Error) Unwrap() error { return e.cause }

// Permanent says that every prompt will fail like this until the operator does something about it.
func (e *Error) Permanent() bool { return e.Kind == Auth }

// classify turns what happened into an Error. ctx is the attempt's (or the caller's, between attempts).
func (s Settings) classify(ctx context.Context, w *watch, err error) *Error {
	e := &Error{Provider: s.Provider, embeds: s.embeds}
	broken := w.broken()
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
		return e // providers like to repeat part of the key here
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

// detailRunes is how much of a provider's word is kept.
const detailRunes = 300

// detail is a provider's word fit for a log: one line, short, without the key in any of the forms it travels in.
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
