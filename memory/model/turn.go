package model

import (
	"time"

	"familiar/channels"
	"familiar/memory/understand"
)

// TurnMessage is a message of the current turn as it was stored.
type TurnMessage struct {
	Message, Person int64
	At              time.Time
	Text            string
}

// AnnotatedMessage is a message from the inbox, or from the record of a conversation, with its author and its annotation.
type AnnotatedMessage struct {
	// InboxID is 0 for a message from a record.
	InboxID  int64
	Message  channels.Message
	PersonID int64
	// Own says that the persona wrote it, in a conversation that is on record elsewhere. It is kept as the persona's words:
	// no memory is made of it, and it is evidence for nothing. PersonID is 0.
	Own        bool
	Annotation Annotation
}

// Reply is a message of the persona. Key is its idempotency key, which stays the same when the turn is retried.
type Reply struct {
	Key     string
	Text    string
	ReplyTo string
	// ReplyData is what the channel needs for its reply; see channels.Message.
	ReplyData string
	At        time.Time
	// Spoken reports that it is to be sent as a voice message.
	Spoken bool
	// Ask is the question that it puts with buttons, nil for none.
	Ask *Ask
	// OneTime reports that Text has a one-time link, which is redacted once it is sent.
	OneTime bool
}

// Ask is a question that is put with buttons where the network has them.
type Ask struct {
	// Person is who is asked, Language the tag of the language of the buttons.
	Person   int64
	Language string
	Expires  time.Time
}

// Annotation is what the store derives from a message before storing it.
type Annotation struct {
	Sector      Sector
	Salience    float64
	Instruction bool
	Analysis    understand.Analysis
	// Stored is the analysis as understand.Analyze made it, to be stored with the message. Analysis may be completed later
	// with words of other messages, which must not outlive those.
	Stored StoredAnalysis
	// EventFrom and EventUntil bound the time the text is about, zero when it names none.
	EventFrom, EventUntil time.Time
	// Danger is the danger that the message speaks of (package care names them), "" for none.
	Danger string
	// SkipMemory says that the message belongs to the conversation but no memory is made of it.
	SkipMemory bool
}

// Reaction is an emoji that a person put on a message.
type Reaction struct {
	Message, Person int64
	// Emoji is "" when the reaction was removed.
	Emoji string
	At    time.Time
	// Relate updates the persona's relationship with each person, as in a turn.
	Relate map[int64]func(Relationship) Relationship
}
