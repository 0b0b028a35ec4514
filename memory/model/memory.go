package model

import "time"

// Sector is a kind of memory. Each sector has its own decay rate.
type Sector string

// The five sectors.
const (
	Episodic   Sector = "episodic"
	Semantic   Sector = "semantic"
	Procedural Sector = "procedural"
	Emotional  Sector = "emotional"
	Reflective Sector = "reflective"
)

// Origin is where a memory came from. A memory never gains a more trusted origin later.
type Origin string

// The origins.
const (
	//
	OriginMessage  Origin = "said"     // a person said it in a room
	OriginOperator Origin = "told"     // the operator added it
	OriginJob      Origin = "inferred" // a job made it
)

// Kind is the purpose for which a job made a memory. Memories with a kind have OriginJob and are never evidence.
type Kind string

// The kinds of memories that jobs make, and Lore, which is taken in like one.
const (
	Summary     Kind = "summary"     // a session in a few sentences
	Episode     Kind = "episode"     // summary of a part of a running session
	Observation Kind = "observation" // a pattern found in what a person said (reflection)
	Dream       Kind = "dream"       // a night's journal entry, in the persona's voice
	Lesson      Kind = "lesson"      // what the persona intends to do differently
	SelfNote    Kind = "self_note"   // what the persona notes about itself
	Web         Kind = "web"         // a sentence of a web page, with its source
	Lore        Kind = "lore"        // signed lore of another installation, with its source
	Portrait    Kind = "portrait"    // who somebody is, written from facts; one per person and scope

	// Autobiographical memories, which tell the persona's own story.
	DefiningMoment      Kind = "defining_moment"
	CorrectionMoment    Kind = "correction"
	BondMoment          Kind = "relationship"
	GrowthMoment        Kind = "growth"
	ValueMoment         Kind = "value_formation"
	CollaborationMoment Kind = "collaboration"
	FailureMoment       Kind = "failure"
	InsightMoment       Kind = "insight"
)

// Kinds lists all kinds.
var Kinds = []Kind{
	Summary, Episode, Observation, Dream, Lesson, SelfNote, Web, Lore, Portrait, DefiningMoment, CorrectionMoment, BondMoment, GrowthMoment, ValueMoment,
	CollaborationMoment, FailureMoment, InsightMoment,
}

// Conclusions are the kinds by which a persona changes: what it notes about itself, concludes, dreams and reads. The others stand
// for what people said: Summary and Episode for talk, Portrait for what is believed of somebody; Lore has versions of its own.
var Conclusions = []Kind{
	Observation, Dream, Lesson, SelfNote, Web, DefiningMoment, CorrectionMoment, BondMoment, GrowthMoment, ValueMoment, CollaborationMoment,
	FailureMoment, InsightMoment,
}

// Recallable reports whether memories of the kind are recalled, joined to others, and listed when a person asks what is
// known.
func (k Kind) Recallable() bool { return k == "" || k == Summary || k == Observation || k.Foreign() }

// Foreign reports whether memories of the kind quote a text of strangers with its source. Only these may be for everybody without
// being the operator's own, and only these may rest on nothing that was said.
func (k Kind) Foreign() bool { return k == Web || k == Lore }

// Memory is one remembered fact or event.
type Memory struct {
	ID       int64
	Persona  string
	Audience Audience
	Origin   Origin
	// AuthorID is the person who said it, 0 for the operator and for jobs. Author is that person's name.
	AuthorID  int64
	Author    string
	SessionID int64
	ParentID  int64
	Sector    Sector
	// Kind is the purpose a job made it for, empty for what people or the operator said.
	Kind Kind
	Text string
	// Salience is 0–1.
	Salience float64
	// Instruction marks a standing instruction, which is recalled for every question.
	Instruction bool
	Pinned      bool
	// Recalls counts recalls. Uses counts replies that used the memory. A memory that was shown to a voice but not used
	// counts for neither. As long as only replies cause recalls, the two are equal.
	Recalls, Uses int
	// RecalledAt is the last recall, zero for never. Decay starts there.
	RecalledAt time.Time
	// EventFrom and EventUntil bound the time that the memory is about, zero when it names none.
	EventFrom, EventUntil time.Time
	Supersedes            int64
	SupersededBy          int64
	// Tier is the memory's stage of life. Strength, at least 1, is the factor by which its lifetime has grown.
	Tier     Tier
	Strength float64
	// ForgetAt is when the memory becomes dormant, or, if it is dormant, when it is deleted; zero if it does not decay.
	// Expires is the expiry date that the operator set, zero for none.
	ForgetAt, Expires time.Time
	// JobRun is the run of the job that made it, 0 for none.
	JobRun  int64
	Created time.Time
	// Sources are the messages it came from, Entities the names it mentions, Tags the operator's tags. Only the read of
	// a single memory fills them; lists do not.
	Sources  []int64
	Entities []string
	Tags     []string
	// RoomTitle names the room where it was said, for display.
	RoomTitle string
	// Stored is the analysis of the message it was made of. Only Entries.FillAnalyses fills it.
	Stored StoredAnalysis `json:"-"`
}
