package channels

import (
	"context"
	"time"
)

// Phase is the state of a channel's connection.
type Phase string

// The phases. A channel starts in Connecting. Refused and LoggedOut last until the operator acts.
const (
	Connecting  Phase = "connecting"
	Backfilling Phase = "backfilling" // connected, fetching missed messages
	Connected   Phase = "connected"
	Transient   Phase = "transient" // temporarily disconnected; reconnects automatically
	Refused     Phase = "refused"   // the network rejects the credentials or settings
	LoggedOut   Phase = "logged out"
	// Standby is a process that would connect if the one that is connected ended. It is not the state of the channel.
	Standby Phase = "standby"
)

// State is a channel's connection status for the operator. It contains no secrets.
type State struct {
	Phase Phase
	// Problem describes the problem in one sentence, empty if there is none. NextStep says what the operator can do
	// about it.
	Problem, NextStep string
	// Account is the persona's account as the network names it, empty while unknown.
	Account string
}

// Fatal reports whether the state lasts until the operator acts.
func (s State) Fatal() bool { return s.Phase == Refused || s.Phase == LoggedOut }

// StateError is returned by Run when only the operator can help. The channel is not restarted.
type StateError struct {
	State State
	Err   error
}

// Error returns the problem, the next step and the cause.
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

// Host provides an adapter with everything it needs from outside. An adapter has no storage of its own.
type Host struct {
	// Report publishes the connection status. It returns at once.
	Report func(State)
	// Store keeps values that must survive a restart.
	Store StateStore
	// SentText returns the text of the chunk sent, or being sent, under key, or ErrNotFound if it is no longer stored.
	SentText func(ctx context.Context, key string) (string, error)
	// Rooms returns the channel's known rooms.
	Rooms func(ctx context.Context) ([]Room, error)
	// Gate reports whether a message would be stored if it were accepted. For strangers the adapter downloads, records
	// and displays nothing. Nil allows every message.
	Gate func(ctx context.Context, m Message) bool
	// Files says where to store attachments. The zero value disables downloads.
	Files Files
	Now   func() time.Time
	// Jitter returns a random duration between 0 and its argument, to spread pauses.
	Jitter func(time.Duration) time.Duration
}

// FetchesFiles reports whether the files attached to m should be downloaded.
func (h Host) FetchesFiles(ctx context.Context, m Message) bool {
	return h.Files.Dir != "" && h.Allows(ctx, m)
}

// Allows returns Gate's decision, or true if Gate is nil.
func (h Host) Allows(ctx context.Context, m Message) bool { return h.Gate == nil || h.Gate(ctx, m) }

// Files sets the directory for attachments and the maximum size of one in bytes. Without a directory none is
// downloaded.
type Files struct {
	Dir     string
	MaxSize int64
}

// StateStore is a channel's key-value store for cursors and other small values. A value is on disk when Put returns.
type StateStore interface {
	// Get returns ErrNotFound if there is nothing under key.
	Get(ctx context.Context, key string) (string, error)
	Put(ctx context.Context, key, value string) error
	Delete(ctx context.Context, key string) error
	// Keys returns the keys that begin with prefix, sorted.
	Keys(ctx context.Context, prefix string) ([]string, error)
}
