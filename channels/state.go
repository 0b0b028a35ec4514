package channels

import (
	"context"
	"time"
)

// Phase is how far a channel's connection is.
type Phase string

// The phases. A channel starts in Connecting; Refused and LoggedOut last until the operator acts.
const (
	Connecting  Phase = "connecting"
	Backfilling Phase = "backfilling" // connected, reading what was missed
	Connected   Phase = "connected"
	Transient   Phase = "transient" // gone for now; it tries again by itself
	Refused     Phase = "refused"   // the credentials or settings are not accepted
	LoggedOut   Phase = "logged out"
)

// State is how a channel stands, for the operator. It holds no secret.
type State struct {
	Phase Phase
	// Problem is one sentence on what is the matter, empty when nothing is; Do is what the operator can do about it.
	Problem, NextStep string
	// Account is who the persona is there, as the network names it, empty while unknown.
	Account string
}

// Fatal says that nothing changes until the operator acts.
func (s State) Fatal() bool { return s.Phase == Refused || s.Phase == LoggedOut }

// StateError is how Run ends when only the operator can help: it is not run again.
type StateError struct {
	State State
	Err   error
}

// Error tells what is the matter and what to do.
func (e *StateError) Error() string {
	text := e.State.Problem
	if e.State.NextStep != "" {
		text += ": " + e.State.NextStep
	}
	if e.Err != nil {
		text += " (" + e.Err.Error() + ")"
	}
	return text
}

// Unwrap returns the cause.
func (e *StateError) Unwrap() error { return e.Err }

// Host is what an adapter is given to stand on: it keeps nothing itself.
type Host struct {
	// Report publishes how the connection stands. It returns at once.
	Report func(State)
	// Store keeps what must be found again after a restart.
	Store StateStore
	// SentText is the text of the chunk that was, or is being, sent under key, ErrNotKept when it is kept no longer.
	SentText func(ctx context.Context, key string) (string, error)
	// Rooms are the channel's rooms that are known.
	Rooms func(ctx context.Context) ([]Room, error)
	// Gate says whether a message would be kept if it were handed over: for strangers no file is fetched and nothing is
	// noted or shown. Nil says that all are.
	Gate func(ctx context.Context, m Message) bool
	// Files is where attachments go; its zero value fetches none.
	Files Files
	Now   func() time.Time
	// Jitter spreads a pause: it returns something between 0 and its argument.
	Jitter func(time.Duration) time.Duration
}

// FetchesFiles says whether files that come with m are to be fetched.
func (h Host) FetchesFiles(ctx context.Context, m Message) bool {
	return h.Files.Dir != "" && h.Allows(ctx, m)
}

// Allows is Hears, true where that is nil.
func (h Host) Allows(ctx context.Context, m Message) bool { return h.Gate == nil || h.Gate(ctx, m) }

// Files says where attachments are kept and how large one may be, in bytes. Without a directory none is fetched.
type Files struct {
	Dir     string
	MaxSize int64
}

// StateStore keeps a channel's cursors and the like: small values by key, on disk when Put returns.
type StateStore interface {
	// Get returns ErrNotKept when there is nothing under key.
	Get(ctx context.Context, key string) (string, error)
	Put(ctx context.Context, key, value string) error
	Delete(ctx context.Context, key string) error
	// Keys are the keys that begin with prefix, in order.
	Keys(ctx context.Context, prefix string) ([]string, error)
}
