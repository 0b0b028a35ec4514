package memory

import (
	"familiar/memory/lexical"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// lightWords say of something planned no more than that it is one: "the dentist thing" is the dentist appointment.
var lightWords = termsOf("thing appointment appt event plan date booking session going having coming")

// LoopMeant is the open loop that a plan or promise speaks of, the zero Loop when it is a new one. What is planned anew
// is the same plan only under the same words; what is moved or called off was planned before, and any of its words that
// carry a meaning may name it, the latest of several that fit as well.
func LoopMeant(open []Loop, c understand.Claim) Loop {
	best, bestShare := Loop{}, 0.0
	for _, l := range open {
		if foldValue(l.Text) == foldValue(c.Value) {
			return l
		}
		if share := likeness(l.Text, c.Value); c.Changed && share >= bestShare && share > 0 {
			best, bestShare = l, share
		}
	}
	return best
}

// likeness is how much of two plans' meaning is the same, 0–1: 0 unless all that one says is said by the other.
func likeness(a, b string) float64 {
	one, other := termsOf(a), termsOf(b)
	if len(one) > len(other) {
		one, other = other, one
	}
	weight, total := 0.0, 0.0
	for term := range other {
		w := 1.0
		if lightWords[term] {
			w = 0.1
		}
		total += w
		if one[term] {
			weight += w
		}
	}
	for term := range one {
		if !other[term] && !lightWords[term] {
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

// AsPlanned gives a claim that moves or calls off one of the open plans the words it was planned with, and its day when
// only a new hour was named, so that belief and loop are the same plan. Any other claim is returned as it is.
func AsPlanned(open []Loop, c understand.Claim) understand.Claim {
	known := LoopMeant(open, c)
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
func (c *conn) asPlanned(persona string, room Room, claims []AttributedClaim) error {
	for i, cl := range claims {
		if !leavesOpen(cl) || !cl.Changed {
			continue
		}
		open, err := c.openLoops(persona, room.Audience(), cl)
		if err != nil {
			return err
		}
		claims[i].Claim = AsPlanned(open, cl.Claim)
	}
	return nil
}

// concluded are the loops a turn closes as claims about the plans: before its day a plan fell away, and later it is over.
func (r *recording) concluded() (claims []AttributedClaim, err error) {
	if len(r.turn.ClosedLoops) == 0 {
		return nil, nil
	}
	in, args := list(r.turn.ClosedLoops)
	loops, err := collect[Loop](r.rows(loopColumns+` WHERE l.id IN `+in+` AND l.persona = ? AND l.kind IN ('plan', 'promise')
		ORDER BY l.id`, append(args, r.turn.Persona)...))(scanLoop)
	for _, l := range loops {
		for _, by := range r.closing() {
			if by.person != l.PersonID {
				continue
			}
			fellAway := by.at.Before(l.DueFrom)
			claims = append(claims, AttributedClaim{
				Claim: understand.Claim{
					Kind: rel.Kind(l.Kind), Relation: l.Kind, Value: l.Text, Many: true, Quote: by.text, Negates: fellAway, Changed: fellAway,
				},
				AuthorID: l.PersonID, SubjectPerson: l.PersonID, MessageID: by.message, At: by.at, Over: !fellAway,
			})
		}
	}
	return claims, err
}
