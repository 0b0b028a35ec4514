package persona

import (
	"context"
	"slices"
	"strings"

	"familiar/memory"
	"familiar/memory/understand"
	"familiar/persona/mind"
)

// wonder puts what the persona would like to know into the scene, when it is natural to ask: the one thing most worth it.
// Everything that costs little is looked at first.
func (e *Engine) wonder(ctx context.Context, t *turn, s *Scene) error {
	if ok, _ := mind.MayAsk(s.occasion()); !ok || t.arrival() {
		return nil
	}
	terms, err := e.Store.Followed(ctx, t.hearing, t.asker.ID, memory.LoopCuriosity)
	if err != nil {
		return err
	}
	best, most := -1, mind.AskFrom
	for i, w := range terms {
		p := mind.Curious(mind.Wonder{Term: w.Text, Count: w.Mentions, Last: w.Last}, s.Relationship, s.Now)
		if w.Asked.IsZero() && p >= most {
			best, most = i, p
		}
	}
	if best < 0 || s.hurt() || s.spokenOut(terms[best].Text) {
		return nil
	}
	asked, err := e.Store.AskedOf(ctx, e.Card.Key, t.asker.ID, memory.LoopCuriosity, t.since)
	if err != nil || asked > 0 {
		return err
	}
	told, err := e.Store.Explained(ctx, e.Card.Key, t.asker.ID, terms[best].Text)
	if err == nil && !told {
		s.Wonder = &terms[best]
	}
	return err
}

// occasion is whether a question fits, as far as the turn itself tells.
func (s *Scene) occasion() mind.Occasion {
	o := mind.Occasion{Direct: s.Direct, Greeting: s.Greeting != nil, Stage: s.Stage}
	if s.Greeting != nil {
		o.DueLoops = len(s.Greeting.Loops)
	}
	for _, l := range s.Heard {
		if l.PersonID == s.Person.ID {
			question := o.Reading.Question
			if o.Reading = l.Reading; o.Reading.Question == nil {
				o.Reading.Question = question // of an earlier message of the turn: it is answered, too
			}
			o.Hurt = o.Hurt || l.Reading.Warmth < 0
		}
	}
	return o
}

// hurt says that hard feelings were spoken of in the talk before.
func (s *Scene) hurt() bool {
	return slices.ContainsFunc(s.Recent, func(l Line) bool {
		if l.Self {
			return false
		}
		r := understand.Analyze(understand.Utterance{Text: l.Text, At: l.At})
		o := mind.Occasion{Direct: true, Stage: mind.Friend, Reading: understand.Analysis{Warmth: r.Warmth, Claims: r.Claims}}
		_, why := mind.MayAsk(o)
		return why == mind.HardFeelings
	})
}

// spokenOut says that a term was asked about or explained in the talk, what is being answered included: the job that notes
// the answers has not read it yet.
func (s *Scene) spokenOut(term string) bool {
	asked := false
	for _, l := range slices.Concat(s.Recent, s.Heard) {
		if l.Self {
			asked = strings.Contains(l.Text, "?") && holds(l.Text, term)
			if asked {
				return true
			}
			continue
		}
		if mind.Explains(term, l.Text, understand.Analyze(understand.Utterance{Text: l.Text, At: l.At}), asked) != mind.Unexplained {
			return true
		}
	}
	return false
}
