package belief

import (
	"familiar/memory/model"
	"familiar/memory/understand/rel"
)

// complete gives an elliptical correction the subject and relation of the belief with the wrong value. It returns false
// if the claim says nothing that can be believed.
func (r *revision) complete(c AttributedClaim) (AttributedClaim, bool) {
	if model.NormalizeValue(c.Corrects) == model.NormalizeValue(c.Value) {
		c.Corrects = "" // the value was right after all
	}
	if c.Relation != "" && !r.misread(c) {
		return c, model.NormalizeValue(c.Value) != "" || c.Negates
	}
	if model.NormalizeValue(c.Corrects) == "" || model.NormalizeValue(c.Value) == "" {
		return c, false
	}
	i := r.holderOf(c)
	if i < 0 {
		return c, false
	}
	b := r.beliefs[i]
	c.Relation, c.Many = b.Relation, rel.Many(b.Relation)
	c.Subject, c.SubjectPerson = b.Subject, b.SubjectPerson
	c.Corrects, c.Correction = b.Value, true
	return c, true
}

// misread reports whether a claim was read as another relation than it corrects: "the name's Fifi, not Bello" names the dog, if
// that is called Bello.
func (r *revision) misread(c AttributedClaim) bool {
	wrong := model.NormalizeValue(c.Corrects)
	if wrong == "" || c.Negates || c.Kind != rel.Fact {
		return false
	}
	elsewhere := false
	for _, b := range r.beliefs {
		if model.NormalizeValue(b.Value) != wrong || b.AuthorID != c.AuthorID || b.Audience != c.Audience {
			continue
		}
		if b.Relation == c.Relation {
			return false
		}
		elsewhere = elsewhere || b.Status == model.Active || hasEvidence(b, c.MessageID, -1)
	}
	return elsewhere
}

// holderOf finds the belief that a bare wrong value refers to: an active one that the author told or that is about
// them, with exactly that value rather than one that contains it, and the latest. One that this very message ended
// comes first, so that weighing it again changes nothing.
func (r *revision) holderOf(c AttributedClaim) int {
	wrong := model.NormalizeValue(c.Corrects)
	best, bestRank := -1, 0
	for i, b := range r.beliefs {
		if b.AuthorID != c.AuthorID && b.SubjectPerson != c.AuthorID {
			continue
		}
		if c.Subject != "" && model.SubjectKey(c.SubjectPerson, c.Subject) != model.SubjectKey(b.SubjectPerson, b.Subject) {
			continue
		}
		weighed := b.Audience == c.Audience && hasEvidence(b, c.MessageID, -1)
		if b.Status != model.Active && !weighed {
			continue
		}
		rank := 0
		if v := model.NormalizeValue(b.Value); v == wrong {
			rank = 2
		} else if model.ContainsWords(v, wrong) {
			rank = 1
		} else {
			continue
		}
		if weighed {
			rank += 2
		}
		if rank > bestRank || rank == bestRank && !b.Updated.Before(r.beliefs[best].Updated) {
			best, bestRank = i, rank
		}
	}
	return best
}
