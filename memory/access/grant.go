// Package access decides what other programs may read and write: each has a token, and each token a grant, which is bound to
// one persona and to the view of one person, of one room, or of the operator.
package access

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Kind says whose view of the memory a grant has.
type Kind string

// The kinds.
const (
	// Person sees what a direct room with the person sees.
	Person Kind = "person"
	// Room sees what the room sees.
	Room Kind = "room"
	// Operator sees everything of the persona.
	Operator Kind = "operator"
)

// Kinds lists all kinds.
var Kinds = []Kind{Person, Room, Operator}

// Grant is what one program may do.
type Grant struct {
	ID int64
	// Client names the program: 1–64 printable characters on one line. What it writes is marked with it.
	Client  string
	Persona string
	Kind    Kind
	// PersonID is the person of a Person grant, RoomID the room of a Room grant. They are 0 otherwise.
	PersonID, RoomID int64
	// FirstHand reports that what the program writes are the person's own words. Otherwise they are hearsay. Only a Person
	// grant can have it.
	FirstHand bool
	// ReadOnly reports that the program may not write.
	ReadOnly bool
	Created  time.Time
	// Expires is when the token becomes invalid, zero for never.
	Expires time.Time
	// LastUsed is when the token was used last, to the hour; zero for never.
	LastUsed time.Time
}

// maxClient is how long the name of a program may be, in characters.
const maxClient = 64

// Errors that callers check with errors.Is.
var (
	// ErrRefused reports a token that is unknown, revoked or expired. It does not say which.
	ErrRefused = errors.New("the token is not valid: create one with `familiar token create`")
	// ErrReadOnly reports a write with a grant that only reads.
	ErrReadOnly = errors.New("this access only reads: create one that writes with `familiar token create`, without --read-only")
)

// Validate reports what no grant can be.
func (g Grant) Validate(now time.Time) error {
	switch n := utf8.RuneCountInString(g.Client); {
	case n == 0 || n > maxClient || strings.ContainsFunc(g.Client, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("the name of a program has 1 to %d printable characters", maxClient)
	case g.Persona == "":
		return errors.New("a grant needs a persona")
	case (g.Kind == Person) != (g.PersonID != 0), (g.Kind == Room) != (g.RoomID != 0):
		return errors.New("a grant is for one person, for one room, or for the operator")
	case g.FirstHand && g.Kind != Person:
		return errors.New("only the access of one person can write in their own words")
	case g.FirstHand && g.ReadOnly:
		return errors.New("an access that only reads writes nothing first-hand")
	case !g.Expires.IsZero() && !g.Expires.After(now):
		return errors.New("the access would be over before it begins: choose a later time")
	}
	return nil
}
