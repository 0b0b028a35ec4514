package channels

import (
	"errors"
	"fmt"
	"time"
)

// ErrNotFound reports that nothing is stored under a key.
var ErrNotFound = errors.New("nothing is stored under this key")

// SendKind classifies a failed Send: whether the chunk may be retried, and when.
type SendKind int

// The kinds of failure.
const (
	// Temporary: the network is down, the room is unavailable for now, or the cause is unknown. The chunk was not shown
	// and is retried.
	Temporary SendKind = iota
	// RateLimited: the network asks to wait. The chunk was not shown and is retried after RetryAfter.
	RateLimited
	// Permanent: the room refuses the chunk because the persona is blocked or has left, the room is deleted, or the
	// text will never be accepted. Retrying is useless.
	Permanent
	// Ambiguous: the response was lost, so the chunk may have been shown. It is retried if the channel's Limits are
	// Idempotent, and once if they say ResendUnknown.
	Ambiguous
	// Blocked: a Permanent failure that also means this person wants no proactive messages. They blocked the persona or
	// accept no direct messages.
	Blocked
	// Moved: the room has a new id, SendError.NewRoomID. The chunk was not shown and is sent there.
	Moved
)

// String returns the kind's name for logs and the operator.
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

// SendError is a failed Send with a known cause.
type SendError struct {
	Kind SendKind
	// RetryAfter is how long the network asked to wait, 0 if it did not say. It applies to RateLimited.
	RetryAfter time.Duration
	// NewRoomID is the new Room.ID of a room that moved.
	NewRoomID string
	// Err is the cause. It contains no secrets: it reaches logs and the operator.
	Err error
}

// Error returns the kind, the wait and the cause.
func (e *SendError) Error() string {
	if e.RetryAfter > 0 {
		return fmt.Sprintf("%s, retry after %s: %v", e.Kind, e.RetryAfter, e.Err)
	}
	return fmt.Sprintf("%s: %v", e.Kind, e.Err)
}

// Unwrap returns the cause.
func (e *SendError) Unwrap() error { return e.Err }

// Kind returns the kind of the *SendError in err, or Temporary if there is none.
func Kind(err error) SendKind {
	if e, ok := errors.AsType[*SendError](err); ok {
		return e.Kind
	}
	return Temporary
}

// RetryAfter returns how long the network asked to wait according to the *SendError in err, or 0 if it did not say.
func RetryAfter(err error) time.Duration {
	if e, ok := errors.AsType[*SendError](err); ok {
		return e.RetryAfter
	}
	return 0
}

// MovedTo returns the new Room.ID in the *SendError in err, or "" if there is none.
func MovedTo(err error) string {
	if e, ok := errors.AsType[*SendError](err); ok && e.Kind == Moved {
		return e.NewRoomID
	}
	return ""
}
