// Package login decides whose browser may open the dashboard: a one-time link logs it in, and from then on it has a session.
package login

import (
	"errors"
	"strings"
	"time"
	"unicode"

	"familiar/memory/model"
)

// Role says what a browser may see and change.
type Role string

// The roles.
const (
	// Operator sees and changes everything.
	Operator Role = "operator"
	// Viewer sees what the operator sees, and changes nothing.
	Viewer Role = "viewer"
	// Person sees and changes what one persona knows of one person, as in a direct room with them.
	Person Role = "person"
)

// Roles lists all roles.
var Roles = []Role{Operator, Viewer, Person}

// The times for which links and sessions are valid.
const (
	// LinkLifetime is how long a link of an operator or a viewer is valid, PersonLinkLifetime one of a person, who has to find it
	// in a chat.
	LinkLifetime       = 10 * time.Minute
	PersonLinkLifetime = 15 * time.Minute
	// sessionLifetime and idleLifetime end the session of an operator or a viewer: after it began, and after its last use.
	sessionLifetime = 30 * 24 * time.Hour
	idleLifetime    = 7 * 24 * time.Hour
	// personLifetime is how long the session of a person lasts.
	personLifetime = time.Hour
)

// lifetime returns how long a session of a role lasts at most.
func (r Role) lifetime() time.Duration {
	if r == Person {
		return personLifetime
	}
	return sessionLifetime
}

// Link is what a one-time link logs in to.
type Link struct {
	Role Role
	// Persona and PersonID are whose page a Person sees. They are empty otherwise.
	Persona  string
	PersonID int64
	// Expires is when the link becomes invalid.
	Expires time.Time
}

// Session is a browser that is logged in.
type Session struct {
	ID       int64
	Role     Role
	Persona  string
	PersonID int64
	// Browser is what the browser said it is, cut.
	Browser string
	Created time.Time
	// Expires is when the session ends, however much it is used.
	Expires time.Time
	// LastUsed is when it was used last, to the hour.
	LastUsed time.Time
}

// Errors that callers check with errors.Is. They do not say whether a token is unknown, used or expired.
var (
	// ErrLink reports a link that logs nobody in.
	ErrLink = errors.New("the login link is not valid, or not any more: ask for a new one")
	// ErrSession reports a token of no session.
	ErrSession = errors.New("the browser is not logged in, or not any more: log in with a new link")
)

// validate reports what no link can be.
func (l Link) validate(now time.Time) error {
	switch person := l.Role == Person; {
	case l.Role != Operator && l.Role != Viewer && !person:
		return errors.New("a login link is for an operator, a viewer or a person")
	case person != (l.PersonID != 0), person != (l.Persona != ""):
		return errors.New("a login link is for one person of one persona, or for nobody in particular")
	case !l.Expires.After(now):
		return errors.New("the login link would be over before it begins: choose a later time")
	}
	return nil
}

// endsUnused returns when a session ends unless it is used again.
func (s Session) endsUnused() time.Time { return s.LastUsed.Add(idleLifetime) }

// maxBrowser is how much is kept of what a browser says it is, in characters.
const maxBrowser = 120

// cleanBrowser returns what a browser says it is as one short line.
func cleanBrowser(text string) string {
	text = strings.Join(strings.Fields(model.StripInvisible(model.CleanText(text))), " ")
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, text)
	if runes := []rune(text); len(runes) > maxBrowser {
		text = string(runes[:maxBrowser])
	}
	return text
}
