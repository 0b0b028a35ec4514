package scene

import (
	"context"
	"slices"
	"time"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/toolcall"
	"familiar/memory/turns"
	"familiar/memory/understand"
	"familiar/persona/card"
	"familiar/persona/tool"
)

// Voice writes the reply to a scene. There are two implementations: plain uses templates and memories, modelvoice asks
// a language model.
type Voice interface {
	// Name returns the voice's name: "plain" or "model".
	Name() string
	// Reply answers the scene. If show is not nil, it receives the text so far while it grows. An error means that the
	// voice has nothing to say. If ctx is cancelled, Reply returns the text so far with ctx's error.
	Reply(ctx context.Context, s Scene, show func(soFar string)) (Reply, error)
}

// Reply is what a voice says.
type Reply struct {
	Text  string
	Voice string
	// Fault is why another voice stepped in, empty if none did. It is for the operator and must not reach the room.
	Fault string
	// Used are the IDs of the memories that the text was made from. Only these count as used; recalled ones alone do
	// not.
	Used []int64
	// Beliefs are the IDs of the beliefs that the text was made from, Quoted those of the messages of the running
	// session.
	Beliefs, Quoted []int64
	// LookedUp is what the voice recalled while it answered. Notes and Reminders are what it filed: they are stored with the
	// turn.
	LookedUp  []recall.Item
	Notes     []Note
	Reminders []Reminder
	// Called reports that tools were called for it. Question is a call that the person is to be asked about, nil for none.
	Called   bool
	Question *toolcall.Question
	// ToldUndelivered reports that the text tells of the replies that may not have arrived.
	ToldUndelivered bool
	// Blind reports that the voice was shown pictures and its model turned out not to see.
	Blind bool
	// Exact reports that the voice used nothing else of what it saw, so that the rest need not be recorded as context.
	Exact bool
}

// Scene is the context of a reply: everything a voice may know for one answer. It holds only what everyone in the room
// may see.
type Scene struct {
	// Card is the operator's card with the traits at their grown strength.
	Card *card.Card
	// Now is in the person's timezone.
	Now    time.Time
	Direct bool
	// Room is the id of the room.
	Room int64
	// RoomTitle is the group's name, empty for direct rooms.
	RoomTitle string
	Person    model.Person
	// Address is how the person wants to be called, their name if they never said, "" if neither is known.
	Address      string
	Relationship model.Relationship
	Stage        string // stranger, acquaintance, friend, close
	Style        string // direct, detailed, exploratory, balanced
	// Timeline describes the shared history in a few words, Mood the persona's mood. Each is "" if there is nothing to
	// say.
	Timeline, Mood string
	// Milestones describes what the two reached together recently.
	Milestones []string
	// Care is what is known of the danger that the person is in.
	Care Care
	// Incoming are the messages being answered, oldest first.
	Incoming []Line
	// Recent are the messages before them, oldest first, including the persona's own.
	Recent []Line
	// Recall is what recall found for this turn.
	Recall recall.Result
	// Beliefs are the beliefs about the person and about what the messages ask, as they stand after this turn.
	Beliefs []model.Belief
	// Around are the beliefs about others that the person told of. Only a model's voice has them.
	Around []model.Belief
	// Read says which messages and memories of the scene a model has read. Without a model there are none.
	Read turns.ReadByModel
	// Portrait says who the person is, as a model wrote it from facts; zero if there is none. ToConfirm is what a model read and
	// the persona may ask about, nil for nothing. Only a model's voice has them.
	Portrait  model.Memory
	ToConfirm *belief.Confirmation
	// Changes are the changes that this turn's messages make to beliefs.
	Changes []model.BeliefChange
	// Forgettable are the person's own memories of what they ask to forget, best first.
	Forgettable []model.Memory
	// Loops are the person's open loops: plans, promises, questions.
	Loops []model.Loop
	// Goals are the person's goals, top by salience first, including stale ones.
	Goals []belief.TrackedLoop
	// UnknownTerm is a term that the person used without explaining it, set if a question fits, nil otherwise.
	UnknownTerm *belief.TrackedLoop
	// Observations are patterns in what the person said, Lessons what the persona resolved to do differently, both as
	// far as they are relevant or new. LastTalk is the summary of the last session, zero if there is none. All are
	// inferred and are evidence of nothing.
	Observations, Lessons []model.Memory
	LastTalk              model.Memory
	// Episodes are the compacted part of this session before Recent, oldest first.
	Episodes []turns.EpisodeView
	// WebNote is a sentence from the web that matters to the person and that they were not told, nil for none. It is a stranger's.
	WebNote *WebNote
	// AfterFallback reports that a fallback voice wrote the reply before this one.
	AfterFallback bool
	// Undelivered is how many earlier replies may not have reached the room, of which the person was not told yet. A voice
	// says so at the start of its reply, except where other things matter more.
	Undelivered int
	// Greeting is set if the persona greets after a gap, nil otherwise.
	Greeting *Greeting
	// Earlier are earlier statements of someone who returns, as far as no note has them, in the order they were said.
	Earlier []recall.Item
	// Lookup recalls more, as far as everybody in the room may know it, nil if nothing can be recalled. The voice may call it
	// while it answers.
	Lookup func(ctx context.Context, query string) ([]recall.Item, error)
	// Tools are what a model may call in the room while it answers, nil for no more than what the voice brings.
	Tools *tool.Offer
	// Notepad is what the persona noted down for itself here, "" for nothing. Only a model's voice has it.
	Notepad string
	// Answered is a call that the person was asked about and has answered in Incoming, nil for none.
	Answered *tool.Answered
}

// Picture is a picture that somebody sent.
type Picture struct {
	// MIME is its type, such as "image/jpeg".
	MIME string
	Data []byte
}

// Line is one message as a voice sees it.
type Line struct {
	// Name is the author's name. Self reports that the persona wrote the line.
	Name string
	Self bool
	// MessageID is the recorded message, 0 for one that is being answered.
	MessageID int64
	// PersonID is the author, 0 for the persona or if unknown.
	PersonID int64
	Text     string
	At       time.Time
	// Pictures are those of a message that is being answered.
	Pictures []Picture
	// Parsed is the analysis of the text, zero for older lines.
	Parsed understand.Analysis
	// Stored is the stored analysis of an older line. There is none if Text has changed since.
	Stored model.StoredAnalysis
	// WithoutFacts leaves facts about the world unread where the line has neither.
	WithoutFacts bool
}

// Analysis returns the analysis made in this turn, else the stored one, else one of the current text.
func (l Line) Analysis() understand.Analysis {
	if l.Parsed.Version != 0 {
		return l.Parsed
	}
	return l.Stored.Or(understand.Utterance{Text: l.Text, At: l.At, WithoutFacts: l.WithoutFacts})
}

// Greeting is what the persona may bring up when someone returns. Loops come first.
type Greeting struct {
	// First reports that they have never met, Proactive that the persona writes first about Loops.
	First, Proactive bool
	// Since is how long they have not talked.
	Since time.Duration
	// Loops are due and were not asked about before.
	Loops []model.Loop
	// Observed are recent observations. They are inferred, and the greeting must say so.
	Observed []model.Memory
	// Recalled are memories worth bringing up that no greeting used before, best first.
	Recalled []model.Memory
	// Instructions are standing wishes about greetings.
	Instructions []model.Memory
	// Opening numbers the opening, so that no greeting opens like the one before.
	Opening int
	// Subjects are the IDs of what the greeting brings up, for the record of greeted subjects: "loop:12:after",
	// "memory:40", and the opening, "opening:3".
	Subjects []string
}

// OwnLines returns the lines of the person being answered. In a group others may have spoken in between.
func OwnLines(s Scene) []Line {
	if s.Direct {
		return s.Incoming
	}
	own := slices.DeleteFunc(slices.Clone(s.Incoming), func(l Line) bool {
		return l.PersonID != s.Person.ID && (l.PersonID != 0 || l.Name != s.Person.Name)
	})
	if len(own) == 0 {
		return s.Incoming // the lines carry another name than the record
	}
	return own
}
