package belief

import (
	"slices"
	"time"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// AttributedClaim is a claim with its author, place and time: everything that decides its effect on the beliefs.
type AttributedClaim struct {
	understand.Claim
	// AuthorID is who made the claim. A claim with author 0 (the persona, the operator, a job) is never evidence.
	AuthorID int64
	Author   string
	// SubjectPerson is the person that Subject refers to, 0 if unknown. If Subject is empty, it is the author.
	SubjectPerson int64
	MessageID     int64
	At            time.Time
	// Audience is who heard it. It may only change beliefs of the same audience.
	Audience model.Audience
	// JobRun is the run of the job that found the claim, 0 for none.
	JobRun int64
	// Completed says that a plan has taken place: the belief in it was correct and ends.
	Completed bool
	// Sentence, ByModel and Sensitive become those of its evidence (model.Evidence).
	Sentence           string
	ByModel, Sensitive bool
}

// sameKey reports whether belief and claim have the same subject and relation.
func sameKey(b model.Belief, c AttributedClaim) bool {
	return b.Relation == c.Relation && model.SubjectKey(b.SubjectPerson, b.Subject) == model.SubjectKey(c.SubjectPerson, c.Subject)
}

// endsPartnership reports whether the claim ends the partnership that the belief describes, whatever relation the
// belief uses: after a breakup with Noor, the author has no girlfriend of that name any more.
func endsPartnership(b model.Belief, c AttributedClaim) bool {
	return c.Negates && c.Changed && c.Value != "" && sameValue(b, c.Value) && slices.Contains(rel.Partners(c.Relation), b.Relation) &&
		model.SubjectKey(b.SubjectPerson, b.Subject) == model.SubjectKey(c.SubjectPerson, c.Subject)
}

// about reports whether the claim concerns the belief: same subject and relation, same audience.
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

// firstHand reports whether the belief comes from the person it is about. Everyone speaks first-hand about things;
// about an unknown person everyone speaks second-hand.
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

// outranks reports whether the claim cannot affect the belief: the claim is hearsay and the belief is not, or both are
// of the same kind and the belief is newer.
func outranks(b model.Belief, c AttributedClaim) bool {
	if own := firstHandClaim(c); own != firstHand(b) {
		return !own
	}
	return c.At.Before(b.Updated)
}

// unconfirmed reports whether the claim is what only a model read, and the belief is more than that.
func unconfirmed(b model.Belief, c AttributedClaim) bool { return c.ByModel && !b.ByModel }

// why returns the reason that a claim gives for what it ends. Unless the wording corrects, the old value counts as once
// true, which assumes less.
func why(c AttributedClaim) string {
	if c.Correction && !c.Changed {
		return ChangeCorrected
	}
	return ChangeChanged
}

// validFrom returns when the claimed fact began: the time it names, otherwise when it was said.
func validFrom(c AttributedClaim) time.Time {
	if c.Span != nil {
		return c.Span.From
	}
	return c.At
}

// validTo returns when the claimed fact ends: known for plans and promises with a time, open for everything else.
func validTo(c AttributedClaim) time.Time {
	if c.Span != nil && (c.Relation == rel.Planned || c.Relation == rel.Promised) {
		return c.Span.Until
	}
	return time.Time{}
}
