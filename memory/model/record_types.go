package model

import (
	"time"

	"familiar/channels"
	"familiar/memory/understand"
)

// Sector is the kind of memory, each with its own decay.
type Sector string

// The five sectors.
const (
	Episodic   Sector = "episodic"
	Semantic   Sector = "semantic"
	Procedural Sector = "procedural"
	Emotional  Sector = "emotional"
	Reflective Sector = "reflective"
)

// Audience says who may hear something. It is a comparable value and the key of a scope.
type Audience struct {
	Kind AudienceKind
	// Ref is the person of a private audience, the room of a room audience, 0 for world.
	Ref int64
}

// AudienceKind is one of private, room, world.
type AudienceKind string

// The audiences.
const (
	// Private is what was said in a person's direct rooms: only ever spoken there.
	Private AudienceKind = "private"
	// InRoom is what was said in a group: spoken there, and in direct rooms of people who have spoken there.
	InRoom AudienceKind = "room"
	// World is the operator's lore: spoken everywhere.
	World AudienceKind = "world"
)

// Origin says where a memory came from. Provenance never rises.
type Origin string

// The origins.
const (
	OriginMessage  Origin = "said"     // somebody said it in a room
	OriginOperator Origin = "told"     // the operator added it
	OriginJob      Origin = "inferred" // a job made it
)

// Kind is what a job made a memory for. All of them are Inferred: never evidence of anything.
type Kind string

// The kinds of what jobs make.
const (
	Summary     Kind = "summary"     // a session in a few sentences
	Episode     Kind = "episode"     // a part of a session, told while it goes on
	Observation Kind = "observation" // a pattern seen in what somebody said (reflection)
	Dream       Kind = "dream"       // a night's journal entry, in the persona's voice
	Lesson      Kind = "lesson"      // what the persona means to do otherwise
	SelfNote    Kind = "self_note"   // what the persona notes about itself

	// Autobiographical memories: the persona's own story.
	DefiningMoment      Kind = "defining_moment"
	CorrectionMoment    Kind = "correction"
	BondMoment          Kind = "relationship"
	GrowthMoment        Kind = "growth"
	ValueMoment         Kind = "value_formation"
	CollaborationMoment Kind = "collaboration"
	FailureMoment       Kind = "failure"
	InsightMoment       Kind = "insight"
)

// Kinds are all kinds.
var Kinds = []Kind{
	Summary, Episode, Observation, Dream, Lesson, SelfNote, DefiningMoment, CorrectionMoment, BondMoment, GrowthMoment, ValueMoment,
	CollaborationMoment, FailureMoment, InsightMoment,
}

// Recallable says that memories of the kind are recalled, joined to others and listed where somebody asks what is known.
func (k Kind) Recallable() bool { return k == "" || k == Summary || k == Observation }

// Person is somebody the persona knows; they own one or more handles.
type Person struct {
	ID       int64
	Name     string
	Timezone string
	// TimezoneSetAt is since when the timezone is what they set themselves, zero while it is what their words told.
	TimezoneSetAt time.Time
	// BlockedAt is since when they want to hear nothing unasked, zero when nobody said so or they have written since.
	BlockedAt time.Time
	Created   time.Time
	Handles   []channels.Handle
}

// Location is the clock the person lives by, usual when theirs is not known or is no zone this machine knows.
func (p Person) Location(usual *time.Location) *time.Location {
	if p.Timezone == "" {
		return usual
	}
	zone, err := time.LoadLocation(p.Timezone)
	if err != nil {
		return usual
	}
	return zone
}

// Room is a stored room.
type Room struct {
	ID int64
	channels.Room
	Direct bool
	// PersonID is the one person of a direct room, 0 for groups.
	PersonID int64
	Title    string
}

// Session is one room's talk without a long gap.
type Session struct {
	ID, RoomID int64
	Persona    string
	// ParentID is the session before it in the room, 0 for the first.
	ParentID     int64
	Started      time.Time
	Last         time.Time
	Ended        time.Time // zero while open
	Messages     int
	Significance float64 // 0–1, valid once ended
	Class        string
}

// Message is one thing said, as kept for ever.
type Message struct {
	ID, RoomID, SessionID int64
	// PersonID is 0 when the persona spoke.
	PersonID int64
	// Name is the author's display name, the persona's when PersonID is 0.
	Name       string
	ExternalID string
	Text       string
	At         time.Time
}

// Memory is one remembered thing.
type Memory struct {
	ID       int64
	Persona  string
	Audience Audience
	Origin   Origin
	// AuthorID is who said it, 0 for the operator and for jobs. Author is their name.
	AuthorID  int64
	Author    string
	SessionID int64
	ParentID  int64
	Sector    Sector
	// Kind is what a job made it for, empty for what was said or told.
	Kind Kind
	Text string
	// Salience is 0–1.
	Salience float64
	// Instruction marks a standing wish that surfaces whatever is asked.
	Instruction bool
	Pinned      bool
	// Recalls counts how often it came to mind, Uses the replies made from it. Lying in front of a voice that made nothing
	// of it is neither: as long as only replies bring memories to mind, the two are equal.
	Recalls, Uses int
	// RecalledAt is when it last came to mind, zero when never: it fades from then on.
	RecalledAt time.Time
	// EventFrom and EventUntil bound the time the memory speaks of, zero when it names none.
	EventFrom, EventUntil time.Time
	Supersedes            int64
	SupersededBy          int64
	// Tier is where it stands in its life, Strength how many times longer than at first it now lasts, from 1 up.
	Tier     Tier
	Strength float64
	// ForgetAt is when it goes dormant, or for good when it is dormant; zero for what does not fade. Expires is when the
	// operator wants it gone, zero for never.
	ForgetAt, Expires time.Time
	// JobRun is the run of the job that made it, 0 for none.
	JobRun  int64
	Created time.Time
	// Sources are the messages it came from, Entities its waypoints, Tags what the operator filed it under; they are
	// filled by Memory, not by lists.
	Sources  []int64
	Entities []string
	Tags     []string
	// RoomTitle is where it was said, for showing.
	RoomTitle string
}

// Belief is one claim the persona holds, with its evidence.
type Belief struct {
	ID       int64
	Persona  string
	Audience Audience
	// AuthorID is who told it; SubjectPerson whom it is about, 0 when Subject names something else.
	AuthorID      int64
	Author        string
	SubjectPerson int64
	Subject       string
	Relation      string
	Value         string
	Domain        string // person, self, world, technical, tool, project
	Status        BeliefStatus
	ValidFrom     time.Time
	ValidTo       time.Time
	SupersededBy  int64
	// ReplacedWhy is "corrected" (it was never so) or "changed" (it was so once), empty while active.
	ReplacedWhy string
	Created     time.Time
	Updated     time.Time
	Evidence    []Evidence
}

// BeliefStatus is where a belief stands in its history.
type BeliefStatus string

// The statuses. Doubt (revised, abandoned) is computed from the evidence, not stored.
const (
	Active     BeliefStatus = "active"
	Superseded BeliefStatus = "superseded"
	Retracted  BeliefStatus = "retracted"
)

// Evidence is one quote for or against a belief.
type Evidence struct {
	MessageID int64
	AuthorID  int64
	Author    string
	Quote     string
	// Stance is +1 for, −1 against.
	Stance int
	// Hearsay says that the author is not the subject.
	Hearsay bool
	At      time.Time
	// JobRun is the run of the job that found it on a second reading, 0 for what was found when it was heard.
	JobRun int64
}

// Loop is something left open with a person: a plan with a date, a promise, a question.
type Loop struct {
	ID       int64
	PersonID int64
	Audience Audience
	Kind     string // LoopPlan and so on
	Text     string
	// DueFrom and DueUntil bound when it is due, zero when no time was named.
	DueFrom, DueUntil time.Time
	Status            string // open, asked, closed
	MessageID         int64
	Created           time.Time
}

// Relationship is what the persona and one person have together. Bond, style and stage are computed from it.
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
	// TrustMoved is how far trust moved on TrustDay, the net of its steps.
	TrustMoved float64
	Notes      int // things learned about the person
	History    int // sessions of more than passing significance
	Words      int // in their messages
	Questions  int // in their messages
	// Mornings, Afternoons, Evenings and Nights count their messages by the time of day, in their timezone.
	Mornings, Afternoons, Evenings, Nights int
	// QuietSince is since when they want the persona never to write first, zero when they never said so.
	QuietSince time.Time
}

// Filing is what the record makes of one message before it is stored.
type Annotation struct {
	Sector      Sector
	Salience    float64
	Instruction bool
	Analysis    understand.Analysis
	// EventFrom and EventUntil bound the time the text speaks of, zero when none.
	EventFrom, EventUntil time.Time
	// SkipMemory says that the message is part of the talk and nothing to remember: no memory is made of it.
	SkipMemory bool
}
