package model

import (
	"time"
)

// Reaction is an emoji somebody put to a message.
type Reaction struct {
	Message, Person int64
	// Emoji is "" for one that was taken away.
	Emoji string
	At    time.Time
	// Relate moves the persona's relationship with the person, as in Turn.
	Relate map[int64]func(Relationship) Relationship
}
