package entry

import (
	"slices"
	"strings"
	"time"

	"familiar/channels"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/memory/when"
)

// Salience by kind of utterance, 0–1. A message gets the salience of the most important thing in it, plus a little for
// substance. The order is deliberate: what changes a belief outlasts what only adds to one, a standing instruction
// outlasts both, and a greeting is forgotten first.
const (
	saliencePhatic      = 0.10
	salienceQuestion    = 0.25
	salienceAttachment  = 0.30 // an attachment without text
	SalienceEvent       = 0.40 // a statement about something that happened
	SalienceElsewhere   = 0.50 // a fact about somebody or something else
	salienceTaste       = 0.55
	saliencePromise     = 0.60
	salienceFact        = 0.60
	saliencePlan        = 0.65
	salienceCorrection  = 0.75
	salienceInstruction = 0.80

	// A feeling scores from minFeelingSalience to maxFeelingSalience, by its intensity.
	minFeelingSalience = 0.40
	maxFeelingSalience = 0.85

	// Bonuses: up to lengthBonus for length, reached at lengthWords words, and nameBonus for each of up to nameLimit
	// names.
	lengthBonus = 0.06
	lengthWords = 40
	nameBonus   = 0.02
	nameLimit   = 2
)

// strongFeeling is the intensity from which a message is stored in the emotional sector.
const strongFeeling = 0.5

// Annotate decides how a message is stored: its sector, salience (0–1), whether it is a standing instruction, the time
// it speaks of and what it claims. before is what the persona said last in the room, empty when nothing; zone is the
// author's timezone, UTC when nil. Claims are read only from the visible words, never from descriptions of attachments.
func Annotate(m channels.Message, before string, zone *time.Location) model.Annotation {
	return Annotator{}.Annotate(m, before, zone)
}

// Annotator annotates messages.
type Annotator struct {
	// WithoutFacts leaves facts about the world unread.
	WithoutFacts bool
}

// Annotate is the function Annotate with the settings of s.
func (s Annotator) Annotate(m channels.Message, before string, zone *time.Location) model.Annotation {
	if zone == nil {
		zone = time.UTC
	}
	said := m.FullText()
	if said == "" {
		return model.Annotation{Sector: model.Episodic}
	}
	text, at := model.StripInvisible(m.Text), m.At.In(zone)
	f := model.Annotation{Analysis: understand.Analyze(understand.Utterance{Text: text, At: at, Before: before, WithoutFacts: s.WithoutFacts})}
	f.Stored = model.StoreAnalysis(f.Analysis)
	f.Instruction = slices.ContainsFunc(f.Analysis.Claims, func(c understand.Claim) bool { return c.Kind == rel.Instruction })
	f.Sector = sectorOf(f.Analysis, text)
	f.Salience = salienceOf(f.Analysis, text)
	f.EventFrom, f.EventUntil = eventWindow(f.Analysis.Times)
	return f
}

// sectorOf returns the sector of the memory a message makes.
func sectorOf(r understand.Analysis, text string) model.Sector {
	felt, known := 0.0, false
	for _, c := range r.Claims {
		switch c.Kind {
		case rel.Instruction:
			return model.Procedural
		case rel.Feeling:
			felt = max(felt, understand.Intensity(c.Value))
		case rel.Fact, rel.Taste:
			known = true
		}
	}
	switch {
	case known:
		return model.Semantic
	case felt >= strongFeeling:
		return model.Emotional
	case r.Question == nil && isHowTo(text):
		return model.Procedural
	}
	return model.Episodic
}

// howToOpenings are the openings of instructions and routines.
var howToOpenings = []string{"to make ", "to do ", "to fix ", "to install ", "to cook ", "to bake ", "to build ", "to reset ", "step 1", "first, ", "the way to ", "here's how ", "you have to first ", "every morning i ", "every evening i ", "every day i "}

// openingBytes is how many bytes of a text isHowTo looks at: more than the longest of howToOpenings and some leading
// blanks.
const openingBytes = 64

// isHowTo reports whether the text begins like instructions or a routine.
func isHowTo(text string) bool {
	low := strings.ToLower(strings.TrimSpace(text[:min(len(text), openingBytes)]))
	return slices.ContainsFunc(howToOpenings, func(lead string) bool { return strings.HasPrefix(low, lead) })
}

// salienceOf returns the salience of a message by the table above.
func salienceOf(r understand.Analysis, text string) float64 {
	words := len(strings.Fields(text))
	switch {
	case words == 0:
		return salienceAttachment
	case r.Phatic && len(r.Claims) == 0:
		return saliencePhatic
	}
	s := SalienceEvent
	if r.Question != nil {
		s = salienceQuestion
	}
	if r.Corrects {
		s = salienceCorrection
	}
	for _, c := range r.Claims {
		s = max(s, claimSalience(c))
	}
	s += lengthBonus * float64(min(words, lengthWords)) / lengthWords
	s += nameBonus * float64(min(len(r.Entities), nameLimit))
	return min(s, 1)
}

// claimSalience returns the salience of one claim.
func claimSalience(c understand.Claim) float64 {
	switch c.Kind {
	case rel.Instruction:
		return salienceInstruction
	case rel.Plan:
		return saliencePlan
	case rel.Promise:
		return saliencePromise
	case rel.Feeling:
		return minFeelingSalience + (maxFeelingSalience-minFeelingSalience)*understand.Intensity(c.Value)
	}
	switch {
	case c.Correction || c.Changed:
		return salienceCorrection
	case c.Subject != "":
		return SalienceElsewhere
	case c.Kind == rel.Taste:
		return salienceTaste
	}
	return salienceFact
}

// eventWindow returns the time span a text speaks of, given the spans it names: the first exact one, else the first.
func eventWindow(spans []when.Span) (from, until time.Time) {
	if len(spans) == 0 {
		return time.Time{}, time.Time{}
	}
	s := spans[0]
	if i := slices.IndexFunc(spans, func(s when.Span) bool { return !s.Vague }); i >= 0 {
		s = spans[i]
	}
	return s.From, s.Until
}
