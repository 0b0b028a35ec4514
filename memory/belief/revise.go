package belief

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// The kinds of model.BeliefChange.
const (
	ChangeNew       = "new"
	ChangeConfirmed = "confirmed"
	ChangeCorrected = "corrected" // the old value was never true
	ChangeChanged   = "changed"   // the old value was true once
	ChangeRetracted = "retracted"
	ChangePast      = "past" // told only when it was over
	changeRetold    = "retold"
)

// Opposites maps a relation to its opposite. A value can have only one of the two.
var Opposites = map[string]string{"likes": "dislikes", "dislikes": "likes"}

// revise weighs claims against the beliefs about the same things and returns the updated beliefs and what happened to
// them. It is pure and deterministic. Claims are weighed in the order they were said.
//
//   - In a single-valued relation, the newest first-hand claim holds. What it replaces stays as history with the reason
//     and time of its end. A multi-valued relation holds values side by side.
//   - The same value again adds evidence, never a second belief. The same message again has no effect.
//   - Hearsay never replaces what people said of themselves; their own statement replaces hearsay.
//   - A message that arrives late, said before the current belief was last confirmed, becomes history.
//   - A plan that has taken place ends without having been wrong.
//   - What is told only as past ("I used to live in Riga") is history from the start, with unknown end.
//   - A denial retracts. A correction also records the wrong value if no belief held it, so that it is not taken for
//     true where it was merely mentioned.
//
// current may contain beliefs of other audiences: they supply the relation of an elliptical correction ("not Rex,
// Milo") and otherwise stay unchanged. next has the beliefs of current in their order, then new ones with negative IDs.
func revise(current []model.Belief, claims []AttributedClaim) (next []model.Belief, changes []model.BeliefChange) {
	r := revised(current, claims)
	return r.beliefs, r.changes
}

// revised is revise with everything that is to be stored.
func revised(current []model.Belief, claims []AttributedClaim) *revision {
	r := newRevision(current)
	inOrder := slices.Clone(claims)
	slices.SortStableFunc(inOrder, func(a, b AttributedClaim) int {
		if d := a.At.Compare(b.At); d != 0 {
			return d
		}
		return int(min(max(a.MessageID-b.MessageID, -1), 1))
	})
	for _, c := range inOrder {
		r.weigh(c)
	}
	return r
}

// revision is the state of one revise call.
type revision struct {
	beliefs []model.Belief
	changes []model.BeliefChange
	worded  []wording
	nextID  int64
}

func newRevision(current []model.Belief) *revision {
	r := &revision{beliefs: slices.Clone(current), nextID: -1}
	for i := range r.beliefs {
		r.beliefs[i].Evidence = slices.Clip(r.beliefs[i].Evidence) // appending must not affect current
		r.nextID = min(r.nextID, r.beliefs[i].ID-1)
	}
	return r
}

func (r *revision) weigh(c AttributedClaim) {
	if c.AuthorID == 0 {
		return
	}
	if c.Subject == "" {
		c.SubjectPerson = c.AuthorID
	}
	c, ok := r.complete(c)
	if !ok {
		return
	}
	if r.alreadyWeighed(c) {
		r.putInWords(c)
		return
	}
	switch {
	case c.Completed:
		r.conclude(c)
	case c.Negates:
		r.deny(c)
	default:
		r.affirm(c)
	}
}

// conclude ends a belief about a plan that has taken place. What was said about it was right and stays.
func (r *revision) conclude(c AttributedClaim) {
	i := r.find(c, c.Value, model.Active)
	if i < 0 {
		return
	}
	b := &r.beliefs[i]
	b.Status, b.ValidTo = model.Superseded, model.Later(c.At, b.ValidFrom)
	r.addEvidence(i, c, 1)
}

// alreadyWeighed reports whether this message was already counted for this value.
func (r *revision) alreadyWeighed(c AttributedClaim) bool {
	stance := 1
	if c.Negates {
		stance = -1
	}
	for _, b := range r.beliefs {
		same := about(b, c) && (sameValue(b, c.Value) || c.Negates && deniesValue(c, b)) || b.Audience == c.Audience && endsPartnership(b, c)
		if same && hasEvidence(b, c.MessageID, stance) {
			return true
		}
	}
	return false
}

// affirm accepts the claim's value, unless a belief that outranks it stands against it. What only a model read never
// replaces what somebody said in words that the rules read or a second reading confirmed: it is kept beside it
// (archive), for the persona to ask about.
func (r *revision) affirm(c AttributedClaim) {
	same := r.find(c, c.Value, model.Active)
	rivals := r.rivals(c)
	for _, i := range rivals {
		if about(r.beliefs[i], c) && outranks(r.beliefs[i], c) || unconfirmed(r.beliefs[i], c) {
			r.archive(c, i)
			return
		}
	}
	change := model.BeliefChange{Kind: ChangeConfirmed}
	switch {
	case same >= 0:
		r.confirm(same, c)
	case r.findEnded(c) >= 0:
		r.addEvidence(r.findEnded(c), c, 1)
		return
	default:
		change.Kind = ChangeNew
		same = r.add(c)
	}
	for n, i := range rivals {
		if n == 0 {
			change.Kind, change.Old = why(c), r.beliefs[i].Value
		}
		r.replace(i, same, c)
	}
	r.endByDeath(c, same)
	if r.recordWrongValue(c, same) && change.Old == "" {
		change.Kind, change.Old = ChangeCorrected, c.Corrects
	}
	change.Belief = r.beliefs[same]
	r.changes = append(r.changes, change)
}

// endByDeath ends the author's relation to a deceased: a dog that died was theirs. If the claim names only the kind of
// relation and several match, none is ended.
func (r *revision) endByDeath(c AttributedClaim, by int) {
	if !understand.Death(c.Relation) {
		return
	}
	kin, _ := rel.Of(c.Relation)
	var gone []int
	for i, b := range r.beliefs {
		of := rel.Kin(b.Relation)
		named := kin == "" && sameValue(b, c.Subject) || kin != "" && of == kin
		if b.Status == model.Active && b.Audience == c.Audience && b.SubjectPerson == c.AuthorID && of != "" && named && !unconfirmed(b, c) {
			gone = append(gone, i)
		}
	}
	if len(gone) == 1 {
		r.replace(gone[0], by, c)
	}
}

// rivals returns the active beliefs that cannot hold together with the claim.
func (r *revision) rivals(c AttributedClaim) []int {
	var rivals []int
	opposite, one := c, r.holdsOne(c)
	opposite.Relation = Opposites[c.Relation]
	for i, b := range r.beliefs {
		if b.Status != model.Active {
			continue
		}
		// What only a model read must not stand against what other audiences heard either.
		single := one && (about(b, c) || r.ofKin(b, c) || unconfirmed(b, c) && sameKey(b, c)) && !sameValue(b, c.Value)
		corrected := about(b, c) && c.Corrects != "" && sameValue(b, c.Corrects) && !sameValue(b, c.Value)
		opposed := opposite.Relation != "" && about(b, opposite) && sameValue(b, c.Value)
		if single || corrected || opposed {
			rivals = append(rivals, i)
		}
	}
	return rivals
}

// ofKin reports whether the belief states the claim's fact about a relative in the other of two forms: "my sister lives
// in Oslo" and, once her name is known, "Eva moved to Riga".
func (r *revision) ofKin(b model.Belief, c AttributedClaim) bool {
	if b.Audience != c.Audience || b.AuthorID != c.AuthorID || c.At.Before(b.Updated) {
		return false
	}
	if kin, of := rel.Of(c.Relation); kin != "" {
		return b.SubjectPerson == 0 && b.Relation == of && r.isCalled(c, kin, b.Subject)
	}
	kin, of := rel.Of(b.Relation)
	return kin != "" && b.SubjectPerson == c.AuthorID && c.SubjectPerson == 0 && of == c.Relation && r.isCalled(c, kin, c.Subject)
}

// holdsOne reports whether only one value can hold for the claim's key. For "my sister" that requires that the author
// has mentioned exactly one, since there may be others.
func (r *revision) holdsOne(c AttributedClaim) bool {
	kin, of := rel.Of(c.Relation)
	if kin == "" || c.Subject != "" {
		return !c.Many
	}
	return !rel.Many(of) && len(r.namesOf(c, kin)) == 1
}

// isCalled reports whether name is the author's only known relative or animal of that kind.
func (r *revision) isCalled(c AttributedClaim, kin, name string) bool {
	names := r.namesOf(c, kin)
	return len(names) == 1 && model.NormalizeValue(names[0]) == model.NormalizeValue(name)
}

// namesOf returns the names of the author's relatives or animals of a kind.
func (r *revision) namesOf(c AttributedClaim, kin string) (names []string) {
	for _, b := range r.beliefs {
		if b.Status == model.Active && b.Audience == c.Audience && b.SubjectPerson == c.AuthorID && rel.Kin(b.Relation) == kin {
			names = append(names, b.Value)
		}
	}
	return names
}

// deny retracts every belief that the claim denies. If only another audience has the belief, the denial is recorded in
// this audience.
func (r *revision) deny(c AttributedClaim) {
	held, elsewhere, outranked := r.denied(c)
	switch {
	case outranked:
	case len(held) > 0:
		for _, i := range held {
			r.end(i, model.Retracted, c)
			r.addEvidence(i, c, -1)
			r.addChange(ChangeRetracted, i)
		}
	case elsewhere != "" || c.Value != "" && c.Correction:
		r.addChange(ChangeRetracted, r.addEnded(c, cmp.Or(elsewhere, c.Value), model.Retracted))
	case tellsPast(c) && r.find(c, c.Value, "") < 0:
		r.addChange(ChangePast, r.addPast(c))
	}
}

// denied returns the active beliefs of the claim's audience that it denies, or the value that only another audience
// has. Nothing is denied if one of the beliefs outranks the claim.
func (r *revision) denied(c AttributedClaim) (held []int, elsewhere string, outranked bool) {
	for i, b := range r.beliefs {
		if b.Status != model.Active || !(sameKey(b, c) && deniesValue(c, b)) && !endsPartnership(b, c) {
			continue
		}
		if outranks(b, c) || unconfirmed(b, c) {
			return nil, "", true
		}
		if b.Audience == c.Audience {
			held = append(held, i)
		} else {
			elsewhere = b.Value
		}
	}
	return held, elsewhere, false
}

// deniesValue reports whether the claim denies the belief's value: any value, the same one, or one of a kind that the
// person no longer likes.
func deniesValue(c AttributedClaim, b model.Belief) bool {
	return c.Value == "" || sameValue(b, c.Value) || c.Kind == rel.Taste && c.Changed && rel.Includes(c.Value, b.Value)
}

func (r *revision) addChange(kind string, i int) {
	r.changes = append(r.changes, model.BeliefChange{Kind: kind, Belief: r.beliefs[i], Old: r.beliefs[i].Value})
}

// tellsPast reports whether a denial states what was once true: "I used to live in Riga".
func tellsPast(c AttributedClaim) bool {
	return c.Changed && c.Value != "" && (c.Kind == rel.Fact || c.Kind == rel.Taste) && rel.Affirmed(c.Relation)
}

// recordWrongValue records the wrong value of a correction if no belief held it, and reports whether it did.
func (r *revision) recordWrongValue(c AttributedClaim, by int) bool {
	if model.NormalizeValue(c.Corrects) == "" || r.find(c, c.Corrects, "") >= 0 {
		return false
	}
	wrong := c
	wrong.Changed = false
	i := r.addEnded(wrong, c.Corrects, model.Superseded)
	r.beliefs[i].ReplacedWhy = ChangeCorrected
	r.beliefs[i].SupersededBy = r.beliefs[by].ID
	return true
}

// replace ends belief i in favour of belief by. A correction is also evidence against what it corrects.
func (r *revision) replace(i, by int, c AttributedClaim) {
	r.end(i, model.Superseded, c)
	r.beliefs[i].SupersededBy = r.beliefs[by].ID
	if why(c) == ChangeCorrected {
		r.addEvidence(i, c, -1)
	}
}

func (r *revision) end(i int, status model.BeliefStatus, c AttributedClaim) {
	b := &r.beliefs[i]
	b.Status, b.ReplacedWhy = status, why(c)
	b.ValidTo = model.Later(validFrom(c), b.ValidFrom)
}

// archive stores a late or hearsay claim as history under the belief that outranks it.
func (r *revision) archive(c AttributedClaim, winner int) {
	if i := r.find(c, c.Value, ""); i >= 0 {
		r.addEvidence(i, c, 1)
		return
	}
	w := r.beliefs[winner]
	b := r.beliefs[r.add(c)]
	b.Status, b.SupersededBy = model.Superseded, w.ID
	b.ValidTo = model.Later(w.ValidFrom, b.ValidFrom)
	if !unconfirmed(w, c) && (firstHand(b) || !firstHand(w)) {
		b.ReplacedWhy = ChangeChanged // otherwise it is hearsay or a model's reading that was never valid
	}
	r.beliefs[len(r.beliefs)-1] = b
}

// findEnded finds the belief with this value that ended after the claim was said: the claim belongs to its past.
func (r *revision) findEnded(c AttributedClaim) int {
	for i, b := range r.beliefs {
		if b.Status != model.Active && about(b, c) && sameValue(b, c.Value) && c.At.Before(endOf(b)) {
			return i
		}
	}
	return -1
}

func (r *revision) confirm(i int, c AttributedClaim) {
	b := &r.beliefs[i]
	late := c.At.Before(b.Updated)
	own := firstHandClaim(c)
	if own && !firstHand(*b) {
		b.AuthorID, b.Author, b.Updated = c.AuthorID, c.Author, c.At
	} else if own == firstHand(*b) {
		b.Updated = model.Later(b.Updated, c.At)
	}
	if c.Span != nil && !late {
		b.ValidFrom, b.ValidTo = validFrom(c), validTo(c)
	}
	r.addEvidence(i, c, 1)
}

// add appends a new active belief.
func (r *revision) add(c AttributedClaim) int {
	r.beliefs = append(r.beliefs, model.Belief{
		ID: r.nextID, Audience: c.Audience,
		AuthorID: c.AuthorID, Author: c.Author,
		SubjectPerson: c.SubjectPerson, Subject: strings.TrimSpace(c.Subject),
		Relation: c.Relation, Value: strings.TrimSpace(c.Value), Domain: rel.Domain(c.Relation),
		Status: model.Active, ValidFrom: validFrom(c), ValidTo: validTo(c),
		Created: c.At, Updated: c.At,
	})
	r.nextID--
	i := len(r.beliefs) - 1
	r.addEvidence(i, c, 1)
	return i
}

// addEnded appends a belief that records a wrong value.
func (r *revision) addEnded(c AttributedClaim, value string, status model.BeliefStatus) int {
	c.Value = value
	i := r.add(c)
	b := &r.beliefs[i]
	b.Status, b.ReplacedWhy = status, why(c)
	b.ValidFrom, b.ValidTo = time.Time{}, c.At
	b.Evidence[0].Stance = -1
	b.SetEvidence(b.Evidence)
	return i
}

// addPast appends a belief about the past, whose end nobody stated.
func (r *revision) addPast(c AttributedClaim) int {
	i := r.addEnded(c, c.Value, model.Superseded)
	r.beliefs[i].ValidTo = time.Time{}
	return i
}

// onlyPast reports whether a belief was first told when it was over.
func onlyPast(b model.Belief) bool {
	return b.Status != model.Active && b.ValidFrom.IsZero() && b.ValidTo.IsZero()
}

// endOf returns when a belief ended, or was reported to have ended.
func endOf(b model.Belief) time.Time {
	if onlyPast(b) {
		return b.Updated
	}
	return b.ValidTo
}

func (r *revision) addEvidence(i int, c AttributedClaim, stance int) {
	b := &r.beliefs[i]
	if hasEvidence(*b, c.MessageID, stance) {
		return
	}
	b.SetEvidence(append(b.Evidence, model.Evidence{
		MessageID: c.MessageID, AuthorID: c.AuthorID, Author: c.Author,
		Quote: c.Quote, Stance: stance, Hearsay: !firstHandClaim(c), At: c.At, JobRun: c.JobRun,
		Sentence: c.Sentence, ByModel: c.ByModel, Sensitive: c.Sensitive,
	}))
}

// find returns the latest belief of the claim's audience with the claim's key and the given value, of any status for
// "". It returns -1 if there is none.
func (r *revision) find(c AttributedClaim, value string, status model.BeliefStatus) int {
	for i, b := range slices.Backward(r.beliefs) {
		if about(b, c) && sameValue(b, value) && (status == "" || b.Status == status) {
			return i
		}
	}
	return -1
}
