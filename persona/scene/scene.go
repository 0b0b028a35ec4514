package scene

import (
	"context"
	"time"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/turns"
	"familiar/memory/understand"
	"familiar/persona/card"
)

// Voice puts a scene into words. There are two: plain speaks from templates and what is remembered, model asks a
// language model.
type Voice interface {
	// Name says which voice spoke: "plain" or "model".
	Name() string
	// Reply answers the scene. show, when not nil, receives the text so far while it grows. The error is not nil only
	// when nothing can be said; ctx cancelled returns what was said so far with ctx's error.
	Reply(ctx context.Context, s Scene, show func(soFar string)) (Reply, error)
}

// Reply is what a voice said.
type Reply struct {
	Text  string
	Voice string
	// Fault is why another voice had to step in, empty when none did: for the operator, never for the room.
	Fault string
	// Used are the memories the words were made from, by ID: only these count as used, not merely recalled.
	Used []int64
	// Beliefs are those the words were made from, by ID, Quoted the messages of the running session.
	Beliefs, Quoted []int64
	// Exact says that nothing else was used of what was shown to the voice, so that the rest need not be accounted for.
	Exact bool
}

// Scene is everything a voice may know for one answer. It holds only what everyone in the room may hear.
type Scene struct {
	// Card is the operator's with its traits as strong as they grew.
	Card *card.Card
	// Now is in the person's timezone.
	Now    time.Time
	Direct bool
	// RoomTitle is the group's name, empty for direct rooms.
	RoomTitle string
	Person    model.Person
	// Address is how the person wants to be called, their name when they never said, "" when neither is known.
	Address      string
	Relationship model.Relationship
	Stage        string // stranger, acquaintance, friend, close
	Style        string // direct, detailed, exploratory, balanced
	// Timeline tells the history of the two in a few words, Mood how the persona is; "" where there is nothing to tell.
	Timeline, Mood string
	// Milestones are what the two have reached together lately, in words.
	Milestones []string
	// Heard is what is being answered, oldest first, one entry per message folded into this turn.
	Heard []Line
	// Recent is the talk before it, oldest first, the persona's own words included.
	Recent []Line
	// Recall is what was remembered for this turn.
	Recall recall.Result
	// Beliefs are those about the person and what the heard messages ask about, as they stand after this turn.
	Beliefs []model.Belief
	// Changes are what this turn's messages did to the beliefs.
	Changes []model.BeliefChange
	// Forgettable are the person's own memories of what they ask to have forgotten, best first; none when they ask for
	// nothing of the kind.
	Forgettable []model.Memory
	// Loops are what is open with the person: plans, promises, questions.
	Loops []model.Loop
	// Goals are what the person is after, what is most on their mind first, those not spoken of for long included.
	Goals []belief.TrackedLoop
	// UnknownTerm is a term of theirs that nobody explained, set when it is natural to ask, nil otherwise.
	UnknownTerm *belief.TrackedLoop
	// Observations are patterns seen in what the person said, Lessons what the persona means to do otherwise, as far as
	// they are relevant to what is said or are new; LastTalk is the session before this one, summarized, zero for none.
	// They are inferred: evidence of nothing.
	Observations, Lessons []model.Memory
	LastTalk              model.Memory
	// Episodes tell what of this talk lies before Recent, oldest first.
	Episodes []turns.EpisodeView
	// AfterFallback says that the answer before this one was a stand-in's.
	AfterFallback bool
	// Greeting is set when the persona greets after a gap, nil otherwise.
	Greeting *Greeting
	// Earlier is what someone who comes back told before and no note says, in the order it was said.
	Earlier []recall.Item
}

// Line is one thing said, as a voice sees it.
type Line struct {
	// Name is the speaker's, Self says it is the persona's own.
	Name string
	Self bool
	// MessageID is the message on record, 0 for what is being answered.
	MessageID int64
	// PersonID is who said it, 0 for the persona and when it is not known.
	PersonID int64
	Text     string
	At       time.Time
	// Heard is what the line claims or asks; zero for older lines.
	Heard understand.Analysis
	// Stored is the analysis of an older line; none when Text is no longer what was said.
	Stored model.StoredAnalysis
}

// Analysis is the analysis made when the line was heard, or one of its present text when nothing is stored.
func (l Line) Analysis() understand.Analysis {
	if l.Heard.Version != 0 {
		return l.Heard
	}
	return l.Stored.Or(understand.Utterance{Text: l.Text, At: l.At})
}

// Greeting is what the persona may bring up when someone comes back. Loops come first.
type Greeting struct {
	// First says that they have never met, Unasked that nobody came: the persona speaks up about Loops unprompted.
	First, Proactive bool
	// Since is how long they have not spoken.
	Since time.Duration
	// Loops are due and were not asked about before.
	Loops []model.Loop
	// Observed are what was noticed of them lately: inferred, and to be spoken of as such.
	Observed []model.Memory
	// Recalled are things worth bringing up, not greeted about before, best first.
	Recalled []model.Memory
	// Instructions are standing wishes that are relevant to greeting.
	Instructions []model.Memory
	// Opening counts through the openings, so that no greeting opens like the one before.
	Opening int
	// Subjects name what the greeting brings up, for the record of what was greeted about: "loop:12", "memory:40"; and its
	// opening, "opening:3".
	Subjects []string
}
