// Package understand parses one message: what it claims (names, places, tastes, plans, corrections, standing
// instructions, feelings), what it asks for and how it sounds. It is pure: it takes text, returns values and uses no
// model.
package understand

import (
	"time"

	"familiar/memory/understand/rel"
	"familiar/memory/when"
)

// Claim is one claim of an utterance.
type Claim struct {
	Kind rel.Kind `json:",omitzero"`
	// Subject is empty for the speaker, otherwise the name of the person or thing, as written.
	Subject string `json:",omitzero"`
	// Relation is a key of the relation table ("name", "lives_in", "pet_name:dog") or, for other relations, the
	// normalised noun phrase ("favourite colour").
	Relation string `json:",omitzero"`
	// Value is the claimed value, as written and trimmed. It is empty when a denial retracts the current value ("I
	// quit my job"), and when a plan is moved that was only called "it", which means the plan mentioned last.
	Value string `json:",omitzero"`
	// Many reports that several values hold at the same time (likes, plans). Otherwise the newest replaces the one
	// before.
	Many bool `json:",omitzero"`
	// Quote is the part of the text that contains the claim.
	Quote string `json:",omitzero"`
	// Span is the time of the event, nil when no time was named.
	Span *when.Span `json:",omitzero"`
	// Negates reports that the value is denied: "I no longer like jazz", "not Rex".
	Negates bool `json:",omitzero"`
	// Corrects is the wrong value: "not Rex, Milo" corrects "Rex". The claim's Relation may then be empty; it takes
	// the relation of the belief with the wrong value. Correction is set for any wording of a correction.
	Corrects   string `json:",omitzero"`
	Correction bool   `json:",omitzero"`
	// Changed reports that the wording tells of a change ("I moved to", "I switched to"): the old value was true
	// before.
	Changed bool `json:",omitzero"`
}

// Utterance is the input of Analyze.
type Utterance struct {
	Text string
	// At is when it was said, in the speaker's timezone.
	At time.Time
	// Before is what the persona said just before, empty when nothing. A bare "Rex" answers "what's your dog
	// called?".
	Before string
	// WithoutFacts makes Analyze skip facts about the world ("the author of Dune is Frank Herbert"), for a persona
	// that stores none.
	WithoutFacts bool
}

// Version is the version of Analyze. Raise it when the analysis of a text changes: analyses of other versions are
// replaced from the text.
const Version = 4

// Analysis is the result of parsing one utterance. It is plain data and survives JSON, except that the timezones of
// its times lose their names and keep their offsets.
//
// It is made when a message arrives and stored with it (model.StoredAnalysis). All later readers use the stored one:
// the end of a session with its goals and questions, compaction, greetings, the conversation in a scene, and the jobs
// goals, curiosity, reflect and dream. The job reread replaces analyses of another Version.
type Analysis struct {
	// Version is the Version that made it.
	Version int     `json:",omitzero"`
	Claims  []Claim `json:",omitempty"`
	// Told are the kinds of facts that the text may tell: bit n stands for the kind n of sentences.Relations.
	Told uint64 `json:",omitzero"`
	// Question is what the utterance asks, nil when it asks nothing.
	Question *Question `json:",omitempty"`
	// Goals are what the speaker says they work toward, in order. Anything asked, supposed, reported, denied,
	// finished or due within three days is not a goal.
	Goals []Goal `json:",omitempty"`
	// Times are the times the text names, in any language that package when parses.
	Times []when.Span `json:",omitempty"`
	// Zone is the IANA name of the timezone the speaker says they are in, empty when they name none. ZoneNamed
	// reports that they named it as theirs; otherwise it may be where they are for a while.
	Zone      string `json:",omitempty"`
	ZoneNamed bool   `json:",omitzero"`
	// Supposes reports that the text is hypothetical from its beginning: "if I had a horse …".
	Supposes bool `json:",omitzero"`
	// Phatic reports that the text is only greeting, thanks or filler, Greeting that it opens a conversation ("hi",
	// "good morning"), Farewell that it closes one.
	Phatic, Greeting, Farewell bool `json:",omitzero"`
	// Corrects reports that the text corrects something.
	Corrects bool `json:",omitzero"`
	// Forget reports a request to forget something. ForgetAbout holds the words that describe it, empty for
	// everything and for what was just said.
	Forget      bool   `json:",omitzero"`
	ForgetAbout string `json:",omitempty"`
	// Warmth is −1 (hostile) to 1 (warm) towards the persona, 0 neutral.
	Warmth float64 `json:",omitzero"`
	// Entities holds people, places, topics, quoted and bracketed names, as written, without the speaker.
	Entities []string `json:",omitempty"`
}

// Question is a question in an utterance.
type Question struct {
	// Subject is empty when the speaker asks about themselves ("my dog"), "you" for the persona, otherwise a name.
	Subject string `json:",omitzero"`
	// Relations are the relation keys that would answer it, best first. It is empty when none is known.
	Relations []string `json:",omitzero"`
	// Value narrows the answer ("do I like jazz?"). Without Relations it is the topic ("who is Rex?").
	Value string `json:",omitzero"`
	// When reports that the question asks for a time, Where a place, Who a person, HowMany a number, YesNo a yes or
	// no.
	When, Where, Who, HowMany, YesNo bool `json:",omitzero"`
	// Before reports that it asks for an earlier value ("where did I live before?").
	Before bool `json:",omitzero"`
	// All reports that it asks for everything known under the relations, or about the subject: "what do you know
	// about my sister?".
	All bool `json:",omitzero"`
	// About is the content of the question without its question words, for use as a search query.
	About string `json:",omitzero"`
	// Span is the time the question names, nil when none.
	Span *when.Span `json:",omitzero"`
}
