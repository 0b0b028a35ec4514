// Package link makes accounts of several networks one person, and separates them again.
package link

import (
	"errors"
	"time"

	"familiar/memory/internal/db"
)

// Store joins accounts to people.
type Store struct{ db *db.DB }

// New returns the links recorded in d.
func New(d *db.DB) *Store { return &Store{db: d} }

// How long a code is valid, and how many wrong ones are taken.
const (
	// CodeLifetime is how long a code is valid.
	CodeLifetime = 10 * time.Minute
	// GuessesPerAccount is how many wrong codes one account may send in GuessWindow. After that even its right ones are
	// not looked at.
	GuessesPerAccount = 5
	// GuessWindow is how long a wrong code counts against its account.
	GuessWindow = time.Hour
	// GuessesOverall is how many wrong codes of all accounts within CodeLifetime lock linking for LockTime.
	GuessesOverall = 1000
	// LockTime is how long linking stays locked.
	LockTime = time.Hour
)

// Errors that callers check with errors.Is.
var (
	// ErrWrongCode reports a code that joins nothing: it is unknown, used or expired. Callers do not tell which.
	ErrWrongCode = errors.New("no code like this is valid")
	// ErrOwnCode reports a code of the person themselves.
	ErrOwnCode = errors.New("the code is this person's own")
	// ErrTooMany reports that the account sent too many wrong codes, or that linking is locked.
	ErrTooMany = errors.New("too many wrong codes were sent")
	// ErrSameNetwork reports two people who cannot be joined because both have an account on one network. A code that led
	// to it is used up.
	ErrSameNetwork = errors.New("both have an account on the same network")
	// ErrNotLinked reports that a person has accounts on one network only.
	ErrNotLinked = errors.New("the person has accounts on one network only")
)
