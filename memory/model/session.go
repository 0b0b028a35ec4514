package model

import "time"

// Session is the conversation of one room without a long gap.
type Session struct {
	ID, RoomID int64
	Persona    string
	// ParentID is the previous session of the room, 0 for the first.
	ParentID     int64
	Started      time.Time
	Last         time.Time
	Ended        time.Time // zero while open
	Messages     int
	Significance float64 // 0–1, valid once ended
	Class        string
}

// Message is one stored message.
type Message struct {
	ID, RoomID, SessionID int64
	// PersonID is 0 for messages of the persona.
	PersonID int64
	// Name is the author's display name, or the persona's when PersonID is 0.
	Name       string
	ExternalID string
	Text       string
	At         time.Time
	// Stored is the analysis made when the message was received; see Analysis. The persona's own messages have none.
	Stored StoredAnalysis `json:"-"`
}

// Routine is the class of sessions in which nothing of note happened.
const Routine = "routine"

// RefineWithin is how long after its end a session may be refined: longer than any outage of a model that somebody will
// repair.
const RefineWithin = 60 * 24 * time.Hour
