package discord

import (
	"errors"
	"net/http"

	"familiar/channels"
)

// Discord's own codes that make a difference.
const (
	codeUnknownChannel  = 10003
	codeUnknownMessage  = 10008
	codeCannotSendUser  = 50007
	codeNoSharedGuild   = 50278
	codeAlreadyAnswered = 40060
)

// errUnsettled is a private chunk whose earlier attempt may have been shown, which Discord cannot tell.
var errUnsettled = errors.New("this part of a private answer may have been shown, which cannot be looked up")

// sendError says what err means for the chunk.
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
	if errors.Is(err, errUnsettled) {
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
		return channels.Temporary // the token can be mended; it is not tried before
	case e.Status >= http.StatusInternalServerError:
		return channels.Ambiguous
	default:
		return channels.Permanent
	}
}

// surelyNotShown says that the request that ended with err left nothing on Discord.
func surelyNotShown(err error) bool {
	if refused, ok := errors.AsType[*apiError](err); ok {
		return refused.kind() != channels.Ambiguous
	}
	if lost, ok := errors.AsType[*netError](err); ok {
		return !lost.Written
	}
	return errors.Is(err, errToken)
}

// gone says that what err is about is not there, or not for the persona.
func gone(err error) bool {
	refused, ok := errors.AsType[*apiError](err)
	return ok && (refused.Status == http.StatusNotFound || refused.Status == http.StatusForbidden ||
		refused.Status == http.StatusUnauthorized || refused.Status == http.StatusBadRequest)
}
