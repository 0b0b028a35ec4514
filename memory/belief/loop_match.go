package belief

import (
	"sync"

	"familiar/memory/internal/db"
	"familiar/memory/lexical"
	"familiar/memory/model"
	"familiar/memory/understand"
)

// genericWords add nothing to the meaning of a plan: "the dentist thing" is the dentist appointment.
var genericWords = sync.OnceValue(func() map[string]bool {
	return termsOf("thing appointment appt event plan date booking session going having coming")
})

// MatchLoop returns the open loop that a plan or promise refers to, the zero Loop if it is new. A plan that is stated
// again must have the same words. A plan that is moved or cancelled existed before, so any of its content words may
// identify it; the latest of several equal matches wins. What the persona promised or asked is none of the person's plans.
func MatchLoop(open []model.Loop, c understand.Claim) model.Loop {
	best, bestShare := model.Loop{}, 0.0
	for _, l := range open {
		if l.Own {
			continue
		}
		if model.NormalizeValue(l.Text) == model.NormalizeValue(c.Value) {
			return l
		}
		if share := similarity(l.Text, c.Value); c.Changed && share >= bestShare && share > 0 {
			best, bestShare = l, share
		}
	}
	return best
}

// similarity returns how much meaning two plans share, 0–1. It is 0 unless one contains all content words of the
// other.
func similarity(a, b string) float64 {
	one, other := termsOf(a), termsOf(b)
	if len(one) > len(other) {
		one, other = other, one
	}
	weight, total := 0, 0 // in tenths of a word: whole numbers have the same sum in every order
	for term := range other {
		w := 10
		if genericWords()[term] {
			w = 1
		}
		total += w
		if one[term] {
			weight += w
		}
	}
	for term := range one {
		if !other[term] && !genericWords()[term] {
			return 0
		}
	}
	if weight < 10 {
		return 0 // only generic words match
	}
	return float64(weight) / float64(total)
}

// termsOf returns the stems of a text's content words.
func termsOf(text string) map[string]bool {
	terms := map[string]bool{}
	for _, t := range lexical.English.Terms(text) {
		terms[t] = true
	}
	return terms
}

// AlignWithPlan gives a claim that moves or cancels an open plan the words of that plan, and its day if the claim names
// only a new hour, so that belief and loop describe the same plan. It returns other claims unchanged.
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

// AlignPlans applies AlignWithPlan to claims made in a room.
func AlignPlans(tx *db.Tx, persona string, room model.Room, claims []AttributedClaim) error {
	for i, cl := range claims {
		if !concernsLoop(cl) || !ofAuthor(cl) || !cl.Changed {
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
