package turns

import (
	"familiar/memory/belief"
	"familiar/memory/internal/db"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// concludedLoops returns the loops a turn closes as claims about the plans: a plan closed before its day was cancelled,
// one closed later is over.
func (r *TurnWriter) concludedLoops() (claims []belief.AttributedClaim, err error) {
	if len(r.Turn.ClosedLoops) == 0 {
		return nil, nil
	}
	in, args := db.Placeholders(r.Turn.ClosedLoops)
	loops, err := db.Collect[model.Loop](r.Query(belief.SelectLoops+` WHERE l.id IN `+in+` AND l.persona = ? AND l.kind IN ('plan', 'promise')
		ORDER BY l.id`, append(args, r.Turn.Persona)...))(belief.ScanLoop)
	for _, l := range loops {
		for _, by := range r.closing() {
			if by.Person != l.PersonID || l.Own {
				continue
			}
			fellAway := by.At.Before(l.DueFrom)
			claims = append(claims, belief.AttributedClaim{
				Claim: understand.Claim{
					Kind: rel.Kind(l.Kind), Relation: l.Kind, Value: l.Text, Many: true, Quote: by.Text, Negates: fellAway, Changed: fellAway,
				},
				AuthorID: l.PersonID, SubjectPerson: l.PersonID, MessageID: by.Message, At: by.At, Completed: !fellAway,
			})
		}
	}
	return claims, err
}
