package scene

import (
	"slices"
	"strings"

	"familiar/memory/understand"
	"familiar/persona/mind"
	"familiar/persona/words"
)

// Occasion returns whether a question fits, as far as the turn itself tells.
func (s *Scene) Occasion() mind.Occasion {
	o := mind.Occasion{Direct: s.Direct, Greeting: s.Greeting != nil, Stage: s.Stage}
	if s.Greeting != nil {
		o.DueLoops = len(s.Greeting.Loops)
	}
	for _, l := range s.Heard {
		if l.PersonID == s.Person.ID {
			question := o.Analysis.Question
			if o.Analysis = l.Heard; o.Analysis.Question == nil {
				o.Analysis.Question = question // of an earlier message of the turn: it is answered, too
			}
			o.Hurt = o.Hurt || l.Heard.Warmth < 0
		}
	}
	return o
}

// Hurt reports whether hard feelings were spoken of in the talk before.
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

// SpokenOut reports whether a term was asked about or explained in the talk, what is being answered included: the job
// that notes the answers has not read it yet.
func (s *Scene) SpokenOut(term string) bool {
	asked := false
	for _, l := range slices.Concat(s.Recent, s.Heard) {
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
