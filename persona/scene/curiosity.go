package scene

import (
	"slices"
	"strings"

	"familiar/memory/understand"
	"familiar/persona/mind"
	"familiar/persona/words"
)

// Occasion returns what the turn itself tells about whether a question fits.
func (s *Scene) Occasion() mind.Occasion {
	o := mind.Occasion{Direct: s.Direct, Greeting: s.Greeting != nil, Stage: s.Stage}
	if s.Greeting != nil {
		o.DueLoops = len(s.Greeting.Loops)
	}
	for _, l := range s.Incoming {
		if l.PersonID == s.Person.ID {
			question := o.Analysis.Question
			if o.Analysis = l.Parsed; o.Analysis.Question == nil {
				o.Analysis.Question = question // from an earlier message of the turn, which is answered as well
			}
			o.Hurt = o.Hurt || l.Parsed.Warmth < 0
		}
	}
	return o
}

// Hurt reports whether the person expressed hard feelings earlier in the conversation.
func (s *Scene) Hurt() bool {
	return slices.ContainsFunc(s.Recent, func(l Line) bool {
		if l.Self {
			return false
		}
		r := l.Analysis()
		o := mind.Occasion{Direct: true, Stage: mind.Friend, Analysis: understand.Analysis{Warmth: r.Warmth, Claims: r.Claims}}
		_, why := mind.MayAsk(o)
		return why == mind.HardFeelings
	})
}

// SpokenOut reports whether a term was asked about or explained in the conversation, including the messages being
// answered. The job that records explanations has not read these yet.
func (s *Scene) SpokenOut(term string) bool {
	asked := false
	for _, l := range slices.Concat(s.Recent, s.Incoming) {
		if l.Self {
			asked = strings.Contains(l.Text, "?") && words.Holds(l.Text, term)
			if asked {
				return true
			}
			continue
		}
		if mind.Explains(term, l.Text, l.Analysis(), asked) != mind.Unexplained {
			return true
		}
	}
	return false
}
