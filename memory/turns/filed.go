package turns

import (
	"familiar/memory/belief"
	"familiar/memory/log"
)

// Filed is a claim that the answer's voice made of one of the turn's messages. Like everything that only a model read, it
// stands below what its author stated.
type Filed struct {
	// Heard is the place of the message in Turn.Heard.
	Heard int
	// Claim has no message, author, audience and time: these are the message's.
	Claim belief.AttributedClaim
}

// filed returns the filed claims with their messages. Nothing is filed of a message that the room already had, or that is
// not to be remembered.
func (r *TurnWriter) filed() (claims []belief.AttributedClaim) {
	for _, f := range r.Turn.Filed {
		if f.Heard < 0 || f.Heard >= len(r.Turn.Heard) || f.Heard >= len(r.Done.MessageIDs) {
			continue
		}
		h, id := r.Turn.Heard[f.Heard], r.Done.MessageIDs[f.Heard]
		if id == 0 || h.Annotation.SkipMemory || h.PersonID == 0 {
			continue
		}
		c := f.Claim
		c.AuthorID, c.Author, c.SubjectPerson = h.PersonID, log.DisplayName(h.Message.Author), h.PersonID
		c.MessageID, c.At, c.Audience, c.ByModel = id, h.Message.At, r.Audience, true
		if c.At.IsZero() {
			c.At = r.Now
		}
		c.Value, c.Sentence, c.Quote = log.Redact(c.Value), log.Redact(c.Sentence), log.Redact(c.Quote)
		claims = append(claims, c)
	}
	return claims
}
