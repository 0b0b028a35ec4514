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
	Kind rel.Kind
	// Subject is empty for the speaker, else the name of whom or what it is about, as written.
	Subject string
	// Relation is a key of the relation table ("name", "lives_in", "pet_name:dog") or, for relations the table
	// does not know, the normalised noun phrase ("favourite colour").
	Relation string
	// Value is what is claimed, as written, trimmed; empty when a denial takes back whatever holds ("I quit my job"), and
	// when a plan is moved that was only called "it": the one spoken of last.
	Value string
	// Many says that several values hold side by side (likes, plans); otherwise the newest replaces the one before.
	Many bool
	// Quote is the part of the text the claim was read from.
	Quote string
	// Span is when it happens or happened, nil when no time was named.
	Span *when.Span
	// Negates says that the value is denied: "I no longer like jazz", "not Rex".
	Negates bool
	// Corrects is the value that is wrong ("not Rex, Milo" corrects "Rex"); the claim's Relation may then be empty:
	// it takes the relation of the belief that holds the wrong value. Correction is set for any correcting wording.
	Corrects   string
	Correction bool
	// Changed says that the wording tells of a change ("I moved to", "I switched to"): the old value was true once.
	Changed bool
}

// Utterance is what Read needs to know about a text.
type Utterance struct {
	Text string
	// At is when it was said, in the speaker's timezone.
	At time.Time
	// Before is what the persona said just before, empty when nothing: a bare "Rex" answers "what's your dog called?".
	Before string
}

// Analysis is everything read out of one utterance.
type Analysis struct {
	Claims []Claim
	// Question is what the utterance asks, nil when it asks nothing.
	Question *Question
	// Phatic says that the text is only greeting, thanks or filler.
	Phatic bool
	// Greeting says that the text opens a talk ("hi", "good morning").
	Greeting bool
	// Farewell says that the text closes a talk.
	Farewell bool
	// Corrects says that the text corrects something.
	Corrects bool
	// Forget says that something is asked to be forgotten; ForgetAbout are the words that say what, empty for everything
	// and for what was just said.
	Forget      bool
	ForgetAbout string
	// Warmth is −1 (hostile) to 1 (warm) towards the persona, 0 neutral.
	Warmth float64
	// Entities are people, places, topics, quoted and bracketed names, as written, without the speaker.
	Entities []string
}

// Question is what is asked for.
type Question struct {
	// Subject is empty when the speaker asks about themselves ("my dog"), "you" for the persona, else a name.
	Subject string
	// Relations are the relation keys that would answer it, best first; empty when none is known.
	Relations []string
	// Value narrows the answer ("do I like jazz?"). With no Relations it is what is asked about ("who is Rex?").
	Value string
	// When says that a time is asked for, Where a place, Who a person, HowMany a number, YesNo a yes or no.
	When, Where, Who, HowMany, YesNo bool
	// Before says that an earlier value is asked for ("where did I live before?").
	Before bool
	// All asks for everything known under the relations, or about the subject: "what do you know about my sister?".
	All bool
	// About is the content of the question without its question words: what to look for.
	About string
	// Span is the time the question names, nil when none.
	Span *when.Span
}
