package model

import (
	"time"

	"familiar/channels"
)

// heardNow is a message of the turn as it is on record.
type HeardNow struct {
	Message, Person int64
	At              time.Time
	Text            string
}

// HeardMessage is one inbox row with what is made of it.
type HeardMessage struct {
	InboxID  int64
	Message  channels.Message
	PersonID int64
	Filing   Annotation
}

// Reply is what the persona says. Key is its idempotency key, the same whenever the turn is tried again.
type Reply struct {
	Key     string
	Text    string
	ReplyTo string
	// Via is what the channel wants back with it, see channels.Message.
	Via string
	At  time.Time
}

// Change is one thing that happened to the beliefs.
type Change struct {
	// Kind is "new", "confirmed", "corrected", "changed", "retracted" or "past".
	Kind string
	// Belief is the belief as it stands now; for "retracted" the one withdrawn.
	Belief Belief
	// Old is the value it replaced, empty for new and confirmed.
	Old string
}
