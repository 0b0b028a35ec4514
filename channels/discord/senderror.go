package discord

import (
	"errors"
	"net/http"

	"familiar/channels"
)

// Discord error codes that are handled separately.
const (
	codeUnknownChannel  = 10003
	codeUnknownMessage  = 10008
	codeCannotSendUser  = 50007
	codeNoSharedGuild   = 50278
	codeAlreadyAnswered = 40060
)

// errOutcomeUnknown reports that an earlier attempt at a chunk of a private reply may have been shown, which Discord
// cannot tell.
var errOutcomeUnknown = errors.New("this part of a private reply may have been shown; Discord cannot look it up")

// sendError returns what err means for the chunk.
func sendError(err error) error {
	if known, ok := errors.AsType[*channels.SendError](err); ok {
		return known
	}
	e := &channels.SendError{Kind: channels.Temporary, Err: err}
	if refused, ok := errors.AsType[*apiError](err); ok {
		e.Kind, e.RetryAfter = refused.kind(), refused.RetryAfter
		return e
	}
	if lost, ok := errors.AsType[*netError](err); ok && lost.Written {
		e.Kind = channels.Ambiguous
	}
	if errors.Is(err, errOutcomeUnknown) {
		e.Kind = channels.Permanent
	}
	return e
}

func (e *apiError) kind() channels.SendKind {
	switch {
	case e.Status == http.StatusTooManyRequests:
		return channels.RateLimited
	case e.Code == codeCannotSendUser, e.Code == codeNoSharedGuild:
		return channels.Blocked
	case e.Status == http.StatusUnauthorized:
		return channels.Temporary // the token can be replaced; nothing is sent before that
	case e.Status >= http.StatusInternalServerError:
		return channels.Ambiguous
	default:
		return channels.Permanent
	}
}

// notShown reports that the failed request certainly had no effect on Discord.
func notShown(err error) bool {
	if refused, ok := errors.AsType[*apiError](err); ok {
		return refused.kind() != channels.Ambiguous
	}
	if lost, ok := errors.AsType[*netError](err); ok {
		return !lost.Written
	}
	return errors.Is(err, errToken)
}

// isGone reports that the object of the request does not exist or is not accessible.
func isGone(err error) bool {
	refused, ok := errors.AsType[*apiError](err)
	return ok && (refused.Status == http.StatusNotFound || refused.Status == http.StatusForbidden ||
		refused.Status == http.StatusUnauthorized || refused.Status == http.StatusBadRequest)
}
