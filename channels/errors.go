package channels

import (
	"errors"
	"fmt"
	"time"
)

// ErrNotFound says that nothing is kept under a key.
var ErrNotFound = errors.New("nothing is kept under this key")

// SendKind says what a failed Send means for the chunk: whether it may be tried again, and when.
type SendKind int

// The kinds of failure.
const (
	// Temporary is a network that is down, a room that is not open just now, or a cause nobody knows: the chunk was
	// not shown and is tried again.
	Temporary SendKind = iota
	// RateLimited is a network that asks to wait: the chunk was not shown and is tried again after RetryAfter.
	RateLimited
	// Permanent is a room that refuses: blocked, left, deleted, or text it will never take. Trying again is useless.
	Permanent
	// Ambiguous is a send whose answer was lost: the chunk may have been shown. Only a channel whose Limits say
	// Idempotent may try it again.
	Ambiguous
	// Blocked is a Permanent failure that also says that this person wants to hear nothing unasked: they blocked the
	// persona or take no direct messages.
	Blocked
	// Moved is a room that has another id now, SendError.Moved: the chunk was not shown and is sent there.
	Moved
)

// String names the kind for logs and the operator.
func (k SendKind) String() string {
	switch k {
	case Temporary:
		return "temporary"
	case RateLimited:
		return "rate limited"
	case Permanent:
		return "permanent"
	case Ambiguous:
		return "ambiguous"
	case Blocked:
		return "unwelcome"
	case Moved:
		return "moved"
	}
	return fmt.Sprintf("kind %d", int(k))
}

// SendError is a failed Send whose cause the adapter knows.
type SendError struct {
	Kind SendKind
	// RetryAfter is how long the network asked to wait, 0 when it did not say. It is honoured for RateLimited.
	RetryAfter time.Duration
	// NewRoomID is the new Room.ID of a room that moved.
	NewRoomID string
	// Err is the cause, without secrets: it reaches logs and the operator.
	Err error
}

// Error tells the kind, the wait and the cause.
func (e *SendError) Error() string {
	if e.RetryAfter > 0 {
		return fmt.Sprintf("%s, retry after %s: %v", e.Kind, e.RetryAfter, e.Err)
	}
	return fmt.Sprintf("%s: %v", e.Kind, e.Err)
}

// Unwrap returns the cause.
func (e *SendError) Unwrap() error { return e.Err }

// Kind is the kind of the *SendError inside err, Temporary when there is none.
func Kind(err error) SendKind {
	if e, ok := errors.AsType[*SendError](err); ok {
		return e.Kind
	}
	return Temporary
}

// RetryAfter is how long the network asked to wait in the *SendError inside err, 0 when it did not say.
func RetryAfter(err error) time.Duration {
	if e, ok := errors.AsType[*SendError](err); ok {
		return e.RetryAfter
	}
	return 0
}

// MovedTo is the new Room.ID in the *SendError inside err, "" when it names none.
func MovedTo(err error) string {
	if e, ok := errors.AsType[*SendError](err); ok && e.Kind == Moved {
		return e.NewRoomID
	}
	return ""
}
