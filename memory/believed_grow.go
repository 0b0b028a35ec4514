package memory

import (
	"cmp"
	"maps"
	"slices"
)

// A turn that claims something changes what is believed in a few places. The rest is taken over as it was: a room that
// believes much is not read again for one sentence.

// grow makes b what old was, with the beliefs that were touched since: each has new evidence, or was replaced by one
// that has.
func (b *believed) grow(tx *conn, h Hearing, old *believed, touched []int64) error {
	slices.Sort(touched)
	in, args := list(slices.Compact(touched))
	rows, err := collect[Belief](tx.rows(beliefColumns+` WHERE b.id IN `+in+` OR b.superseded_by IN `+in+` ORDER BY b.id`,
		slices.Concat(args, args)...))(scanBelief)
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(r Belief) bool { return r.Persona != h.persona || !slices.Contains(h.audiences, r.Audience) })
	b.beliefs, b.keys, b.stored = slices.Clone(old.beliefs), slices.Clip(old.keys), maps.Clone(old.stored)
	changed := map[thing]bool{}
	for _, r := range rows {
		i, known := b.find(r.ID)
		if !known && i < len(b.beliefs) {
			b.beliefs = nil // older than what is known: nothing that grows does that
			return nil
		}
		if !known {
			b.beliefs, b.keys = append(b.beliefs, r), append(b.keys, subjectKey(r.SubjectPerson, r.Subject))
		}
		b.stored[i] = r
		k := thing{subject: b.keys[i], relation: r.Relation}
		changed[k] = true
		if k.relation = opposites[r.Relation]; k.relation != "" {
			changed[k] = true
		}
	}
	b.settleAgain(old, changed)
	return nil
}

// find is the place of the belief with an id, or where it would stand.
func (b *believed) find(id int64) (int, bool) {
	return slices.BinarySearchFunc(b.beliefs, id, func(one Belief, id int64) int { return cmp.Compare(one.ID, id) })
}

// keepStored keeps the belief at i as it is stored, unless it reads the same here.
func (b *believed) keepStored(i int, stored Belief) {
	if is := b.beliefs[i]; is.Status == stored.Status && is.SupersededBy == stored.SupersededBy && is.ReplacedWhy == stored.ReplacedWhy && is.ValidTo.Equal(stored.ValidTo) {
		delete(b.stored, i)
		return
	}
	b.stored[i] = stored
}

// settleAgain settles the beliefs about the changed things, which bear on nothing else.
func (b *believed) settleAgain(old *believed, changed map[thing]bool) {
	subjects := map[string]bool{}
	for k := range changed {
		subjects[k.subject] = true
	}
	var at []int
	var heard []Belief
	for i, key := range b.keys {
		if !subjects[key] || !changed[thing{subject: key, relation: b.beliefs[i].Relation}] {
			continue
		}
		as := b.beliefs[i]
		if stored, otherwise := b.stored[i]; otherwise {
			as = stored
		}
		at, heard = append(at, i), append(heard, as)
	}
	settled := settle(heard)
	for n, i := range at {
		b.beliefs[i] = settled[n]
		b.keepStored(i, heard[n])
	}
	b.replaced = slices.DeleteFunc(slices.Clone(old.replaced), func(r Replaced) bool {
		return changed[thing{subject: subjectKey(r.SubjectPerson, r.Subject), relation: r.Relation}]
	})
	b.replaced = append(b.replaced, replacedOf(settled, b.beliefs, b.find)...)
	slices.SortStableFunc(b.replaced, byEnd)
}
