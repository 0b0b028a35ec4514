package belief

import (
	"familiar/memory/internal/db"
	"familiar/memory/lexical"
	"familiar/memory/model"
	"familiar/memory/understand"
)

// genericWords say of something planned no more than that it is one: "the dentist thing" is the dentist appointment.
var genericWords = termsOf("thing appointment appt event plan date booking session going having coming")

// MatchLoop is the open loop that a plan or promise speaks of, the zero Loop when it is a new one. What is planned anew
// is the same plan only under the same words; what is moved or called off was planned before, and any of its words that
// carry a meaning may name it, the latest of several that fit as well.
func MatchLoop(open []model.Loop, c understand.Claim) model.Loop {
	best, bestShare := model.Loop{}, 0.0
	for _, l := range open {
		if model.NormalizeValue(l.Text) == model.NormalizeValue(c.Value) {
			return l
		}
		if share := similarity(l.Text, c.Value); c.Changed && share >= bestShare && share > 0 {
			best, bestShare = l, share
		}
	}
	return best
}

// similarity is how much of two plans' meaning is the same, 0–1: 0 unless all that one says is said by the other.
func similarity(a, b string) float64 {
	one, other := termsOf(a), termsOf(b)
	if len(one) > len(other) {
		one, other = other, one
	}
	weight, total := 0.0, 0.0
	for term := range other {
		w := 1.0
		if genericWords[term] {
			w = 0.1
		}
		total += w
		if one[term] {
			weight += w
		}
	}
	for term := range one {
		if !other[term] && !genericWords[term] {
			return 0
		}
	}
	if weight < 1 {
		return 0 // nothing but "the thing"
	}
	return weight / total
}

// termsOf are the stems of a text's content words.
func termsOf(text string) map[string]bool {
	terms := map[string]bool{}
	for _, t := range lexical.English.Terms(text) {
		terms[t] = true
	}
	return terms
}

// AlignWithPlan gives a claim that moves or calls off one of the open plans the words it was planned with, and its day when
// only a new hour was named, so that belief and loop are the same plan. Any other claim is returned as it is.
func AlignWithPlan(open []model.Loop, c understand.Claim) understand.Claim {
	known := MatchLoop(open, c)
	if !c.Changed || known.ID == 0 {
		return c
	}
	c.Value = known.Text
	if c.Span != nil && c.Span.Clock && !known.DueFrom.IsZero() {
		moved := c.Span.On(known.DueFrom)
		c.Span = &moved
	}
	return c
}

// asPlanned names the plans that claims move or call off as they were planned.
func AlignPlans(tx *db.Tx, persona string, room model.Room, claims []AttributedClaim) error {
	for i, cl := range claims {
		if !concernsLoop(cl) || !cl.Changed {
			continue
		}
		open, err := openLoops(tx, persona, room.Audience(), cl)
		if err != nil {
			return err
		}
		claims[i].Claim = AlignWithPlan(open, cl.Claim)
	}
	return nil
}
