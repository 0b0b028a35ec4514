package belief

import (
	"cmp"
	"slices"
	"time"

	"familiar/memory/internal/scope"
	"familiar/memory/model"
	"familiar/memory/understand/rel"
)

// resolve decides between beliefs of different audiences that are visible together, for example when a person told a
// group one thing and later something else in private. Each audience keeps its own belief. Where both are visible, the
// newest first-hand claim holds and the other reads as replaced. The beliefs keep their order; only Status, ValidTo,
// SupersededBy and ReplacedWhy change. Beliefs of one audience are returned as they are: it has decided between them.
func resolve(heard []model.Belief) []model.Belief {
	if ofOneAudience(heard) {
		return heard
	}
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

func ofOneAudience(beliefs []model.Belief) bool {
	for i := range beliefs {
		if beliefs[i].Audience != beliefs[0].Audience {
			return false
		}
	}
	return true
}

// claimKey identifies a subject and relation in any audience, optionally with a value.
type claimKey struct{ subject, relation, value string }

func keyOf(b model.Belief) claimKey {
	return claimKey{subject: model.SubjectKey(b.SubjectPerson, b.Subject), relation: b.Relation}
}

// with narrows the key to one value.
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

// overrules reports whether the denial, from another audience, applies to the belief.
func (d denial) overrules(b model.Belief) bool {
	if d.audience == b.Audience || !d.firstHand && firstHand(b) {
		return false
	}
	return !d.at.Before(b.Updated) || d.firstHand && !firstHand(b)
}

// denialsOf returns the latest denials: those on record, and those implied by holding the opposite.
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

// prevails reports which of two active beliefs with the same key holds: whether a holds over b.
func prevails(a, b model.Belief) bool {
	if own := firstHand(a); own != firstHand(b) {
		return own
	}
	return cmp.Or(a.Updated.Compare(b.Updated), cmp.Compare(a.ID, b.ID)) > 0
}

// PreviewClaims revises the visible beliefs by claims made in the room, without storing anything, and returns the
// beliefs as they would read in that room: what an answer should already know about the message it answers. heard must
// come from Beliefs with IncludeHistory; it is not changed, but may be what is returned.
func PreviewClaims(h scope.Visibility, heard []model.Belief, claims []AttributedClaim) ([]model.Belief, []model.BeliefChange) {
	if len(claims) == 0 {
		return resolve(heard), nil
	}
	here := make([]AttributedClaim, len(claims))
	for i, c := range claims {
		c.Audience = h.Room().Audience()
		here[i] = c
	}
	next, changes := revise(heard, here)
	return resolve(next), changes
}

// Replacement is a value that no longer holds.
type Replacement struct {
	Value string
	// Current is the value that holds instead, empty if the old one was only withdrawn.
	Current string
	// Why is "corrected" (never true), "changed" (true once) or "retold" (told differently since; both may hold).
	Why           string
	SubjectPerson int64
	Subject       string
	Relation      string
	// At is when the value ended.
	At time.Time
}

// replacements lists the replaced values among resolved beliefs, oldest first. A value that is believed again is left
// out.
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

// replacementsAmong is replacements for a subset of the resolved beliefs that contains all beliefs of its keys. find
// returns the index of an ID in settled.
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
			continue // a value told as past needs no mark: its words say so
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

// byEnd orders replacements by end, then by subject, relation and value.
func byEnd(a, b Replacement) int {
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Relation, b.Relation), cmp.Compare(a.Value, b.Value))
}

// retold lists a relative of a person we do not know who was named before another one. For known people both relatives
// are kept; for strangers it is unclear whether the second was meant in addition.
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

// stricter combines two replacements of one value: a correction outweighs a change, and the later end counts.
func stricter(a, b Replacement) Replacement {
	if b.At.After(a.At) {
		a, b = b, a
	}
	if b.Why == ChangeCorrected {
		a.Why = ChangeCorrected
	}
	return a
}

// successor follows the replacements of b to the value that holds now, "" if that was withdrawn or is not visible here.
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
