package turns

import (
	"time"

	"familiar/memory/internal/scope"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// Turn is everything one turn leaves behind. It is recorded in one transaction: either the messages are heard,
// learned from, answered and queued for sending, or nothing happened.
type Turn struct {
	Persona string
	Room    model.Room
	// SessionID continues a session; 0 starts one, whose parent is the room's latest.
	SessionID int64
	Started   time.Time
	// Heard are the messages of the turn, oldest first.
	Heard []model.AnnotatedMessage
	// Reply is what the persona says, nil when it only listened.
	Reply *model.Reply
	// Hearing is what the reply was made under, taken before anything was recalled for it. Without one, recording has to
	// look at each line that was in front of the voice to see that none was forgotten meanwhile.
	Hearing scope.Visibility
	// Asker is the person answered, 0 when nobody was.
	Asker int64
	// Relate moves the persona's relationships with those who spoke, by person: each rule is applied, inside the
	// transaction, to the relationship as it is then (with only Persona and PersonID set when they never met), so that
	// a turn and the end of a session never overwrite one another. Applied in ascending order of person.
	Relate map[int64]func(model.Relationship) model.Relationship
	// Zones are the timezones that those who spoke said they are in, by person, as IANA names; Zone is where the times of
	// people are read who have not said so.
	Zones map[int64]string
	Zone  *time.Location
	// AskedLoops were brought up, ClosedLoops were answered or fell away.
	AskedLoops, ClosedLoops []int64
	// Greeted are the subjects a greeting brought up.
	Greeted []string
	// Unasked is what the reply was said for, where nobody had asked: its subject and reason.
	Proactive *ProactiveDecision
	// Context is what shaped the reply, in order.
	Context []recall.Item
	// Used are the memories the reply was made from.
	Used []int64
	// Loops are what was open with the person and in front of the voice.
	Loops []int64
	// SpokenLoops are those of them that the reply may speak of.
	SpokenLoops []int64
	// RecentFrom is the oldest message of the running talk that was in front of the voice, 0 when none was.
	RecentFrom int64
	// Exact says that the voice made nothing of what was in front of it but what is marked as used, or was heard in the
	// turn, asked about or greeted with. Otherwise the reply is taken to hold something of everything, and goes when any
	// of it is forgotten.
	Exact bool
	// Voice spoke; Fault is why another had to.
	Voice, Fault string
}

// TurnResult is what RecordTurn made.
type TurnResult struct {
	TurnID    int64
	SessionID int64
	// MessageIDs are the heard messages', in order.
	MessageIDs []int64
	ReplyID    int64
	OutboxID   int64
	Changes    []model.BeliefChange
}
