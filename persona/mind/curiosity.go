package mind

import (
	"strings"
	"time"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// UnknownTerm is a term that a person used without explaining it.
type UnknownTerm struct {
	Term string
	// Count is how many messages used it, Last when it was last used.
	Count int
	Last  time.Time
}

// The numbers of curiosity are project choices.
const (
	wonderCount, wonderRecency, wonderBond = 0.4, 0.4, 0.2 // the shares of the priority
	wonderScale                            = 3             // messages that use the term
	wonderHalfLife                         = 14 * oneDay
	// AskFrom is the minimum priority for a question: a term used twice recently, or once by a friend.
	AskFrom = 0.55
)

// Curious returns the priority of asking about a term, 0–1: 0.4 for how often it was used, 0.4 for how recently, with
// a half-life of 14 days, and 0.2 for the bond with the person.
func Curious(w UnknownTerm, rel model.Relationship, now time.Time) float64 {
	return wonderCount*saturate(w.Count, wonderScale) + wonderRecency*halved(now.Sub(w.Last), wonderHalfLife) +
		wonderBond*Bond(rel)
}

// Occasion decides whether the persona may ask a question out of curiosity.
type Occasion struct {
	// Direct reports that no one else is in the room, Greeting that the persona is about to greet. DueLoops is how many
	// open loops it will bring up.
	Direct, Greeting bool
	DueLoops         int
	// Asked is how many such questions the session already had.
	Asked int
	// Analysis is that of the person's latest message. Hurt reports that hard feelings were expressed in the session.
	Analysis understand.Analysis
	Hurt     bool
	// Stage is the stage of the relationship.
	Stage string
}

// The reasons not to ask.
const (
	NotAlone     = "others are in the room"
	AskedAlready = "one was asked in this session"
	HardFeelings = "hard feelings were spoken of"
	LoopsFirst   = "what is due comes first"
	TheyAsk      = "they have asked something themselves"
	TooNew       = "they have only met"
	Leaving      = "they are leaving"
)

// MayAsk reports whether a question out of curiosity fits now, and otherwise why not.
func MayAsk(o Occasion) (ok bool, why string) {
	switch {
	case !o.Direct:
		return false, NotAlone
	case o.Asked > 0:
		return false, AskedAlready
	case o.Hurt || o.Analysis.Warmth <= -warmFrom || tellsFeeling(o.Analysis):
		return false, HardFeelings
	case o.Greeting && o.DueLoops > 0:
		return false, LoopsFirst
	case o.Analysis.Question != nil:
		return false, TheyAsk
	case o.Analysis.Farewell:
		return false, Leaving
	case o.Stage == Stranger:
		return false, TooNew
	}
	return true, ""
}

// tellsFeeling reports whether a message expresses a feeling, which a question about something else would ignore.
func tellsFeeling(r understand.Analysis) bool {
	for _, c := range r.Claims {
		if c.Kind == rel.Feeling && !c.Negates {
			return true
		}
	}
	return false
}

// Explanation is what a message means for an unknown term.
type Explanation string

// The kinds of explanation.
const (
	Unexplained Explanation = ""
	Explained   Explanation = "explained"
	Declined    Explanation = "declined" // they do not want to say, or do not know
)

// The numbers of explanations are project choices.
const (
	explainedFrom = 2 // words of an answer without the term
	namedFrom     = 4 // words of an answer with the term
)

var (
	// declining refuse an answer.
	declining = phrases(
		"never mind", "nevermind", "none of your business", "don't want to talk", "rather not", "doesn't matter", "not important",
		"forget it", "no idea", "i don't know", "dunno", "skip it", "ask me something else",
	)
	// defining follow a term and precede its definition.
	defining = []string{
		"is a", "is an", "is the", "is my", "is our", "is where", "is when", "is what", "is how", "is short for", "is called", "are a", "are my",
		"are the", "was a", "was my", "was the", "means", "meant", "stands for", "refers to", "it's a", "it's my", "that's a", "that's my", "that's the",
	}
)

// Explains returns what a message of the person means for a term. asked reports that the persona has just asked about
// it. In that case any answer of two words or more counts that is neither a question nor a pleasantry. Otherwise only a
// definition of the term or a claim about it counts.
func Explains(term, text string, r understand.Analysis, asked bool) Explanation {
	said, name := plain(text), strings.TrimSpace(plain(term))
	switch {
	case name == "" || r.Forget:
		return Unexplained
	case asked && saysAny(said, declining):
		return Declined
	case r.Question != nil || r.Phatic || r.Greeting && !asked:
		return Unexplained
	case defines(said, name) || claims(r, name):
		return Explained
	}
	needs := explainedFrom
	if strings.Contains(said, " "+name+" ") {
		needs = namedFrom
	}
	if asked && Words(text) >= needs && !turnsAway(text) {
		return Explained
	}
	return Unexplained
}

// defines reports whether a text defines a term: "Kiipsaare is a lighthouse".
func defines(said, name string) bool {
	_, after, ok := strings.Cut(said, " "+name+" ")
	if !ok {
		return false
	}
	for _, d := range defining {
		if strings.HasPrefix(after, d+" ") {
			return true
		}
	}
	return false
}

// claims reports whether an analysis has a claim about a term, or one that says what the term names ("my boat is called
// Ilmatar").
func claims(r understand.Analysis, name string) bool {
	for _, c := range r.Claims {
		if c.Negates || c.Kind != rel.Fact {
			continue
		}
		if strings.TrimSpace(plain(c.Subject)) == name || strings.TrimSpace(plain(c.Value)) == name && c.Relation != "" {
			return true
		}
	}
	return false
}
