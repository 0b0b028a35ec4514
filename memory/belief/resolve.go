package belief

import (
	"cmp"
	"slices"
	"time"

	"familiar/memory/internal/scope"
	"familiar/memory/model"
	"familiar/memory/understand/rel"
)

// settle decides between beliefs of different audiences that are heard in one place: somebody told a group one thing
// and later, in private, another. Each audience keeps its own belief; where both are heard, the newest first-hand word
// holds and the other reads as replaced. It returns the beliefs in their order, changed only in Status, ValidTo,
// SupersededBy and ReplacedWhy.
func resolve(heard []model.Belief) []model.Belief {
	out := slices.Clone(heard)
	denials := denialsOf(out)
	best := map[claimKey]int{}
	for i := range out {
		if out[i].Status != model.Active {
			continue
		}
		if d, ok := denials[keyOf(out[i]).with(out[i].Value)]; ok && d.overrules(out[i]) {
			out[i].Status, out[i].ReplacedWhy = d.status, d.why
			out[i].SupersededBy, out[i].ValidTo = d.by, d.at
			continue
		}
		if rel.Many(out[i].Relation) {
			continue
		}
		k := keyOf(out[i])
		if j, ok := best[k]; !ok || prevails(out[i], out[j]) {
			best[k] = i
		}
	}
	for i := range out {
		w, ok := best[keyOf(out[i])]
		if !ok || out[i].Status != model.Active || out[i].Audience == out[w].Audience {
			continue
		}
		if sameValue(out[i], out[w].Value) {
			continue
		}
		out[i].Status, out[i].ReplacedWhy = model.Superseded, ChangeChanged
		out[i].SupersededBy, out[i].ValidTo = out[w].ID, model.Later(out[w].ValidFrom, out[i].ValidFrom)
	}
	return out
}

// claimKey is a subject and relation, whoever heard about it.
type claimKey struct{ subject, relation, value string }

func keyOf(b model.Belief) claimKey {
	return claimKey{subject: model.SubjectKey(b.SubjectPerson, b.Subject), relation: b.Relation}
}

// with narrows a thing to one value of it.
func (t claimKey) with(value string) claimKey {
	t.value = model.NormalizeValue(value)
	return t
}

// denial is the end of a value in some audience.
type denial struct {
	audience  model.Audience
	status    model.BeliefStatus
	why       string
	by        int64
	at        time.Time
	firstHand bool
}

// overrules says that the denial, made elsewhere, bears on the belief.
func (d denial) overrules(b model.Belief) bool {
	if d.audience == b.Audience || !d.firstHand && firstHand(b) {
		return false
	}
	return !d.at.Before(b.Updated) || d.firstHand && !firstHand(b)
}

// denialsOf are the latest ends of values: those on record, and those implied by holding the opposite.
func denialsOf(heard []model.Belief) map[claimKey]denial {
	latest := map[claimKey]denial{}
	note := func(k claimKey, d denial) {
		if was, ok := latest[k]; !ok || d.at.After(was.at) {
			latest[k] = d
		}
	}
	for _, b := range heard {
		k := keyOf(b).with(b.Value)
		if b.Status != model.Active && b.ReplacedWhy != "" {
			note(k, denial{b.Audience, b.Status, b.ReplacedWhy, b.SupersededBy, endOf(b), firstHand(b)})
		}
		if opposite := Opposites[b.Relation]; opposite != "" && b.Status == model.Active {
			k.relation = opposite
			note(k, denial{b.Audience, model.Superseded, ChangeChanged, b.ID, b.Updated, firstHand(b)})
		}
	}
	return latest
}

// prevails says which of two active beliefs about one thing holds.
func prevails(a, b model.Belief) bool {
	if own := firstHand(a); own != firstHand(b) {
		return own
	}
	return cmp.Or(a.Updated.Compare(b.Updated), cmp.Compare(a.ID, b.ID)) > 0
}

// Revise weighs claims made in the room being spoken in against what may be heard there, before anything is stored, and
// returns the beliefs as they would read in that room: what an answer should already know about the message it answers.
// It takes beliefs as Beliefs returns them with their history, and stores nothing.
func PreviewClaims(h scope.Visibility, heard []model.Belief, claims []AttributedClaim) ([]model.Belief, []model.BeliefChange) {
	here := make([]AttributedClaim, len(claims))
	for i, c := range claims {
		c.Audience = h.Room().Audience()
		here[i] = c
	}
	next, changes := revise(heard, here)
	return resolve(next), changes
}

// Replacement is a value that must no longer be taken for true.
type Replacement struct {
	Value string
	// Current is what holds instead, empty when the value was only withdrawn.
	Current string
	// Why is "corrected" (it was never so), "changed" (it was so once) or "retold" (another was told since, and both may
	// hold).
	Why           string
	SubjectPerson int64
	Subject       string
	Relation      string
	// At is when it stopped being said to be true.
	At time.Time
}

// replacements lists the replaced values among settled beliefs, oldest first. A value that is believed again is not
// among them.
func replacements(settled []model.Belief) []Replacement {
	byID := make(map[int64]int, len(settled))
	for i, b := range settled {
		byID[b.ID] = i
	}
	return replacementsAmong(settled, settled, func(id int64) (int, bool) {
		i, ok := byID[id]
		return i, ok
	})
}

// replacementsAmong is replacedAmong for some of the settled beliefs, all there are about some things. find is where among
// settled an id stands.
func replacementsAmong(some, settled []model.Belief, find func(id int64) (int, bool)) []Replacement {
	held := map[claimKey]bool{}
	for _, b := range some {
		if b.Status == model.Active {
			held[keyOf(b).with(b.Value)] = true
		}
	}
	seen := map[claimKey]int{}
	var out []Replacement
	for _, b := range some {
		k := keyOf(b).with(b.Value)
		if b.Status == model.Active || b.ReplacedWhy == "" || held[k] || onlyPast(b) {
			continue // what was only told as past needs no mark: its words say so
		}
		r := Replacement{
			Value: b.Value, Current: successor(settled, find, b), Why: b.ReplacedWhy,
			SubjectPerson: b.SubjectPerson, Subject: b.Subject, Relation: b.Relation, At: b.ValidTo,
		}
		if n, ok := seen[k]; ok {
			out[n] = stricter(out[n], r)
			continue
		}
		seen[k] = len(out)
		out = append(out, r)
	}
	out = append(out, retold(some)...)
	slices.SortStableFunc(out, byEnd)
	return out
}

// byEnd orders replaced values by when they were said to be true no more, those of one moment by what they are.
func byEnd(a, b Replacement) int {
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Relation, b.Relation), cmp.Compare(a.Value, b.Value))
}

// retold lists those who were called the one relative of somebody we do not know, before another was: of our own
// people's families both are remembered, of strangers nobody knows whether the second was meant beside the first.
func retold(settled []model.Belief) (out []Replacement) {
	last := map[claimKey]model.Belief{}
	for _, b := range slices.Backward(settled) {
		if b.Status != model.Active || b.SubjectPerson != 0 || rel.Kin(b.Relation) == "" {
			continue
		}
		newer, told := last[keyOf(b)]
		if !told {
			last[keyOf(b)] = b
		} else if b.Updated.Before(newer.Updated) {
			out = append(out, Replacement{
				Value: b.Value, Current: newer.Value, Why: changeRetold, Subject: b.Subject, Relation: b.Relation, At: newer.Created,
			})
		}
	}
	return out
}

// stricter joins two replacements of one value: a correction weighs more than a change, a later end more than an
// earlier one.
func stricter(a, b Replacement) Replacement {
	if b.At.After(a.At) {
		a, b = b, a
	}
	if b.Why == ChangeCorrected {
		a.Why = ChangeCorrected
	}
	return a
}

// successor follows what replaced b to what holds now, "" when that was withdrawn or cannot be heard here.
func successor(settled []model.Belief, find func(id int64) (int, bool), b model.Belief) string {
	for range settled {
		i, ok := find(b.SupersededBy)
		if !ok {
			return ""
		}
		if b = settled[i]; b.Status == model.Active {
			return b.Value
		}
	}
	return ""
}
