// Package understand reads one message: what it claims (names, places, tastes, plans, corrections, standing
// instructions, feelings), what it asks for and how it sounds. It is pure: text in, values out, no model.
package understand

import (
	"time"

	"familiar/memory/understand/rel"
	"familiar/memory/when"
)

// Claim is one thing an utterance claims.
type Claim struct {
	Kind rel.Kind `json:",omitzero"`
	// Subject is empty for the speaker, else the name of whom or what it is about, as written.
	Subject string `json:",omitzero"`
	// Relation is a key of the relation table ("name", "lives_in", "pet_name:dog") or, for relations the table
	// does not know, the normalised noun phrase ("favourite colour").
	Relation string `json:",omitzero"`
	// Value is what is claimed, as written, trimmed; empty when a denial takes back whatever holds ("I quit my job"), and
	// when a plan is moved that was only called "it": the one spoken of last.
	Value string `json:",omitzero"`
	// Many says that several values hold side by side (likes, plans); otherwise the newest replaces the one before.
	Many bool `json:",omitzero"`
	// Quote is the part of the text the claim was read from.
	Quote string `json:",omitzero"`
	// Span is when it happens or happened, nil when no time was named.
	Span *when.Span `json:",omitzero"`
	// Negates says that the value is denied: "I no longer like jazz", "not Rex".
	Negates bool `json:",omitzero"`
	// Corrects is the value that is wrong ("not Rex, Milo" corrects "Rex"); the claim's Relation may then be empty:
	// it takes the relation of the belief that holds the wrong value. Correction is set for any correcting wording.
	Corrects   string `json:",omitzero"`
	Correction bool   `json:",omitzero"`
	// Changed says that the wording tells of a change ("I moved to", "I switched to"): the old value was true once.
	Changed bool `json:",omitzero"`
}

// Utterance is what Analyze needs to know about a text.
type Utterance struct {
	Text string
	// At is when it was said, in the speaker's timezone.
	At time.Time
	// Before is what the persona said just before, empty when nothing: a bare "Rex" answers "what's your dog called?".
	Before string
	// WithoutFacts leaves facts about the world unread ("the author of Dune is Frank Herbert"), for a persona that keeps none.
	WithoutFacts bool
}

// Version is the version of Analyze: raise it when what is read of a text changes. An analysis of another version is made
// anew from the text.
const Version = 1

// Analysis is everything read out of one utterance. It is plain data and survives JSON, but for the names of timezones in
// its times: these keep their offset.
//
// It is made when a message is heard and stored with it (model.StoredAnalysis). All that read the message again use that one:
// the end of a session with its goals and questions, compaction, greetings, the running talk in a scene, and the jobs goals,
// curiosity, reflect and dream. The job reread replaces those of another Version.
type Analysis struct {
	// Version is the Version it was made by.
	Version int     `json:",omitzero"`
	Claims  []Claim `json:",omitempty"`
	// Question is what the utterance asks, nil when it asks nothing.
	Question *Question `json:",omitempty"`
	// Goals are what the speaker says they work toward, in order. What is asked, supposed, reported, denied, over or due
	// within three days is none.
	Goals []Goal `json:",omitempty"`
	// Times are the times the text names, in any language that package when reads.
	Times []when.Span `json:",omitempty"`
	// Zone is the timezone the speaker says they are in, an IANA name, empty when they say none; ZoneNamed that they named
	// it as theirs, else it may be where they are for a while.
	Zone      string `json:",omitempty"`
	ZoneNamed bool   `json:",omitzero"`
	// Supposes says that the text only imagines what it says, from its beginning on: "if I had a horse …".
	Supposes bool `json:",omitzero"`
	// Phatic says that the text is only greeting, thanks or filler, Greeting that it opens a talk ("hi", "good morning"),
	// Farewell that it closes one.
	Phatic, Greeting, Farewell bool `json:",omitzero"`
	// Corrects says that the text corrects something.
	Corrects bool `json:",omitzero"`
	// Forget says that something is asked to be forgotten; ForgetAbout are the words that say what, empty for everything
	// and for what was just said.
	Forget      bool   `json:",omitzero"`
	ForgetAbout string `json:",omitempty"`
	// Warmth is −1 (hostile) to 1 (warm) towards the persona, 0 neutral.
	Warmth float64 `json:",omitzero"`
	// Entities are people, places, topics, quoted and bracketed names, as written, without the speaker.
	Entities []string `json:",omitempty"`
}

// Question is what is asked for.
type Question struct {
	// Subject is empty when the speaker asks about themselves ("my dog"), "you" for the persona, else a name.
	Subject string `json:",omitzero"`
	// Relations are the relation keys that would answer it, best first; empty when none is known.
	Relations []string `json:",omitzero"`
	// Value narrows the answer ("do I like jazz?"). With no Relations it is what is asked about ("who is Rex?").
	Value string `json:",omitzero"`
	// When says that a time is asked for, Where a place, Who a person, HowMany a number, YesNo a yes or no.
	When, Where, Who, HowMany, YesNo bool `json:",omitzero"`
	// Before says that an earlier value is asked for ("where did I live before?").
	Before bool `json:",omitzero"`
	// All asks for everything known under the relations, or about the subject: "what do you know about my sister?".
	All bool `json:",omitzero"`
	// About is the content of the question without its question words: what to look for.
	About string `json:",omitzero"`
	// Span is the time the question names, nil when none.
	Span *when.Span `json:",omitzero"`
}
