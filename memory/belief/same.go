package belief

import (
	"slices"
	"time"

	"familiar/memory/model"
	"familiar/memory/understand/rel"
)

// The rules that decide between a belief and a claim, or between two beliefs.

// sameKey says that belief and claim are about the same subject and relation.
func sameKey(b model.Belief, c AttributedClaim) bool {
	return b.Relation == c.Relation && model.SubjectKey(b.SubjectPerson, b.Subject) == model.SubjectKey(c.SubjectPerson, c.Subject)
}

// endsPartnership says that the claim ends what somebody was to its subject, whatever they are called in the belief: who broke up
// with Noor has no girlfriend of that name any more.
func endsPartnership(b model.Belief, c AttributedClaim) bool {
	return c.Negates && c.Changed && c.Value != "" && sameValue(b, c.Value) && slices.Contains(rel.Partners(c.Relation), b.Relation) &&
		model.SubjectKey(b.SubjectPerson, b.Subject) == model.SubjectKey(c.SubjectPerson, c.Subject)
}

// about says that the claim bears on the belief: the same thing, in the same audience.
func about(b model.Belief, c AttributedClaim) bool {
	return b.Audience == c.Audience && sameKey(b, c)
}

func sameValue(b model.Belief, value string) bool {
	return model.NormalizeValue(b.Value) == model.NormalizeValue(value)
}

func hasEvidence(b model.Belief, message int64, stance int) bool {
	for _, e := range b.Evidence {
		if e.MessageID == message && e.Stance == stance {
			return true
		}
	}
	return false
}

// firstHand says that the belief was told by whom it is about. About things that are no persons everybody speaks
// first-hand; a person we do not know can only be spoken about.
func firstHand(b model.Belief) bool { return isFirstHand(b.AuthorID, b.SubjectPerson, b.Domain) }

func firstHandClaim(c AttributedClaim) bool {
	return isFirstHand(c.AuthorID, c.SubjectPerson, rel.Domain(c.Relation))
}

func isFirstHand(author, subject int64, domain string) bool {
	if subject == 0 {
		return domain != "person"
	}
	return author == subject
}

// outranks says that the claim cannot touch the belief: the claim is hearsay and the belief is not, or both are of one
// kind and the belief was said later.
func outranks(b model.Belief, c AttributedClaim) bool {
	if own := firstHandClaim(c); own != firstHand(b) {
		return !own
	}
	return c.At.Before(b.Updated)
}

// why is the reason a claim gives for what it ends. Unless the wording corrects, the old value is taken to have been
// true once: that claims less.
func why(c AttributedClaim) string {
	if c.Correction && !c.Changed {
		return ChangeCorrected
	}
	return ChangeChanged
}

// validFrom is when what is claimed began: the time it names, else when it was said.
func validFrom(c AttributedClaim) time.Time {
	if c.Span != nil {
		return c.Span.From
	}
	return c.At
}

// validTo is when what is claimed ends: known for plans that name a time, open for everything else.
func validTo(c AttributedClaim) time.Time {
	if c.Span != nil && (c.Relation == rel.Planned || c.Relation == rel.Promised) {
		return c.Span.Until
	}
	return time.Time{}
}
