package mind

import (
	"strings"
	"unicode"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// SessionFacts are the counts of one session of one person. The zero value is a silent session.
type SessionFacts struct {
	// Messages counts the person's messages, Words the words in them.
	Messages, Words int
	// Warm and Hostile count messages that were kind or hostile to the persona.
	Warm, Hostile int
	// Feelings counts messages in which the person expressed a feeling.
	Feelings int
	// Corrections counts messages that corrected something, Learned the facts, tastes and wishes they stated.
	Corrections, Learned int
	// NewTopics counts the distinct names and topics never mentioned before the session.
	NewTopics int
	// Ahead counts plans and promises made.
	Ahead int
	// Achieved counts what was completed in the session: open loops answered and questions that the persona could
	// answer.
	Achieved int
	// Thanked counts messages of thanks or praise.
	Thanked int
	// Wishes counts standing wishes, Reminded messages that say something was told before.
	Wishes, Reminded int

	// The caller counts the following; they need more than one message.

	// GoalTouched counts the person's goals that were mentioned.
	GoalTouched int
	// Recalled counts replies made from memories. Answered and Unanswered count the person's questions by whether the
	// persona had an answer.
	Recalled, Answered, Unanswered int
	// AskedAfter counts the open loops that the persona brought up. Greeted is 1 if it greeted the person.
	AskedAfter, Greeted int
}

// warmFrom is the distance from neutral at which a message counts as warm or hostile.
const warmFrom = 0.3

// With returns the facts with one more analyzed message of the person. The caller counts NewTopics, Achieved and
// everything from GoalTouched on.
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

// Plus returns the sum of both facts. NewTopics, which may overlap, and Achieved are those of f.
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

// Words counts the words of a text: runs of non-space characters with a letter or digit.
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
	// Class is the kind of session.
	Class string
}

// The weights and bounds of significance, from the session rules in docs/mind.md.
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

// How many events of a kind it takes for a part to reach 63 % on the curve 1 − e^(−n/scale). Project choices.
const (
	correctionWorth   = 3 // a correction teaches as much as three facts
	learningScale     = 6 // facts
	relationshipScale = 4 // warm, hostile or emotional messages, and every tenth message for time spent
	messagesPerBond   = 10
	noveltyScale      = 5 // new topics
	goalScale         = 2 // plans and promises made, goals mentioned
	outcomeScale      = 3 // things completed
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

// class returns the first class whose bound is exceeded.
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
