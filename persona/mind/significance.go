package mind

import (
	"strings"
	"unicode"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// SessionFacts is what can be counted about one session of one person; the zero value is a silent one.
type SessionFacts struct {
	// Messages are the person's, Words those in them.
	Messages, Words int
	// Warm and Hostile count messages turned to or against the persona.
	Warm, Hostile int
	// Feelings count messages in which the person spoke of how they feel.
	Feelings int
	// Corrections count messages that corrected something, Learned the facts, tastes and wishes they told.
	Corrections, Learned int
	// NewTopics are the distinct names and topics never mentioned before the session.
	NewTopics int
	// Ahead counts plans and promises made.
	Ahead int
	// Achieved counts what came to an end in the session: open loops answered, questions the persona could answer.
	Achieved int
	// Thanked counts messages of thanks or praise: an outcome the person saw.
	Thanked int
	// Wishes count standing wishes, Reminded messages that say something had been told before.
	Wishes, Reminded int

	// What follows the caller counts, beyond one message.

	// GoalTouched counts the goals of the person that the session spoke of.
	GoalTouched int
	// Recalled counts replies made from what was remembered. Answered and Unanswered count the person's questions by
	// whether the persona knew something to say.
	Recalled, Answered, Unanswered int
	// AskedAfter counts the open loops the persona brought up, Greeted is 1 when it greeted the person.
	AskedAfter, Greeted int
}

// warmFrom is how far from neutral a message's warmth counts as warm or hostile.
const warmFrom = 0.3

// With returns the facts with one more message of the person, as it was read. NewTopics, Achieved and all from
// GoalTouched on look beyond one message and stay the caller's to count.
func (f SessionFacts) With(text string, r understand.Analysis) SessionFacts {
	f.Messages++
	f.Words += Words(text)
	switch {
	case r.Warmth >= warmFrom:
		f.Warm++
		f.Thanked++
	case r.Warmth <= -warmFrom:
		f.Hostile++
	}
	if r.Corrects {
		f.Corrections++
	}
	if remindsOfTelling(text) {
		f.Reminded++
	}
	for _, c := range r.Claims {
		switch c.Kind {
		case rel.Instruction:
			f.Wishes++
			f.Learned++
		case rel.Fact, rel.Taste:
			f.Learned++
		case rel.Plan, rel.Promise:
			f.Ahead++
		case rel.Feeling:
			f.Feelings++
		}
	}
	return f
}

// Plus returns the facts of both together. NewTopics, which may be shared, and Achieved are f's.
func (f SessionFacts) Plus(g SessionFacts) SessionFacts {
	f.Messages += g.Messages
	f.Words += g.Words
	f.Warm += g.Warm
	f.Hostile += g.Hostile
	f.Feelings += g.Feelings
	f.Corrections += g.Corrections
	f.Learned += g.Learned
	f.Ahead += g.Ahead
	f.Thanked += g.Thanked
	f.Wishes += g.Wishes
	f.Reminded += g.Reminded
	f.GoalTouched += g.GoalTouched
	f.Recalled += g.Recalled
	f.Answered += g.Answered
	f.Unanswered += g.Unanswered
	f.AskedAfter += g.AskedAfter
	f.Greeted += g.Greeted
	return f
}

// Words counts the words of a text: runs of characters between spaces that hold a letter or a digit.
func Words(text string) int {
	n := 0
	for w := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
	}
	return n
}

// The classes of sessions, in the order in which they are tried.
const (
	Transformative = "transformative"
	Bonding        = "bonding"
	Productive     = "productive"
	Meaningful     = "meaningful"
	Routine        = model.Routine
	Standard       = "standard"
)

// Significance is what a session meant, each part 0–1.
type Significance struct {
	Relationship, Learning, Novelty, Goal, Outcome float64
	// Overall is the weighted sum of the parts, 0–1.
	Overall float64
	// Class is what kind of session it was.
	Class string
}

// The weights and bounds of significance, from the session rules of docs/mind.
const (
	weightRelationship = 0.25
	weightLearning     = 0.30
	weightNovelty      = 0.10
	weightGoal         = 0.15
	weightOutcome      = 0.20

	partAbove       = 0.5 // transformative, bonding, productive
	meaningfulAbove = 0.6
	routineBelow    = 0.2
)

// How many of a kind it takes for a part to reach 63 % on the curve 1 − e^(−n/scale); project choices.
const (
	correctionWorth   = 3 // a correction teaches as much as three facts
	learningScale     = 6 // facts
	relationshipScale = 4 // warm, hostile or felt messages, and every tenth message for time spent
	messagesPerBond   = 10
	noveltyScale      = 5 // new topics
	goalScale         = 2 // plans and promises made, goals spoken of
	outcomeScale      = 3 // things brought to an end
)

// Weigh returns the significance of a session.
func Weigh(f SessionFacts) Significance {
	s := Significance{
		Relationship: saturate(f.Warm+f.Hostile+2*f.Feelings+f.Messages/messagesPerBond, relationshipScale),
		Learning:     saturate(f.Learned+correctionWorth*f.Corrections, learningScale),
		Novelty:      saturate(f.NewTopics, noveltyScale),
		Goal:         saturate(f.Ahead+f.GoalTouched, goalScale),
		Outcome:      saturate(2*f.Achieved+f.Thanked, outcomeScale),
	}
	s.Overall = weightRelationship*s.Relationship + weightLearning*s.Learning + weightNovelty*s.Novelty +
		weightGoal*s.Goal + weightOutcome*s.Outcome
	s.Class = s.class()
	return s
}

// class returns the first class whose bound is passed.
func (s Significance) class() string {
	switch {
	case s.Learning > partAbove:
		return Transformative
	case s.Relationship > partAbove:
		return Bonding
	case s.Outcome > partAbove:
		return Productive
	case s.Overall > meaningfulAbove:
		return Meaningful
	case s.Overall < routineBelow:
		return Routine
	}
	return Standard
}
