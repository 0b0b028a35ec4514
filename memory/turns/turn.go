package turns

import (
	"time"

	"familiar/memory/internal/scope"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/toolcall"
)

// Turn is everything one turn leaves. It is recorded in one transaction: either its messages are stored and learned
// from, its answer stored and queued for sending, or nothing happens.
type Turn struct {
	Persona string
	Room    model.Room
	// SessionID continues a session. 0 starts one, whose parent is the room's latest.
	SessionID int64
	Started   time.Time
	// Heard are the messages of the turn, oldest first.
	Heard []model.AnnotatedMessage
	// Reply is what the persona says, nil when it only listens.
	Reply *model.Reply
	// Visibility is what the reply was made under, taken before the first recall for it. Without one, recording must
	// read each line of the prompt to see that none was forgotten meanwhile.
	Visibility scope.Visibility
	// Filed are claims that the voice made of messages in Heard.
	Filed []Filed
	// Reminders are what people asked to be reminded of in messages in Heard.
	Reminders []Reminder
	// ToolTurn is the key under which tools were called for the reply, "" if none were.
	ToolTurn string
	// ToolQuestion is a call that the reply asks the person about, nil for none; ToolAnswered the call whose answer the turn
	// takes, 0 for none.
	ToolQuestion *toolcall.Question
	ToolAnswered int64
	// Asker is the person answered, 0 when nobody was.
	Asker int64
	// Relate changes the persona's relationships with those who spoke, by person. Each rule is applied within the
	// transaction to the current relationship (with only Persona and PersonID set when they never met), in ascending
	// order of person, so that a turn and a session end never overwrite each other's change.
	Relate map[int64]func(model.Relationship) model.Relationship
	// Zones are the timezones that speakers said they are in, by person, as IANA names. Zone is the timezone for the
	// others.
	Zones map[int64]string
	Zone  *time.Location
	// AskedLoops were raised, ClosedLoops were answered or no longer matter.
	AskedLoops, ClosedLoops []int64
	// AskedBeliefs were put to the person as questions whether they are right (belief.Store.ToConfirm).
	AskedBeliefs []int64
	// Greeted are the subjects that a greeting raised.
	Greeted []string
	// Proactive is the subject and reason of a reply that nobody asked for, nil otherwise.
	Proactive *ProactiveDecision
	// Context is the packed context of the prompt, in order.
	Context []recall.Item
	// Used are the ids of the memories the reply was made from. Quoted are the ids of messages that it quotes: the memories
	// made from them count as used too.
	Used, Quoted []int64
	// Loops are the person's open loops that were in the prompt.
	Loops []int64
	// SpokenLoops are those of them that the reply may mention.
	SpokenLoops []int64
	// RecentFrom is the oldest message of the recent talk in the prompt, 0 when there was none.
	RecentFrom int64
	// Exact reports that the reply was made only from what Used marks and from what was heard in the turn, asked about
	// or greeted with. Otherwise the reply may contain anything from the prompt, and is deleted when any of that is
	// forgotten.
	Exact bool
	// Told are the answers given up before (log.Store.Undelivered) of which the reply tells.
	Told []int64
	// Voice is the name of the voice that spoke, Fault why an earlier voice could not.
	Voice, Fault string
	// Usage is what models used for the turn, one entry for each job and model, nil if none was asked.
	Usage []Usage
}

// TurnResult is what RecordTurn stored.
type TurnResult struct {
	TurnID    int64
	SessionID int64
	// MessageIDs are the ids of the heard messages, in order.
	MessageIDs []int64
	ReplyID    int64
	OutboxID   int64
	// Queued is the reply as it is to be sent, zero without a reply and when the room has older unsent texts.
	Queued  log.OutboxEntry
	Changes []model.BeliefChange
}
