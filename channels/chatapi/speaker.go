package chatapi

import (
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"familiar/channels"
)

// The headers that name a person and a group. Chat clients with users of their own forward theirs.
const (
	headerForwardedID   = "X-OpenWebUI-User-Id"
	headerForwardedName = "X-OpenWebUI-User-Name"
	headerRoom          = "X-Familiar-Room"
)

// reserved begins the accounts that belong to tokens: no request can name one.
const reserved = "~"

// maxName is the maximum length of accounts and rooms in bytes.
const maxName = 256

// speaker is who speaks in a request, and where.
type speaker struct {
	author channels.Author
	room   channels.Room
	direct bool
}

// speakerOf finds who speaks. A token of one person always speaks as that person, whatever the request names.
func speakerOf(caller channels.Caller, named string, h http.Header) (s speaker, _ *apiError) {
	account, display := caller.Account, caller.Name
	if account == "" {
		if account = named; account == "" {
			account, display = h.Get(headerForwardedID), forwardedName(h)
		}
		if bad := checkName("user", account); bad != nil {
			return s, bad
		}
		if display == "" {
			display = account
		}
		account = caller.Prefix + account
	}
	group := caller.Group
	if asked := h.Get(headerRoom); asked != "" {
		if !caller.AnyGroup && asked != group {
			return s, &apiError{status: http.StatusForbidden, kind: "permission_error", param: headerRoom, message: "this token does not speak in that room"}
		}
		if bad := checkName(headerRoom, asked); bad != nil {
			return s, bad
		}
		group = asked
	}
	s.author = channels.Author{Handle: channels.Handle{Channel: name, ID: account}, Name: display}
	s.room, s.direct = channels.Room{Channel: name, ID: group}, group == ""
	if s.direct {
		s.room.ID = "@" + account
	}
	return s, nil
}

// forwardedName returns the display name that a client forwards. Names that are not ASCII are percent-encoded.
func forwardedName(h http.Header) string {
	text := h.Get(headerForwardedName)
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// checkName reports what is wrong with the id of an account or a room.
func checkName(param, id string) *apiError {
	switch {
	case strings.TrimSpace(id) == "":
		return badRequest(param, "this token speaks for several people: name the person in user, or in the header "+headerForwardedID)
	case len(id) > maxName:
		return badRequest(param, "the name is longer than 256 bytes")
	case strings.HasPrefix(id, reserved) || strings.HasPrefix(id, "@"):
		return badRequest(param, "a name does not begin with ~ or @")
	case strings.ContainsFunc(id, func(r rune) bool { return !unicode.IsPrint(r) }):
		return badRequest(param, "the name has characters that cannot be shown")
	}
	return nil
}
