package speech

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Kind classifies a failure.
type Kind string

// The kinds.
const (
	// Auth: the server rejects the key.
	Auth Kind = "auth"
	// RateLimited: the server accepts no more requests for now, or the account is used up.
	RateLimited Kind = "rate limited"
	// Unavailable: the server failed, could not be reached, or sent something that is no answer.
	Unavailable Kind = "unavailable"
	// Timeout: no answer in time.
	Timeout Kind = "timeout"
	// Refused: the server rejects the request.
	Refused Kind = "refused"
	// Format: the recording is in a format that neither the server takes nor anything here converts.
	WrongFormat Kind = "format"
	// TooLarge: the recording is longer or larger than allowed.
	TooLarge Kind = "too large"
	// Nonsense: more words came than anybody can say in that time, or no speech where some was asked for.
	Nonsense Kind = "nonsense"
	// Missing: a program is not installed.
	Missing Kind = "missing"
	// Canceled: the caller cancelled.
	Canceled Kind = "canceled"
)

// Error is why a recording has no transcript, or a text no recording. Its text is for the operator and holds no key and nothing that was
// said.
type Error struct {
	Kind Kind
	// Act is what was attempted, Section the section of the configuration that it is set in.
	Act, Section string
	// Status is the HTTP status, 0 if there was no response.
	Status int
	// RetryAfter is how long the server asked to wait, 0 if it did not.
	RetryAfter time.Duration
	// Detail says more, on one line.
	Detail string

	cause error
}

// Error returns what was attempted, the cause and what to do.
func (e *Error) Error() string {
	text := e.Act + ": " + e.advice()
	if e.Status != 0 {
		text += fmt.Sprintf(" (status %d)", e.Status)
	}
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

func (e *Error) advice() string {
	switch e.Kind {
	case Auth:
		return "the server rejects the API key; check " + e.Section + ".api_key"
	case RateLimited:
		return "the server accepts no more for now; wait, or raise the account's limits"
	case Unavailable:
		return "the server is unreachable or failing; check " + e.Section + ".base_url"
	case Timeout:
		return "no answer in time; raise " + e.Section + ".timeout or choose a faster model"
	case Refused:
		return "the server rejects the request; check " + e.Section + ".model and " + e.Section + ".base_url"
	case WrongFormat:
		return "the server does not take this format; install ffmpeg, which converts it"
	case TooLarge:
		return "it is longer or larger than allowed; see " + e.Section
	case Nonsense:
		return "the answer makes no sense; choose another model in " + e.Section
	case Missing:
		return "a program is not installed"
	}
	return "it was cancelled"
}

// Unwrap returns context.Canceled or context.DeadlineExceeded where one of them is the cause.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether target is an Error of the same kind and of nothing else.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && *other == Error{Kind: e.Kind}
}

// retried reports whether the same request may succeed in a moment.
func (e *Error) retried() bool {
	return e.Kind == RateLimited || e.Kind == Unavailable
}

// kindOf returns what a status means.
func kindOf(status int) Kind {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return Auth
	case status == http.StatusTooManyRequests, status == http.StatusPaymentRequired:
		return RateLimited
	case status == http.StatusRequestEntityTooLarge:
		return TooLarge
	case status == http.StatusRequestTimeout, status >= http.StatusInternalServerError:
		return Unavailable
	}
	return Refused
}

// unreached returns why there was no response.
func unreached(ctx context.Context, err error) *Error {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, context.DeadlineExceeded):
		return &Error{Kind: Timeout, cause: context.DeadlineExceeded}
	case cause != nil:
		return &Error{Kind: Canceled, cause: context.Canceled}
	}
	return &Error{Kind: Unavailable, Detail: err.Error()}
}
