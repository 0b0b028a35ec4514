package model

import (
	"time"

	"familiar/channels"
)

// ClientChannel is the channel of other programs: of their accounts, and of the rooms that hold what they write about one
// person.
const ClientChannel = "client"

// Person is a person the persona knows. A person owns one or more handles.
type Person struct {
	ID       int64
	Name     string
	Timezone string
	// TimezoneSetAt is when the person set the timezone, zero while it was only inferred from their messages.
	TimezoneSetAt time.Time
	// Language is the BCP 47 tag of the language that the person wants to be answered in, "" for the one they write in.
	Language string
	// BlockedAt is when the person blocked the persona, which stops proactive messages. It is zero if they did not, or
	// have written since.
	BlockedAt time.Time
	Created   time.Time
	Handles   []channels.Handle
}

// Location returns the person's timezone, or fallback when it is unset or unknown to this machine.
func (p Person) Location(fallback *time.Location) *time.Location {
	if p.Timezone == "" {
		return fallback
	}
	zone, err := time.LoadLocation(p.Timezone)
	if err != nil {
		return fallback
	}
	return zone
}

// Relationship is the shared history of the persona and one person. Bond, style and stage are computed from it.
type Relationship struct {
	Persona  string
	PersonID int64
	FirstMet time.Time
	LastSeen time.Time
	Sessions int
	Messages int
	Days     int
	LastDay  string // YYYY-MM-DD, in the person's timezone
	Trust    float64
	TrustDay string
	// TrustMoved is the net change of trust on TrustDay.
	TrustMoved float64
	Notes      int // things learned about the person
	History    int // sessions of more than passing significance
	Words      int // in their messages
	Questions  int // in their messages
	// Mornings, Afternoons, Evenings and Nights count their messages by the time of day, in their timezone.
	Mornings, Afternoons, Evenings, Nights int
	// QuietSince is when the person asked the persona never to write first, zero if they did not.
	QuietSince time.Time
}
