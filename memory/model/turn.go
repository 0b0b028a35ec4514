package model

import (
	"time"

	"familiar/channels"
)

// heardNow is a message of the turn as it is on record.
type TurnMessage struct {
	Message, Person int64
	At              time.Time
	Text            string
}

// AnnotatedMessage is one inbox row with what is made of it.
type AnnotatedMessage struct {
	InboxID    int64
	Message    channels.Message
	PersonID   int64
	Annotation Annotation
}

// Reply is what the persona says. Key is its idempotency key, the same whenever the turn is tried again.
type Reply struct {
	Key     string
	Text    string
	ReplyTo string
	// ReplyData is what the channel wants back with it, see channels.Message.
	ReplyData string
	At        time.Time
}

// BeliefChange is one thing that happened to the beliefs.
type BeliefChange struct {
	// Kind is "new", "confirmed", "corrected", "changed", "retracted" or "past".
	Kind string
	// Belief is the belief as it stands now; for "retracted" the one withdrawn.
	Belief Belief
	// Old is the value it replaced, empty for new and confirmed.
	Old string
}
